package quits

import "quatuor/engine"

// state is a position, with the outcome if the game has ended there.
type state struct {
	position
	variant *variant
	end     *engine.Outcome
}

// pass is the move of a seat that has no other.
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
	var buffer [maxMoves]move
	moves := s.moves(s.variant, buffer[:0])
	tokens := make([]engine.Move, len(moves))
	for i, m := range moves {
		tokens[i] = m.token()
	}
	return tokens
}

// Apply carries out a move, or takes a seat out of the game.
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
	return s.leave(seat, reason)
}

func (s *state) move(e engine.Event) (engine.State, error) {
	t, err := s.parseToken(e.Text)
	if err != nil {
		return nil, err
	}
	if _, err := engine.Mover(s.Pending(), e); err != nil {
		return nil, err
	}
	m, err := s.judge(t)
	if err != nil {
		return nil, err
	}
	next := &state{position: s.after(s.variant, m), variant: s.variant}
	if winner := next.winner(s.variant); winner != 0 {
		return next.won(winner, engine.ReasonOut), nil
	}
	if next.blocked(s.variant) {
		return next.Draw(engine.ReasonBlocked), nil
	}
	return next, nil
}

// judge returns the move of a token, or a refusal with the reason.
func (s *state) judge(t token) (move, error) {
	own, occupied := s.marbles[s.turn-1], s.occupied()
	switch t.kind {
	case pass[0]:
		if moves := s.moves(s.variant, nil); !moves[0].isPass() {
			return move{}, engine.Refuse(engine.ErrIllegal, "seat %d has a move, such as %s, and may not pass", s.turn,
				moves[0].token())
		}
		return passing, nil
	case '>':
		return s.judgeSlide(t, own, occupied)
	}
	from, to := board.Name(t.from), board.Name(t.to)
	switch {
	case own&(1<<t.from) == 0:
		return move{}, engine.Refuse(engine.ErrIllegal, "seat %d has no marble on %s", s.turn, from)
	case s.variant.players[s.turn-1].reach[t.from]&(1<<t.to) == 0:
		return move{}, engine.Refuse(engine.ErrIllegal, "no marble of seat %d steps from %s to %s", s.turn, from, to)
	case occupied&(1<<t.to) != 0:
		return move{}, engine.Refuse(engine.ErrIllegal, "a marble stands on %s already", to)
	}
	return move{none, int8(t.from), int8(t.to)}, nil
}

func (s *state) judgeSlide(t token, own, occupied uint32) (move, error) {
	for _, i := range slidesFrom[t.from] {
		slide := &slides[i]
		if slide.end != t.to {
			continue
		}
		switch {
		case occupied&(1<<t.from) != 0:
			return move{}, engine.Refuse(engine.ErrIllegal, "a marble stands on the tile %s, so it cannot be lifted",
				board.Name(t.from))
		case own&slide.line == 0:
			return move{}, engine.Refuse(engine.ErrIllegal, "seat %d has no marble between %s and %s", s.turn,
				board.Name(t.from), board.Name(t.to))
		case i == s.forbidden:
			return move{}, engine.Refuse(engine.ErrIllegal, "%s would take back the slide just made", slide.token)
		}
		return move{slide: i}, nil
	}
	return move{}, engine.Refuse(engine.ErrIllegal, "%s and %s are not the two ends of a row or column",
		board.Name(t.from), board.Name(t.to))
}

// leave takes a seat out. With two seats the other wins on the board as it is; with four the marbles of the seat leave
// the board and the game goes on until a single seat is left.
func (s *state) leave(seat engine.Seat, reason engine.Reason) (engine.State, error) {
	if s.variant.seats() == 2 {
		return s.won(3-seat, reason), nil
	}
	if s.gone.Has(seat) {
		return nil, engine.Refuse(engine.ErrIllegal, "seat %d is out already", seat)
	}
	next := *s
	next.gone = s.gone.With(seat)
	next.marbles[seat-1] = 0
	next.passes = 0
	if next.in(s.variant) == 1 {
		return next.ended(next.gone.Ranks(s.variant.seats()), reason), nil
	}
	if s.turn == seat {
		next.turn = next.next(s.variant)
	}
	return &next, nil
}

// won returns the state with a win for a seat; all others still in come second.
func (s *state) won(winner engine.Seat, reason engine.Reason) *state {
	return s.ended(s.ranksFor(winner), reason)
}

// ranksFor returns the ranks if a seat wins and the others still in come second.
func (s *state) ranksFor(winner engine.Seat) []int {
	ranks := s.gone.Ranks(s.variant.seats())
	for i := range ranks {
		if seat := engine.Seat(i + 1); seat != winner && !s.gone.Has(seat) {
			ranks[i] = 2
		}
	}
	return ranks
}

func (s *state) ended(ranks []int, reason engine.Reason) *state {
	next := *s
	next.turn = 0
	next.end = &engine.Outcome{Ranks: ranks, Reason: reason}
	return &next
}

// Draw ends the game as a draw between the seats still in.
func (s *state) Draw(reason engine.Reason) engine.State {
	return s.ended(s.gone.Ranks(s.variant.seats()), reason)
}

// Decide ends the game with an arbiter's ranks.
func (s *state) Decide(ranks []int) engine.State { return s.ended(ranks, engine.ReasonAdjudication) }

// Redact returns the log unchanged: Quits has no secrets.
func (s *state) Redact(_ engine.Viewer, log []engine.Event) []engine.Event { return log }

// Perft returns the number of sequences of exactly depth moves.
func (s *state) Perft(depth int) uint64 {
	if s.end != nil {
		return 0
	}
	return s.perft(s.variant, depth)
}

// token is a well-formed move: its kind is the character between the squares, or the first of a pass.
type token struct {
	kind     byte
	from, to int
}

// parseToken reads a move's text: b2-c3, a3>e3 or pass.
func (s *state) parseToken(text string) (token, error) {
	if text == pass {
		return token{kind: pass[0]}, nil
	}
	if len(text) == 5 && (text[2] == '-' || text[2] == '>') {
		from, ok := board.Find(text[:2])
		to, also := board.Find(text[3:])
		if ok && also {
			return token{text[2], from, to}, nil
		}
	}
	return token{}, engine.Refuse(engine.ErrNotation,
		"%q is no move of %s; moves look like b2-c3, a3>e3 or pass, on squares a1 to e5", engine.Clip(text),
		s.variant.info.ID)
}
