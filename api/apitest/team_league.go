package apitest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// DatedLeague is a league with three weeks for the matches of a round.
func DatedLeague(t *testing.T, n int, change ...func(*Config)) *TeamLeague {
	t.Helper()
	return NewTeamLeague(t, `{"name":"League","variant":"quixo/duel","format":"team_round_robin","time_control":"300+3",
		"teams":{"boards":[{},{"game":"quits/duel"}],"days":21,"deadline_minutes":60}}`, n, change...)
}

// At returns the time d from now, in the form that clients send.
func (x *TeamLeague) At(d time.Duration) string {
	return x.Now().Add(d).UTC().Truncate(time.Minute).Format(time.RFC3339)
}

// Propose sends a captain's proposal of a date.
func (p Person) Propose(match, at string) *Answer {
	return p.Post(match+"/date/proposal", map[string]any{"at": at})
}

// TeamLeague is a tournament of teams over four boards.
type TeamLeague struct {
	*Service
	T        *testing.T
	Olga     Person
	Path     string
	Captains []Person
	Second   []Person   // the second member of each team
	Members  [][]string // by team
	Entries  []string   // ids by team
}

// FourBoards are settings of a Swiss of teams of four.
const FourBoards = `{"name":"League","variant":"quixo/duel","format":"team_swiss","rounds":3,"time_control":"300+3","rated":true,
	"teams":{"boards":[{},{"game":"quits/duel"},{"game":"quivive/duel","time_control":"600+5"},{"game":"quiwin/duel","rated":false}]}}`

// NewTeamLeague enters teams of five, starts the tournament and publishes its first round.
func NewTeamLeague(t *testing.T, settings string, n int, change ...func(*Config)) *TeamLeague {
	t.Helper()
	x := &TeamLeague{Service: New(t, change...), T: t}
	x.Olga = x.WithRole("olga", account.RoleOrganiser)
	x.Path = "/tournaments/" + x.Olga.Post("/tournaments", settings).Want(t, http.StatusCreated).Text("id")
	for i := range n {
		captain := x.Register(fmt.Sprint("captain", i+1))
		members := []string{captain.Player}
		x.Second = append(x.Second, x.Register(fmt.Sprint("second", i+1)))
		members = append(members, x.Second[i].Player)
		for k := range 3 {
			members = append(members, x.Register(fmt.Sprintf("p%d-%d", i+1, k+3)).Player)
		}
		entry := x.Olga.Post(x.Path+"/entries", map[string]any{
			"name": fmt.Sprint("Team ", i+1), "members": members, "captain": captain.Player,
		}).Want(t, http.StatusCreated)
		x.Captains = append(x.Captains, captain)
		x.Members = append(x.Members, members)
		x.Entries = append(x.Entries, entry.Text("id"))
	}
	x.Olga.Post(x.Path+"/start", nil).Want(t, http.StatusOK)
	x.Olga.Post(x.Path+"/rounds", nil).Want(t, http.StatusCreated)
	return x
}

// Sides returns the teams, from 0, of a match.
func (x *TeamLeague) Sides(match string) (white, black int) {
	x.T.Helper()
	m := x.Olga.Get(match).Want(x.T, http.StatusOK)
	for i, id := range x.Entries {
		switch id {
		case m.Text("seats", 0, "id"):
			white = i
		case m.Text("seats", 1, "id"):
			black = i
		}
	}
	return white, black
}

// HallTeams returns settings of a tournament of teams in the hall.
func HallTeams(format string, rounds, boards int, rest string) string {
	planned := ""
	if rounds > 0 {
		planned = fmt.Sprintf(`"rounds":%d,`, rounds)
	}
	return fmt.Sprintf(`{"name":"League","variant":"quixo/duel","format":%q,%s"time_control":"300+3","rated":true,"venue":"hall",
		"teams":{"boards":[%s]%s}}`, format, planned, strings.TrimSuffix(strings.Repeat("{},", boards), ","), rest)
}

// Matches returns the paths of the matches of a round.
func (x *TeamLeague) Matches(round int) (paths []string) {
	x.T.Helper()
	at := fmt.Sprint(x.Path, "/rounds/", round)
	for i, p := range x.Olga.Get(at).Want(x.T, http.StatusOK).List("pairings") {
		if _, bye := p.(map[string]any)["bye"]; !bye {
			paths = append(paths, fmt.Sprint(at, "/matches/", i+1))
		}
	}
	return paths
}

// FinalLineUps has both captains of a match declare their line-ups final.
func (x *TeamLeague) FinalLineUps(match string) {
	x.T.Helper()
	white, black := x.Sides(match)
	for _, side := range []int{white, black} {
		x.Captains[side].Post(match+"/lineup/final", nil).Want(x.T, http.StatusOK)
	}
}

// BoardResult enters the result of a board of a match.
func (x *TeamLeague) BoardResult(match string, board int, result string) *Answer {
	x.T.Helper()
	return x.Olga.Send(
		http.MethodPut, fmt.Sprint(match, "/boards/", board), map[string]any{"result": result}, AnyVersion,
	).Want(x.T, http.StatusOK)
}
