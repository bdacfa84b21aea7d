package entries

import (
	"context"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"
	"quatuor/api/command"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/team"
)

// homeTeams is the number of tournaments that the first page searches for teams waiting for the visitor.
const homeTeams = 20

// beforeStart are the stages of a tournament that let members agree to be in a team.
var beforeStart = []tournament.Status{tournament.Open, tournament.Closed}

// TeamLine is a team that waits for the visitor to agree to be a member.
type TeamLine struct {
	Tournament, Event string // id and name
	Entry, Name       string // id and name
}

// teamsAsking lists the teams of a tournament that wait for a player.
func teamsAsking(t *tournament.Tournament, player string) (list []TeamLine) {
	if player == "" || !slices.Contains(beforeStart, t.Status) {
		return nil
	}
	for _, e := range t.Entries {
		if e.Status != tournament.Withdrawn && slices.Contains(e.Awaiting, player) {
			list = append(list, TeamLine{t.ID, t.Name, e.ID, e.Name})
		}
	}
	return list
}

// Teams lists the teams that wait for a player, in all tournaments that have not started.
func (p *Pages) Teams(ctx context.Context, player string) (list []TeamLine, err error) {
	if player == "" {
		return nil, nil
	}
	page, _, err := p.TournamentList.List(ctx, director.Filter{Status: beforeStart, Player: player}, homeTeams, "")
	if err != nil {
		return nil, err
	}
	for _, line := range page {
		t, err := p.Tournaments.Tournament(ctx, line.ID)
		if err != nil {
			return nil, err
		}
		list = append(list, teamsAsking(t, player)...)
	}
	return list, nil
}

func (p *Pages) agree(c echo.Context) error { return p.answerTeam(c, command.Agree) }

func (p *Pages) refuse(c echo.Context) error { return p.answerTeam(c, command.Decline) }

// answerTeam answers as a member of a team, and redirects to the tournament, which shows the outcome: it may have
// started in the meantime.
func (p *Pages) answerTeam(c echo.Context, answer command.Command[string]) error {
	return selfRun(p, c, answer, command.On{}, c.Param("entry"), "", func(refusal string) (string, bool) {
		return "", refusal == "wrong_state"
	})
}

// MyTeam is a team that the visitor leads or is a member of, and its next duty.
type MyTeam struct {
	Event, Name string
	Path        string // of its page
	Round       int    // that is going on; 0 for none
	Against     string // "" for a bye
	Due         int64  // when the visitor's line-up is due, ms UTC; 0 where none can be filed
}

// TeamPath returns the path of the page of a visitor's team; entry may be "".
func TeamPath(id, entry string) string {
	path := "/tournaments/" + url.PathEscape(id) + "/team"
	if entry != "" {
		path += "?team=" + url.QueryEscape(entry)
	}
	return path
}

// MyTeams returns the teams over several boards of a player in a tournament, at a time in ms UTC. It does not look at
// line-ups, so that the date due does not reveal whether a line-up was filed.
func MyTeams(t *tournament.Tournament, player string, now int64) (list []MyTeam) {
	if t.Teams == nil || player == "" {
		return nil
	}
	for _, e := range t.Entries {
		member := slices.Contains(e.Members, player) && !slices.Contains(e.Awaiting, player)
		if e.Status == tournament.Withdrawn || !member && !e.Leads(player) {
			continue
		}
		line := MyTeam{Event: t.Name, Name: e.Name, Path: TeamPath(t.ID, e.ID)}
		if n := t.PublishedRounds(); n > 0 && t.Status == tournament.Running {
			line.Round = n
			for _, p := range t.Rounds[n-1].Pairings {
				side := slices.Index(p.Seats, e.ID)
				if side < 0 || p.Bye != tournament.NoBye {
					continue
				}
				other, _ := t.Entry(p.Seats[1-side])
				line.Against = other.Name
				if due := team.LineUpsDue(t, n, p); e.Leads(player) && t.Sealed(p) && now < due {
					line.Due = due
				}
			}
		}
		list = append(list, line)
	}
	return list
}
