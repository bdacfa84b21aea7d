package quixo

import (
	"strconv"

	"quatuor/engine"
)

// state is a position, with the outcome if the game has ended there.
type state struct {
	position
	variant *variant
	end     *engine.Outcome
}

// pass is the move of a seat of teams that can take nothing.
const pass = "pass"

// Pending returns the seat on turn, or how the game ended.
func (s *state) Pending() engine.Pending {
	if s.end != nil {
		return engine.Pending{Outcome: s.end}
	}
	return engine.Await(s.turn)
}

// Legal returns the legal moves of the seat on turn.
func (s *state) Legal(seat engine.Seat) []engine.Move {
	if s.end != nil || seat != s.turn {
		return nil
	}
	takeable := s.takeable(s.variant)
	if takeable&s.variant.geo.border == 0 {
		return []engine.Move{pass}
	}
	moves := make([]engine.Move, 0, s.count(s.variant))
	for i := range s.variant.geo.pushes {
		p := &s.variant.geo.pushes[i]
		if p.from&takeable == 0 {
			continue
		}
		if s.variant.teams {
			first := sideOf(seat) + 1
			moves = append(moves, p.to[first], p.to[first+2])
		} else {
			moves = append(moves, p.token)
		}
	}
	return moves
}

// Apply carries out a move, or takes a seat's side out of the game.
func (s *state) Apply(e engine.Event) (engine.State, error) {
	if s.end != nil {
		return nil, engine.Refuse(engine.ErrOver, "the game is over (%s)", s.end.Reason)
	}
	if e.Kind == engine.Moved {
		return s.move(e)
	}
	seat, reason, err := engine.Leaver(e, s.variant.seats())
	if err != nil {
		return nil, err
	}
	return s.won(1-sideOf(seat), reason), nil
}

func (s *state) move(e engine.Event) (engine.State, error) {
	t, err := s.variant.parseToken(e.Text)
	if err != nil {
		return nil, err
	}
	if _, err := engine.Mover(s.Pending(), e); err != nil {
		return nil, err
	}
	if t.pass {
		if s.takeable(s.variant)&s.variant.geo.border != 0 {
			return nil, engine.Refuse(engine.ErrIllegal, "seat %d has a cube to take and may not pass", s.turn)
		}
		next := *s
		next.turn = s.variant.next(s.turn)
		return &next, nil
	}
	p, err := s.judge(t)
	if err != nil {
		return nil, err
	}
	next := &state{position: s.after(s.variant, p, isSecond(t.dot)), variant: s.variant}
	if winner, reason, over := next.lines(s.variant); over {
		return next.won(winner, reason), nil
	}
	return next, nil
}

// judge returns the push of a token, or a refusal with the reason.
func (s *state) judge(t token) (*push, error) {
	geo := s.variant.geo
	from, end := geo.board.Name(t.from), geo.board.Name(t.end)
	if geo.border&(1<<t.from) == 0 {
		return nil, engine.Refuse(engine.ErrIllegal, "%s is not on the border", from)
	}
	i := geo.pushAt[t.from][t.end]
	if i < 0 {
		return nil, engine.Refuse(engine.ErrIllegal, "%s is no other end of the row or column of %s", end, from)
	}
	p := &geo.pushes[i]
	if p.from&s.takeable(s.variant) == 0 {
		if p.from&s.marks[sideOf(s.turn)] != 0 {
			return nil, engine.Refuse(engine.ErrIllegal, "the dot of the cube on %s points to seat %d's partner", from, s.turn)
		}
		return nil, engine.Refuse(engine.ErrIllegal, "the cube on %s bears the other side's mark", from)
	}
	if s.variant.teams && sideOf(t.dot) != sideOf(s.turn) {
		first := sideOf(s.turn) + 1
		return nil, engine.Refuse(engine.ErrIllegal, "the dot must point to seat %d or %d, not to an opponent", first,
			first+2)
	}
	return p, nil
}

// won returns the state after a win for a side.
func (s *state) won(winner int, reason engine.Reason) *state {
	return s.ended(engine.Won(s.variant.info, s.variant.seats(), engine.Side(winner+1), reason))
}

// Draw ends the game as a draw.
func (s *state) Draw(reason engine.Reason) engine.State {
	return s.ended(&engine.Outcome{Ranks: engine.Gone(nil).Ranks(s.variant.seats()), Reason: reason})
}

// Decide ends the game with an arbiter's ranks.
func (s *state) Decide(ranks []int) engine.State {
	return s.ended(&engine.Outcome{Ranks: ranks, Reason: engine.ReasonAdjudication})
}

func (s *state) ended(outcome *engine.Outcome) *state {
	next := *s
	next.turn, next.end = 0, outcome
	return &next
}

// Redact returns the log unchanged: Quixo has no secrets.
func (s *state) Redact(_ engine.Viewer, log []engine.Event) []engine.Event { return log }

// Perft returns the number of sequences of exactly depth moves.
func (s *state) Perft(depth int) uint64 {
	if s.end != nil {
		return 0
	}
	return s.perft(s.variant, depth)
}

// token is a well-formed move.
type token struct {
	pass      bool
	from, end int
	dot       engine.Seat
}

// parseToken reads a move's text: c1-c5 in duel, c1-c5>3 or pass in teams.
func (v *variant) parseToken(text string) (token, error) {
	if v.teams && text == pass {
		return token{pass: true}, nil
	}
	var t token
	squares, form := text, "c1-c5"
	if v.teams {
		form = "c1-c5>3 or pass"
		if len(text) != 7 || text[5] != '>' {
			return t, v.noToken(text, form)
		}
		dot, err := strconv.Atoi(text[6:])
		if err != nil || dot < 1 || dot > v.seats() {
			return t, v.noToken(text, form)
		}
		squares, t.dot = text[:5], engine.Seat(dot)
	}
	if len(squares) != 5 || squares[2] != '-' {
		return t, v.noToken(text, form)
	}
	var fromOK, endOK bool
	t.from, fromOK = v.geo.board.Find(squares[:2])
	t.end, endOK = v.geo.board.Find(squares[3:])
	if !fromOK || !endOK {
		return t, v.noToken(text, form)
	}
	return t, nil
}

func (v *variant) noToken(text, form string) error {
	return engine.Refuse(engine.ErrNotation, "%q is no move of %s; moves look like %s, on squares a1 to e5",
		engine.Clip(text), v.info.ID, form)
}
