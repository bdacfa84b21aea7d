package play

import (
	"context"
	"slices"
	"strconv"

	"quatuor/api/pages/board"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/table"
)

// MatchBody returns the page data of a match that is not played at a table, so that no viewer holds its seats. flip is
// the number of times that the board was turned on.
func (p *Pages) MatchBody(
	in *message.Printer, m *engine.Match, seen engine.Projection, flip int,
) (g GameBody, err error) {
	info, setup := m.Rules().Info(), m.Setup()
	g.Variant = info.ID
	g.Flip = flip
	g.Status = table.Running
	g.View = seen.View
	g.Position = seen.Position
	g.Turn = seen.Turn
	g.Plies, g.Sealed = m.Plies(), seen.Pending.Sealed
	g.Options = map[string]string{"repetition": strconv.Itoa(setup.Regulations.Repetition)}
	g.seatMatch(in, info, setup.Seats, seen)
	turn := flip * 4 / Flips(setup.Seats) % 4
	g.draw(seen, board.Picture{ID: "board", Title: in.Variant(info.ID), In: in, Turn: turn})
	g.Notes, err = p.notes(in, &g)
	return g, err
}

// seatMatch enters the seats, which no player holds.
func (g *GameBody) seatMatch(in *message.Printer, info engine.Info, seats int, seen engine.Projection) {
	g.Sides = make([]sideLine, info.SidesAt(seats))
	for seat := 1; seat <= seats; seat++ {
		side := &g.Sides[info.SideOf(engine.Seat(seat))-1]
		side.People = append(side.People, kit.Person{Name: in.Seat(info.ID, seat, seats)})
	}
	if o := seen.Pending.Outcome; o != nil {
		g.Status = table.Finished
		g.judge(o, info)
	}
	for i := range seats {
		g.enter(g.seat(info, engine.Seat(i+1), seats, seen, seen.Pending.Outcome), table.Game{})
	}
}

// Analysable reports whether a viewer may take a game to the analysis board: not while its secrets are kept, nor the
// viewer's own game against the clock, as the rules of play over the board forbid trying moves on another board.
func (p *Pages) Analysable(s *table.Snapshot, v engine.Viewer) bool {
	if s.Match == nil || s.Unrecorded() || !slices.Contains(p.Offered(message.Family(s.Game.Variant)), s.Game.Variant) {
		return false
	}
	if s.Game.Status.Over() {
		return !s.Info().Secret || s.Project(v).Seed != nil
	}
	if s.Info().Secret {
		return false
	}
	return v == (engine.Viewer{}) || unhurried(s.Game.Controls)
}

// unhurried reports whether a game has no clock, or days for a move.
func unhurried(texts []string) bool {
	controls := make([]clock.Control, 0, len(texts))
	for _, text := range texts {
		control, err := clock.Parse(text)
		if err != nil {
			return false
		}
		controls = append(controls, control)
	}
	class := clock.Class(controls...)
	return class == clock.Correspondence || class == clock.Untimed
}

// arenaPart adds a player's options in a game of an arena: take half of the time before the first move, and go back to
// wait for the next game.
func (p *Pages) arenaPart(ctx context.Context, b *playBody, s *table.Snapshot) error {
	place := s.Game.Tournament
	if place == nil || !b.Sits() || s.Past() {
		return nil
	}
	t, err := p.Tournaments.Tournament(ctx, place.ID)
	if err != nil || !t.Format.Continuous() {
		return err
	}
	if s.Game.Status.Over() {
		b.Arena = t.ID
	}
	b.Berserks = t.Rules.Arena.Berserk && s.MayBerserk(b.Own)
	return nil
}
