package table

import (
	"errors"
	"fmt"
	"slices"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
)

// errBroken means that a stored game cannot be continued.
var errBroken = errors.New("what is stored of the game cannot be carried out again")

// fold returns a snapshot of a game's row and its log. Its errors wrap errBroken.
func fold(game Game, lines []Line) (*Snapshot, error) {
	s, err := replay(game, lines)
	if err != nil {
		return nil, sentence.Errorf("%w: %w", errBroken, err)
	}
	return s, nil
}

// extended returns a snapshot of a game's row with the log of s and then these lines. Its errors wrap errBroken.
func (s *Snapshot) extended(game Game, lines []Line) (*Snapshot, error) {
	log := s.Lines
	log = append(log, lines...) // as in draft.note, snapshots of a game are made in turn
	if s.Match == nil {
		return fold(game, log)
	}
	match, err := continued(s.Match, lines)
	if err != nil {
		return nil, sentence.Errorf("%w: %w", errBroken, fmt.Errorf("game %s: the log does not replay: %w", game.ID, err))
	}
	return &Snapshot{Game: game, Match: match, Lines: log, Margin: s.Margin}, nil
}

func replay(game Game, lines []Line) (*Snapshot, error) {
	rules, err := catalog.Find(game.Variant)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", game.ID, err)
	}
	seed, dealt, err := game.seed(lines)
	if err != nil {
		return nil, fmt.Errorf("game %s: its seed: %w", game.ID, err)
	}
	if !dealt {
		return &Snapshot{Game: game, Lines: lines, Margin: &Margin{}}, nil
	}
	setup, err := engine.NewSetup(rules.Info(), game.Seats, seed, game.Options)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", game.ID, err)
	}
	match, err := matchOf(rules, setup, lines)
	if err != nil {
		return nil, fmt.Errorf("game %s: the log does not replay: %w", game.ID, err)
	}
	return &Snapshot{Game: game, Match: match, Lines: lines, Margin: &Margin{}}, nil
}

// Project returns a viewer's projection of the position and its moves, without the events, which are in the Log. An
// aborted game reveals no more than before and awaits no seat; the view of a game that has not been dealt is an empty
// struct.
func (s *Snapshot) Project(v engine.Viewer) engine.Projection {
	p := s.Outline(v)
	p.View = struct{}{}
	if s.Match != nil && !s.Unrecorded() {
		p.View = s.Match.State().View(v)
	}
	return p
}

// AppendView appends the view of [Snapshot.Project] as JSON to a buffer.
func (s *Snapshot) AppendView(b []byte, v engine.Viewer) ([]byte, error) {
	if s.Match == nil || s.Unrecorded() {
		return append(b, "{}"...), nil
	}
	return s.Match.AppendView(b, v)
}

// Outline is [Snapshot.Project] without the view; see [Snapshot.AppendView].
func (s *Snapshot) Outline(v engine.Viewer) engine.Projection {
	if s.Match == nil {
		return engine.Projection{Variant: s.Game.Variant, Seats: s.Game.Seats, Legal: map[engine.Seat][]engine.Move{}}
	}
	p := s.Match.Outline(v)
	if s.Unrecorded() {
		p.Position = ""
		p.Seed = nil
		p.Commitment = ""
	}
	if s.Game.Status == Aborted || s.Game.Status == Waiting {
		p.Pending.Awaited, p.Legal = nil, nil
	}
	return p
}

// Unrecorded reports whether the game was played in the hall without a record of its moves: then the server does not
// know any position of it.
func (s *Snapshot) Unrecorded() bool { return s.Game.Hall && s.Game.Plies == 0 }

// Open reports whether the game has no secrets, so that its log is the same for all viewers.
func (s *Snapshot) Open() bool { return !s.Info().Secret }

// Log returns all lines with the texts that a viewer may see. They are shared: do not change them.
func (s *Snapshot) Log(v engine.Viewer) []Line {
	if s.Open() {
		return slices.Clip(s.Lines)
	}
	lines := slices.Clone(s.Lines)
	if s.Match == nil {
		for i, l := range lines {
			if l.Kind == LineNonce && !v.Holds(engine.Seat(l.Seat)) {
				lines[i].Text = ""
			}
		}
		return lines
	}
	shown := s.Match.State().Redact(v, s.Match.Events())
	next := 0
	for i := range lines {
		if _, ok := lines[i].event(); !ok {
			continue
		}
		if lines[i].Kind == LineMove {
			lines[i].Text = shown[next].Text
		}
		next++
	}
	return lines
}

// Clocks returns the reading of every seat's clock at a time in ms UTC; in a delayed view, the delayed reading.
func (s *Snapshot) Clocks(at int64) []clock.Reading {
	readings := make([]clock.Reading, s.Game.Seats)
	for i := range readings {
		readings[i] = s.Clock(int8(i+1), at)
	}
	return readings
}

// Clock is [Snapshot.Clocks] for a single seat.
func (s *Snapshot) Clock(seat int8, at int64) clock.Reading {
	if s.Game.Hall {
		return clock.Reading{None: true} // its clock was beside the board
	}
	if s.behind != nil {
		at = s.behind.At
	}
	r := s.Game.Clock.Seat(seat, max(at, s.Game.Clock.LastAt()))
	if s.behind != nil {
		r.Deadline += s.behind.Shift
		r.HasDeadline = r.HasDeadline && s.behind.Shift >= 0
	}
	return r
}

// SeatsOf returns the seats of a player.
func (s *Snapshot) SeatsOf(player string) []engine.Seat {
	var seats []engine.Seat
	for i, p := range s.Game.Players {
		if p != "" && p == player {
			seats = append(seats, engine.Seat(i+1))
		}
	}
	return seats
}

// Viewer returns the viewer of a player's seats; a player without seats is a spectator.
func (s *Snapshot) Viewer(player string) engine.Viewer {
	return engine.ViewerOf(s.SeatsOf(player)...)
}

// Info returns the variant's description.
func (s *Snapshot) Info() engine.Info {
	if s.Match != nil {
		return s.Match.Info()
	}
	rules, err := catalog.Find(s.Game.Variant)
	if err != nil {
		panic("table: " + err.Error()) // no snapshot is made of a variant that is not there
	}
	return rules.Info()
}

// sideOf returns the side of a seat.
func (s *Snapshot) sideOf(seat int8) engine.Side { return s.Info().SideOf(engine.Seat(seat)) }
