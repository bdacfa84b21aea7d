package quivive

import "quatuor/engine"

type phase uint8

const (
	build phase = iota
	pawns
	play
)

var phaseNames = [...]string{build: "build", pawns: "pawns", play: "play"}

func (p phase) String() string { return phaseNames[p] }

// state is a position. The unexported methods change their receiver; Apply, Draw and Decide work on copies.
type state struct {
	board
	rules *rules
	kept  bool // option stuck=kept
	seats int8
	phase phase
	turn  engine.Seat // 0 when the game is over
	gone  engine.Gone // melee only
	end   *engine.Outcome
}

// Pending returns the seat on turn, or how the game ended.
func (s *state) Pending() engine.Pending {
	if s.end != nil {
		return engine.Pending{Outcome: s.end}
	}
	return engine.Await(s.turn)
}

// Draw ends the game as a draw between the seats still in.
func (s *state) Draw(reason engine.Reason) engine.State {
	next := *s
	next.finish(&engine.Outcome{Ranks: s.gone.Ranks(int(s.seats)), Reason: reason})
	return &next
}

// Decide ends the game with an arbiter's ranks.
func (s *state) Decide(ranks []int) engine.State {
	next := *s
	next.finish(&engine.Outcome{Ranks: ranks, Reason: engine.ReasonAdjudication})
	return &next
}

func (s *state) finish(outcome *engine.Outcome) { s.end, s.turn = outcome, 0 }

func (s *state) side(seat engine.Seat) engine.Side { return s.rules.info.SideOf(seat) }

// own returns the pawns that a seat may move.
func (s *state) own(seat engine.Seat) cells { return s.pawns[s.side(seat)-1] }

// following returns the next seat after a seat that is still in.
func (s *state) following(seat engine.Seat) engine.Seat {
	for {
		seat = seat%engine.Seat(s.seats) + 1
		if !s.gone.Has(seat) {
			return seat
		}
	}
}

// built returns the number of podiums placed so far; only in the build phase.
func (s *state) built() int { return s.total() - cellCount }

// open returns the cells that may take the next podium; only in the build phase.
func (s *state) open() cells {
	if s.built() < onOnes {
		return s.low &^ s.high
	}
	return s.high &^ s.low
}

// due returns the number of pawns to place before play begins.
func (s *state) due() int {
	if s.rules.melee() {
		return int(s.seats) - len(s.gone)
	}
	return s.rules.pawns
}

func (s *state) placePodium(c int) {
	s.raise(c)
	s.turn = s.following(s.turn)
	if s.built() == extras {
		s.phase = pawns
		s.turn = s.following(0)
	}
}

func (s *state) placePawn(c int) {
	s.pawns[s.side(s.turn)-1] |= only(c)
	s.turn = s.following(s.turn)
	s.playWhenReady()
}

// playWhenReady begins the play phase once all pawns are placed.
func (s *state) playWhenReady() {
	if s.standing().len() == s.due() {
		s.phase = play
		s.turn = s.following(0)
		s.eliminate()
	}
}

func (s *state) step(from, to, take int) {
	s.pawns[s.side(s.turn)-1] ^= only(from) | only(to)
	s.lower(take)
	s.turn = s.following(s.turn)
	s.eliminate()
}

// eliminate removes the pawns that cannot move when a turn arrives in the play phase, seat after seat, until a
// seat that can move is on turn or the game is over.
func (s *state) eliminate() {
	for s.end == nil {
		own := s.own(s.turn)
		stuck := s.stuck(own)
		if stuck == 0 || s.kept && stuck != own {
			return
		}
		s.pawns[s.side(s.turn)-1] &^= stuck
		if stuck != own {
			return
		}
		s.lose(s.turn, engine.ReasonLast)
		if s.end == nil {
			s.turn = s.following(s.turn)
		}
	}
}

// lose puts a seat, or in duel and teams its side, out of the game, and ends the game where a single side is left.
func (s *state) lose(seat engine.Seat, reason engine.Reason) {
	if !s.rules.melee() {
		s.finish(engine.Won(s.rules.info, int(s.seats), 3-s.side(seat), reason))
		return
	}
	s.gone = s.gone.With(seat)
	if len(s.gone) == int(s.seats)-1 {
		s.finish(&engine.Outcome{Ranks: s.gone.Ranks(int(s.seats)), Reason: reason})
	}
}

// leave takes a seat out of the game for a reason outside the rules of play.
func (s *state) leave(seat engine.Seat, reason engine.Reason) {
	if s.rules.melee() {
		s.pawns[s.side(seat)-1] = 0
	}
	s.lose(seat, reason)
	if s.end != nil || seat != s.turn {
		return
	}
	s.turn = s.following(seat)
	switch s.phase {
	case pawns:
		s.playWhenReady()
	case play:
		s.eliminate()
	}
}
