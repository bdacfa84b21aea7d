package entries

import (
	"context"
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/tournament"
	"quatuor/tournament/director"
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
