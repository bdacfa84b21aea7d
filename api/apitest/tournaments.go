package apitest

import (
	"fmt"
	"net/http"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/account"
)

// TeamDraft creates a Swiss for teams of two and returns its paths.
func TeamDraft(t *testing.T, olga Person, variant string) (path, desk string) {
	t.Helper()
	path = "/tournaments/" + olga.Post("/tournaments", map[string]any{
		"name": "Pairs", "variant": variant, "format": "swiss", "rounds": 2, "time_control": "none", "venue": "hall",
	}).Want(t, http.StatusCreated).Text("id")
	return path, path + "/desk"
}

// BegunTRF is a tournament after two of five rounds, with things in it that mean nothing here.
const BegunTRF = `012 Spring Open
022 Riga
102 Ozola, Anna
142 5
152 W
192 FIDE_DUTCH
202 BH/C1,BH,DE
### made elsewhere
240 H 003 0004
260 001 005 0001 0004
001    1 wWGM Kalnina, Ieva                     2210 LAT    11600001 1990/05/01  2.0    1     4 w 1     2 b 1
001    2      Berzins, Janis                    2100 LAT    11600002             1.0    2     5 b 1     1 w 0
001    3      =cmd|calc                         2000 LAT                         1.0    3     6 w 0     5 b 1
DAT 0003 EMAIL somebody@example.org
001    4      Liepa, Rita                       1850 LAT                         0.5    5     1 b 0     6 w =
001    5      Ozols, Karlis                     1800 LAT                         0.0    6     2 w 0     3 w 0
001    6      Vitols, Maris                     1700 LAT                         1.5    4     3 b 1     4 b =
`

// AsText is the header of a body that is a report file.
var AsText = Header{"Content-Type", "text/plain"}

// ImportDuels is the path that imports a report file as a tournament of duels.
const ImportDuels = "/tournaments/import?variant=quixo/duel&time_control=300%2B3"

// KeizerSeason are settings of a season by Keizer in the hall.
const KeizerSeason = `{"name":"Autumn","variant":"quixo/duel","format":"keizer","time_control":"none","venue":"hall","rated":false,
	"pairing":{"keizer":{"absences":2,"silence":"no_notice"}}}`

// Knockout are settings of a knock-out.
const Knockout = `{"name":"Cup","variant":"quixo/duel","format":"knockout","time_control":"300+3","rated":true,
	"pairing":{"third_place":true,"replays":1,"tie_break_games":1,"tie_break_time_control":"60+1"}}`

// Melee are settings of a tournament at tables.
const Melee = `{"name":"Melee night","variant":"quivive/melee","format":"table_swiss","rounds":3,"time_control":"300+3","rated":true,
	"pairing":{"tables":{"meetings":"first","short_tables":true}}}`

// TeamEvent opens a Swiss for teams of two.
func TeamEvent(t *testing.T, s *Service) (olga Person, path string) {
	t.Helper()
	olga = s.WithRole("olga", account.RoleOrganiser)
	path = "/tournaments/" + olga.Post("/tournaments", map[string]any{
		"name": "Pairs", "variant": "quixo/teams", "format": "swiss", "rounds": 1, "time_control": "300+3",
	}).Want(t, http.StatusCreated).Text("id")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	return olga, path
}

// Crowd is a tournament of a number of entries with nine rounds played.
func Crowd(entries int) *tournament.Tournament {
	t := &tournament.Tournament{
		ID: "crowd", Name: "Crowd", Variant: "quixo/duel", Format: tournament.Swiss, RoundCount: 9, TimeControl: "300",
		TieBreaks: []string{"WIN", "PS"}, Points: tournament.StandardPoints, Status: tournament.Running, Version: 1,
	}
	for i := range entries {
		t.Entries = append(t.Entries, tournament.Entry{
			ID: fmt.Sprintf("e%d", i+1), Number: i + 1,
			Name: fmt.Sprintf("Player of the name %d", i+1), Status: tournament.Confirmed,
		})
	}
	for r := range 9 {
		round := tournament.Round{Number: r + 1, Status: tournament.Complete}
		for b := range entries / 2 {
			ranks := [][]int{{1, 2}, {2, 1}, {1, 1}}[(b*7+r*3)%3]
			round.Pairings = append(round.Pairings, tournament.Pairing{
				Board: b + 1,
				Seats: []string{t.Entries[2*b].ID, t.Entries[(2*b+1+2*r)%entries].ID}, GameID: fmt.Sprintf("g%d-%d", r, b),
				Result: &tournament.Result{Ranks: ranks, Points: t.Points.ForRanks(ranks), Source: tournament.ByServer},
			})
		}
		t.Rounds = append(t.Rounds, round)
	}
	return t
}

// Cup are settings of a round-robin on the server.
const Cup = `{"name":"Cup","variant":"quixo/duel","format":"round_robin","time_control":"300+3","rated":true,
	"options":{"repetition":"3"},"tie_breaks":["DE","SB","WIN"],"pairing":{"acceleration":"none"}}`

// StartTournament prepares a tournament with these players and starts it; it returns the path and the first round.
func StartTournament(t *testing.T, olga Person, players ...Person) (string, *Answer) {
	t.Helper()
	made := olga.Post("/tournaments", Cup).Want(t, http.StatusCreated)
	path := "/tournaments/" + made.Text("id")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	for _, p := range players {
		p.Post(path+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
	}
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	return path, olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
}
