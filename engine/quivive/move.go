package quivive

import (
	"quatuor/engine"
	"quatuor/engine/sentence"
)

// move is a parsed token. Podiums and pawns are placed on to.
type move struct {
	phase          phase // the phase it belongs to
	from, to, take int
}

// Legal returns the moves of the seat on turn; nil for every other seat.
func (s *state) Legal(seat engine.Seat) []engine.Move {
	if s.end != nil || seat != s.turn {
		return nil
	}
	switch s.phase {
	case build:
		return placements('+', s.open())
	case pawns:
		return placements('@', everywhere&^s.standing())
	}
	own, free := s.own(seat), s.free()
	list := make([]byte, 0, len("d4-e5xc3")*s.steps(own)*free.len())
	for ; own != 0; own &= own - 1 {
		from := own.first()
		for targets := near[from] & free; targets != 0; targets &= targets - 1 {
			to := targets.first()
			for stacks := free&^only(to) | only(from); stacks != 0; stacks &= stacks - 1 {
				list = append(append(append(list, shape.Name(from)...), '-'), shape.Name(to)...)
				list = append(append(list, 'x'), shape.Name(stacks.first())...)
			}
		}
	}
	return sliced(string(list), len("d4-e5xc3"))
}

func placements(sign byte, where cells) []engine.Move {
	list := make([]byte, 0, len("+d4")*where.len())
	for ; where != 0; where &= where - 1 {
		list = append(append(list, sign), shape.Name(where.first())...)
	}
	return sliced(string(list), len("+d4"))
}

// sliced returns moves of the same length as slices of a single string, which saves an allocation for each.
func sliced(text string, length int) []engine.Move {
	moves := make([]engine.Move, 0, len(text)/length)
	for ; text != ""; text = text[length:] {
		moves = append(moves, engine.Move(text[:length]))
	}
	return moves
}

// Apply carries out a move or a leaving.
func (s *state) Apply(e engine.Event) (engine.State, error) {
	if s.end != nil {
		return nil, engine.Refuse(engine.ErrOver, "the game is over (%s)", s.end.Reason)
	}
	next, carryOut := *s, (*state).takeLeave
	if e.Kind == engine.Moved {
		carryOut = (*state).move
	}
	if err := carryOut(&next, e); err != nil {
		return nil, err
	}
	return &next, nil
}

func (s *state) takeLeave(e engine.Event) error {
	seat, reason, err := engine.Leaver(e, int(s.seats))
	if err != nil {
		return err
	}
	if s.gone.Has(seat) {
		return engine.Refuse(engine.ErrIllegal, "seat %d is out already", seat)
	}
	s.leave(seat, reason)
	return nil
}

func (s *state) move(e engine.Event) error {
	m, err := parseMove(e.Text)
	if err != nil {
		return err
	}
	seat, err := engine.Mover(s.Pending(), e)
	if err != nil {
		return err
	}
	if err := s.judge(m, seat); err != nil {
		return err
	}
	switch m.phase {
	case build:
		s.placePodium(m.to)
	case pawns:
		s.placePawn(m.to)
	case play:
		s.step(m.from, m.to, m.take)
	}
	return nil
}

func parseMove(text string) (move, error) {
	var m move
	var squares []string
	switch {
	case len(text) == 3 && text[0] == '+':
		m.phase, squares = build, []string{text[1:]}
	case len(text) == 3 && text[0] == '@':
		m.phase, squares = pawns, []string{text[1:]}
	case len(text) == 8 && text[2] == '-' && text[5] == 'x':
		m.phase, squares = play, []string{text[3:5], text[:2], text[6:]}
	default:
		return m, engine.Refuse(engine.ErrNotation, "%q is no move; moves look like +d4, @d4 or d4-e5xc3", engine.Clip(text))
	}
	for i, into := range []*int{&m.to, &m.from, &m.take}[:len(squares)] {
		c, ok := shape.Find(squares[i])
		if !ok {
			return m, engine.Refuse(engine.ErrNotation,
				"the board has no square %q; it is a1 to g7 without three squares at each corner", squares[i])
		}
		*into = c
	}
	return m, nil
}

// judge returns nil if a move is legal for the seat on turn, and otherwise a refusal with the reason.
func (s *state) judge(m move, seat engine.Seat) error {
	if m.phase != s.phase {
		wanted := [...]sentence.Sentence{
			build: sentence.New("a podium is placed, as in +d4"), pawns: sentence.New("a pawn is placed, as in @d4"),
			play: sentence.New("a pawn steps and a podium goes, as in d4-e5xc3"),
		}
		return engine.Refuse(engine.ErrIllegal, "not in this phase of the game: now %s", wanted[s.phase])
	}
	switch m.phase {
	case build:
		return s.judgePodium(m.to)
	case pawns:
		if s.standing().has(m.to) {
			return engine.Refuse(engine.ErrIllegal, "a pawn stands on %s already", shape.Name(m.to))
		}
		return nil
	}
	return s.judgeStep(m, s.own(seat))
}

func (s *state) judgePodium(to int) error {
	if s.open().has(to) {
		return nil
	}
	wanted := 1
	if s.built() >= onOnes {
		wanted = 2
	}
	return engine.Refuse(engine.ErrIllegal, "%s has height %d; the next podium goes on a cell of height %d",
		shape.Name(to), s.height(to), wanted)
}

func (s *state) judgeStep(m move, own cells) error {
	from, to, take := shape.Name(m.from), shape.Name(m.to), shape.Name(m.take)
	standing := s.standing()
	switch {
	case !own.has(m.from):
		return engine.Refuse(engine.ErrIllegal, "no pawn of yours stands on %s", from)
	case !near[m.from].has(m.to):
		return engine.Refuse(engine.ErrIllegal, "%s is no neighbour of %s", to, from)
	case standing.has(m.to):
		return engine.Refuse(engine.ErrIllegal, "a pawn stands on %s already", to)
	case !s.podiums().has(m.to):
		return engine.Refuse(engine.ErrIllegal, "%s has no podium to step on", to)
	case m.take == m.to:
		return engine.Refuse(engine.ErrIllegal, "your pawn comes to stand on %s; the podium must come from another stack",
			take)
	case m.take != m.from && standing.has(m.take):
		return engine.Refuse(engine.ErrIllegal, "a pawn stands on %s; the podium must come from a stack without one", take)
	case !s.podiums().has(m.take):
		return engine.Refuse(engine.ErrIllegal, "%s has no podium to remove", take)
	}
	return nil
}
