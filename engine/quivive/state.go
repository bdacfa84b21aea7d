package quivive

import (
	"slices"

	"quatuor/engine"
)

type phase uint8

const (
	build phase = iota
	pawns
	play
)

var phaseNames = [...]string{build: "build", pawns: "pawns", play: "play"}

func (p phase) String() string { return phaseNames[p] }

// state is one position. The methods that carry something out change their receiver; Apply and Draw work on copies.
type state struct {
	rules *rules
	board
	kept  bool // option stuck=kept
	seats int8
	phase phase
	turn  engine.Seat               // 0 when the game is over
	out   int8                      // how many seats are out (melee)
	gone  [maxSides - 1]engine.Seat // those seats, in the order in which they left
	won   engine.Side               // 0 for a draw, or while the game goes on
	over  engine.Reason             // empty while the game goes on
}

// Pending says whose turn it is, or how the game ended.
func (s *state) Pending() engine.Pending {
	if s.over != "" {
		return engine.Pending{Outcome: s.outcome()}
	}
	return engine.Pending{Awaited: []engine.Seat{s.turn}}
}

// outcome ranks the seats: those that are out by reverse order of leaving, all others by whether their side won.
func (s *state) outcome() *engine.Outcome {
	ranks := make([]int, s.seats)
	for i := range ranks {
		ranks[i] = 1
		if !s.rules.melee() && s.won != 0 && s.side(engine.Seat(i+1)) != s.won {
			ranks[i] = 2
		}
	}
	for i, seat := range s.left() {
		ranks[seat-1] = int(s.seats) - i
	}
	return &engine.Outcome{Ranks: ranks, Reason: s.over}
}

// Draw ends the game as a draw between the seats still in.
func (s *state) Draw(reason engine.Reason) engine.State {
	next := *s
	next.end(0, reason)
	return &next
}

func (s *state) end(won engine.Side, reason engine.Reason) {
	s.won, s.over, s.turn = won, reason, 0
}

func (s *state) side(seat engine.Seat) engine.Side { return s.rules.info.SideOf(seat) }

// own are the pawns that a seat may move.
func (s *state) own(seat engine.Seat) cells { return s.pawns[s.side(seat)-1] }

// left lists the seats that are out, in the order in which they left.
func (s *state) left() []engine.Seat { return s.gone[:s.out] }

func (s *state) isOut(seat engine.Seat) bool { return slices.Contains(s.left(), seat) }

// following gives the next seat after one that is still in.
func (s *state) following(seat engine.Seat) engine.Seat {
	for {
		seat = seat%engine.Seat(s.seats) + 1
		if !s.isOut(seat) {
			return seat
		}
	}
}

// built counts the podiums placed so far; only in the build phase.
func (s *state) built() int { return s.total() - cellCount }

// open are the cells that may take the next podium; only in the build phase.
func (s *state) open() cells {
	if s.built() < onOnes {
		return s.low &^ s.high
	}
	return s.high &^ s.low
}

// due is how many pawns must stand before play begins.
func (s *state) due() int {
	if s.rules.melee() {
		return int(s.seats - s.out)
	}
	return s.rules.pawns
}

func (s *state) placePodium(c cell) {
	s.raise(c)
	s.turn = s.following(s.turn)
	if s.built() == extras {
		s.phase = pawns
		s.turn = s.following(0)
	}
}

func (s *state) placePawn(c cell) {
	s.pawns[s.side(s.turn)-1] |= c.set()
	s.turn = s.following(s.turn)
	s.playWhenReady()
}

// playWhenReady begins the play phase once all pawns stand.
func (s *state) playWhenReady() {
	if s.standing().len() == s.due() {
		s.phase = play
		s.turn = s.following(0)
		s.settle()
	}
}

func (s *state) step(from, to, take cell) {
	s.pawns[s.side(s.turn)-1] ^= from.set() | to.set()
	s.lower(take)
	s.turn = s.following(s.turn)
	s.settle()
}

// settle resolves the eliminations that are due as a turn arrives in the play phase, from seat to seat, until one that
// can move is on turn or the game is over.
func (s *state) settle() {
	for s.over == "" {
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
		if s.over == "" {
			s.turn = s.following(s.turn)
		}
	}
}

// lose puts a seat, or in duel and teams its side, out of the game, and ends the game where one side is left.
func (s *state) lose(seat engine.Seat, reason engine.Reason) {
	if !s.rules.melee() {
		s.end(3-s.side(seat), reason)
		return
	}
	s.gone[s.out] = seat
	s.out++
	if s.out == s.seats-1 {
		s.end(s.side(s.following(seat)), reason)
	}
}

// leave takes a seat out of the game for a reason outside the rules of play.
func (s *state) leave(seat engine.Seat, reason engine.Reason) {
	if s.rules.melee() {
		s.pawns[s.side(seat)-1] = 0
	}
	s.lose(seat, reason)
	if s.over != "" || seat != s.turn {
		return
	}
	s.turn = s.following(seat)
	switch s.phase {
	case pawns:
		s.playWhenReady()
	case play:
		s.settle()
	}
}
