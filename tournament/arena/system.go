package arena

import (
	"slices"

	"quatuor/tournament"
)

func init() { tournament.Systems[tournament.Arena] = system{} }

// system is an arena in the steps of the core.
type system struct{}

// Begin opens the only round. Players that joined before wait from then on, and so do bots.
func (system) Begin(t *tournament.Tournament, at int64) tournament.Delta {
	t.Rounds = []tournament.Round{{Number: 1, Status: tournament.Published, PublishedAt: at}}
	for i := range t.Entries {
		e := &t.Entries[i]
		if e.Waiting > 0 || e.Bot() > 0 && e.Status != tournament.Withdrawn {
			e.Waiting = at
		}
	}
	return tournament.Delta{Entries: t.Entries, Rounds: t.Rounds}
}

// Over makes the players of a finished game available. Those that forfeited, did not come to a table or made no move
// there stop waiting.
func (system) Over(t *tournament.Tournament, p *tournament.Pairing, at int64, delta *tournament.Delta) {
	game := tournament.ArenaGame{}
	if p.Arena != nil {
		game = *p.Arena
	}
	game.EndedAt = at
	p.Arena = &game
	t.Entries = slices.Clone(t.Entries)
	for seat, id := range p.Seats {
		i := t.EntryIndex(id)
		if i < 0 || t.Entries[i].Waiting == 0 {
			continue
		}
		e := &t.Entries[i]
		e.Waiting = at
		if stayedAway(*p, seat) && e.Bot() == 0 {
			e.Waiting = 0
		}
		delta.Entries = append(delta.Entries, *e)
	}
}

// stayedAway reports whether the player in a seat, from 0, of an arena's game that is over did nothing in it.
func stayedAway(p tournament.Pairing, seat int) bool {
	r := p.Result
	if len(p.Seats) > 2 {
		return r.Ranks != nil && slices.Contains(r.Verdict().Absent(len(p.Seats)), seat+1) ||
			seat < len(p.Arena.Moves) && p.Arena.Moves[seat] == 0
	}
	return r.Forfeit && r.Ranks != nil && r.Ranks[seat] != 1
}

// Cards returns the games of each entry that count. Void games are left out.
func (system) Cards(t *tournament.Tournament) []tournament.Card {
	number := t.Numbers()
	var cards []tournament.Card
	for _, e := range t.Numbered() {
		cards = append(cards, tournament.Card{Entry: e})
	}
	longest := 0
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			for seat, id := range p.Seats {
				if n := number[id]; n > 0 && !p.Result.Void() {
					cards[n-1].Cells = append(cards[n-1].Cells, p.Cell(seat, number))
					longest = max(longest, len(cards[n-1].Cells))
				}
			}
		}
	}
	for i := range cards {
		cards[i].Cells = append(cards[i].Cells, make([]tournament.Cell, longest-len(cards[i].Cells))...)
		cards[i].Before = make([]tournament.Points, longest)
	}
	return cards
}
