package players

import (
	"context"
	"slices"

	"quatuor/api/auth"
	"quatuor/api/pages/entries"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/standings"
)

// event is a tournament that a player took part in.
type event struct {
	director.Summary
	Number  int // the pairing number; 0 before the start
	Rank    int // 0 before the first result
	Of      int // entries in the standings
	Points  tournament.Points
	Results record
	Mine    []entries.MyTeam // of the visitor, on the own page
}

// eventKey is the cache key of a player's result in a tournament.
type eventKey struct {
	id      string
	version int64
	player  string
}

// events returns the latest tournaments of a player, the newest first.
func (p *Pages) events(ctx context.Context, player string) ([]event, error) {
	f := director.Filter{Player: player, Status: director.PublicStatuses}
	lines, _, err := p.TournamentList.List(ctx, f, shownEvents, "")
	if err != nil {
		return nil, err
	}
	var list []event
	for _, line := range lines {
		t, err := p.Tournaments.Tournament(ctx, line.ID)
		if err != nil {
			return nil, err
		}
		t = t.Public()
		i := slices.IndexFunc(t.Entries, func(e tournament.Entry) bool { return slices.Contains(e.Members, player) })
		if i < 0 || t.Entries[i].Status == tournament.Withdrawn && t.Entries[i].Number == 0 {
			continue
		}
		e, err := p.eventResults.Load(eventKey{t.ID, t.Version, player}, func() (event, error) {
			return eventOf(t, t.Entries[i])
		})
		if err != nil {
			return nil, err
		}
		e.Summary = line
		if player == auth.From(ctx).PlayerID {
			e.Mine = entries.MyTeams(t, player, p.Now().UnixMilli())
		}
		list = append(list, e)
	}
	return list, nil
}

// eventOf returns the result of an entry in the public view of a tournament.
func eventOf(t *tournament.Tournament, entry tournament.Entry) (event, error) {
	e := event{Number: entry.Number}
	if entry.Number == 0 || t.PublishedRounds() == 0 {
		return e, nil
	}
	table, err := standings.After(t, 0)
	if err != nil {
		return e, err
	}
	e.Of = len(table.Rows)
	for _, row := range table.Rows {
		if row.Entry.ID == entry.ID {
			e.Rank, e.Points = row.Rank, row.Points
		}
	}
	for _, round := range t.Rounds {
		for _, pairing := range round.Pairings {
			if seat := slices.Index(pairing.Seats, entry.ID); seat >= 0 {
				e.Results.addPairing(pairing, seat)
			}
		}
	}
	return e, nil
}

// pairScore returns the score of a seat against another: of a game of two that neither won, its own result.
func pairScore(ranks []int, own, other int) float64 {
	if len(ranks) == 2 {
		return float64(tournament.HalfPoints(ranks[own], ranks[other])) / 2
	}
	return scoreAgainst(ranks[own], ranks[other])
}

// addPairing counts the game of a pairing that was played.
func (r *record) addPairing(p tournament.Pairing, seat int) {
	if p.Bye != tournament.NoBye || p.Result == nil || p.Result.Forfeit || len(p.Result.Ranks) <= seat {
		return
	}
	score, others := 0.0, 0
	for i, rank := range p.Result.Ranks {
		if i != seat && rank > 0 {
			score += pairScore(p.Result.Ranks, seat, i)
			others++
		}
	}
	if others > 0 && p.Result.Ranks[seat] > 0 {
		r.add(score / float64(others))
	}
}
