package enginetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"quatuor/engine"
)

// pendingLaw: exactly one part of Pending is set, and it is well-formed.
func (g *game) pendingLaw() error {
	p := g.match.Pending()
	if len(p.Awaited) > 0 == p.Over() {
		return fmt.Errorf("awaited %v and outcome %v: want exactly one", p.Awaited, p.Outcome)
	}
	if p.Over() {
		return g.outcomeLaw(*p.Outcome)
	}
	if !slices.IsSorted(p.Awaited) || len(slices.Compact(slices.Clone(p.Awaited))) != len(p.Awaited) {
		return fmt.Errorf("awaited %v: want each seat once, ascending", p.Awaited)
	}
	if first, last := p.Awaited[0], p.Awaited[len(p.Awaited)-1]; first < 1 || int(last) > g.setup.Seats {
		return fmt.Errorf("awaited %v: want seats from 1 to %d", p.Awaited, g.setup.Seats)
	}
	if len(p.Awaited) > 1 && !g.info.SeatPrefix {
		return fmt.Errorf("awaited %v, but records of %s do not name seats", p.Awaited, g.info.ID)
	}
	return nil
}

// outcomeLaw: partners share a rank, and a side's rank is the number of sides before it plus 1.
func (g *game) outcomeLaw(o engine.Outcome) error {
	if o.Void() {
		if o.Reason != engine.ReasonReplay {
			return fmt.Errorf("no ranks for reason %s", o.Reason)
		}
		return nil
	}
	if len(o.Ranks) != g.setup.Seats {
		return fmt.Errorf("outcome %s: want %d ranks", o, g.setup.Seats)
	}
	bySide := map[engine.Side]int{}
	for i, r := range o.Ranks {
		side := g.info.SideOf(engine.Seat(i + 1))
		if known, ok := bySide[side]; ok && known != r {
			return fmt.Errorf("outcome %s: partners have different ranks", o)
		}
		bySide[side] = r
	}
	for _, r := range bySide {
		better := 0
		for _, other := range bySide {
			if other < r {
				better++
			}
		}
		if r != better+1 {
			return fmt.Errorf("outcome %s: rank %d with %d sides before it", o, r, better)
		}
	}
	return nil
}

// legalLaw: moves are sorted, unique, non-empty exactly for awaited seats; each applies and survives its own token.
func (g *game) legalLaw() error {
	state, pending := g.match.State(), g.match.Pending()
	for n := range g.setup.Seats + 2 {
		seat := engine.Seat(n)
		moves := state.Legal(seat)
		if len(moves) > 0 != pending.Awaits(seat) {
			return fmt.Errorf("seat %d has %d legal moves, awaited are %v", seat, len(moves), pending.Awaited)
		}
		for i, mv := range moves {
			if i > 0 && moves[i-1] >= mv {
				return fmt.Errorf("legal moves %s, %s: want ascending and unique", moves[i-1], mv)
			}
			if err := g.moveLaw(seat, mv); err != nil {
				return err
			}
		}
		g.remember(moves)
	}
	return nil
}

func (g *game) moveLaw(seat engine.Seat, mv engine.Move) error {
	e := engine.Event{Kind: engine.Moved, Seat: seat, Text: string(mv)}
	if next, err := g.match.State().Apply(e); err != nil || next == nil {
		return fmt.Errorf("legal move %s: state %v, error %v", e.Token(true), next, err)
	}
	if again, err := engine.ParseToken(g.info, g.setup.Seats, e.Token(true)); err != nil || again != e {
		return fmt.Errorf("token %s reads as %v, %v", e.Token(true), again, err)
	}
	_, err := engine.ParseToken(g.info, g.setup.Seats, string(mv))
	if refused := errors.Is(err, engine.ErrNotation); refused != g.info.SeatPrefix {
		return fmt.Errorf("token %s without its seat: error %v, seat needed %v", mv, err, g.info.SeatPrefix)
	}
	return nil
}

// perftLaw: a state that counts its own move sequences agrees with counting its legal moves. In positions with many
// moves, pairs of them are counted only now and then, and triples never.
func (g *game) perftLaw() error {
	const many = 60
	state := g.match.State()
	fast, ok := state.(engine.Counter)
	if !ok {
		return nil
	}
	rows := engine.Divide(state, 1)
	if got := fast.Perft(1); got != uint64(len(rows)) {
		return fmt.Errorf("counts %d moves, there are %d", got, len(rows))
	}
	if len(rows) > many && g.match.Plies()%16 != 0 {
		return nil
	}
	var two, three uint64
	for _, row := range rows {
		next, err := state.Apply(engine.Event{Kind: engine.Moved, Seat: row.Seat, Text: string(row.Move)})
		if err != nil {
			return err
		}
		for _, seat := range next.Pending().Awaited {
			two += uint64(len(next.Legal(seat)))
		}
		if len(rows) <= many {
			three += engine.Perft(next, 2)
		}
	}
	if got := fast.Perft(2); got != two {
		return fmt.Errorf("counts %d pairs of moves, there are %d", got, two)
	}
	if len(rows) > many {
		return nil
	}
	if got := fast.Perft(3); got != three {
		return fmt.Errorf("counts %d triples of moves, there are %d", got, three)
	}
	return nil
}

// remember keeps some well-formed tokens to try when they are no longer legal.
func (g *game) remember(moves []engine.Move) {
	const room = 12
	for i := 0; i < len(moves); i += 1 + len(moves)/3 {
		if !slices.Contains(g.pool, moves[i]) {
			g.pool = append(g.pool, moves[i])
		}
	}
	if len(g.pool) > room {
		g.pool = g.pool[len(g.pool)-room:]
	}
}

// receiverLaw: no event, good or bad, changes the state it is tried on.
func (g *game) receiverLaw() error {
	state := g.match.State()
	for _, e := range strange(g.setup.Seats) {
		_, _ = state.Apply(e)
	}
	for n := range g.setup.Seats {
		seat := engine.Seat(n + 1)
		for _, mv := range append(slices.Clone(state.Legal(seat)), "nonsense") {
			_, _ = state.Apply(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(mv)})
		}
		_, _ = state.Apply(engine.Event{Kind: engine.Left, Seat: seat, Text: string(engine.ReasonTime)})
	}
	_ = state.Draw(engine.ReasonAgreement)
	return g.same("a move changed the state it was tried on", g.now, g.snapshot(state))
}

// strange returns events that are neither moves nor leavings of a seat for a known reason.
func strange(seats int) []engine.Event {
	beyond := engine.Seat(seats + 1)
	return []engine.Event{
		{},
		{Kind: engine.Agreed},
		{Kind: engine.Agreed + 1, Seat: 1},
		{Kind: engine.Left, Text: "time"},
		{Kind: engine.Left, Seat: -1, Text: "time"},
		{Kind: engine.Left, Seat: beyond, Text: "time"},
		{Kind: engine.Left, Seat: 1},
		{Kind: engine.Left, Seat: 1, Text: "line"},
	}
}

// refusalLaw: nonsense is refused as notation from every seat; then wrong seats are refused, then moves that are
// not legal.
func (g *game) refusalLaw() error {
	state, pending := g.match.State(), g.match.Pending()
	for _, e := range strange(g.setup.Seats) {
		if err := g.refuses(e, engine.ErrNotation); err != nil {
			return err
		}
	}
	for n := range g.setup.Seats {
		seat := engine.Seat(n + 1)
		legal := state.Legal(seat)
		if len(legal) > 0 && g.info.SeatPrefix {
			if err := g.refuses(engine.Event{Kind: engine.Moved, Text: string(legal[0])}, engine.ErrNotation); err != nil {
				return err
			}
		}
		for _, text := range g.nonsense() {
			if err := g.refuses(engine.Event{Kind: engine.Moved, Seat: seat, Text: text}, engine.ErrNotation); err != nil {
				return err
			}
		}
		for _, mv := range g.pool {
			kind := engine.ErrIllegal
			if !pending.Awaits(seat) {
				kind = engine.ErrTurn
			} else if slices.Contains(legal, mv) {
				continue
			}
			if err := g.refuses(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(mv)}, kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuses tests a refusal; in a game that is over the kind must be ErrOver.
func (g *game) refuses(e engine.Event, kind error) error {
	if g.match.Pending().Over() {
		kind = engine.ErrOver
	}
	next, err := g.match.State().Apply(e)
	var refused *engine.MoveError
	if !errors.As(err, &refused) || !errors.Is(err, kind) || refused.Message == "" || next != nil {
		return fmt.Errorf("%+v: state %v, error %v: want a refusal of kind %v", e, next, err, kind)
	}
	return nil
}

// nonsense returns near misses of real tokens, and some texts that are far off.
func (g *game) nonsense() []string {
	list := []string{"", " ", "xyzzy", "!resignation", "1:", "a0-a9", "\x00", "été"}
	for i, mv := range g.pool {
		if i < 3 {
			m := string(mv)
			list = append(list, m+" ", " "+m, m+"x", m[:len(m)-1], strings.ToUpper(m), "1:"+m)
		}
	}
	return list
}

// leavingLaw: a seat leaves once and is then no longer awaited; with two sides its side has lost.
func (g *game) leavingLaw() error {
	for n := range g.setup.Seats {
		e := engine.Event{Kind: engine.Left, Seat: engine.Seat(n + 1), Text: string(engine.ReasonForfeit)}
		next, err := g.match.After(e)
		switch {
		case g.match.Pending().Over():
			if !errors.Is(err, engine.ErrOver) {
				return fmt.Errorf("%s after the end: error %v", e.Token(true), err)
			}
			continue
		case errors.Is(err, engine.ErrIllegal) && g.info.SidesAt(g.setup.Seats) > 2 && g.hasLeft(e.Seat):
			continue
		case err != nil:
			return fmt.Errorf("%s refused: %v", e.Token(true), err)
		}
		if err := g.afterLeaving(next, e); err != nil {
			return fmt.Errorf("after %s: %w", e.Token(true), err)
		}
	}
	return nil
}

// hasLeft reports whether a seat is out: it left, or the rules put it out.
func (g *game) hasLeft(seat engine.Seat) bool {
	leaves := func(e engine.Event) bool { return e.Kind == engine.Left && e.Seat == seat }
	return slices.ContainsFunc(g.match.Events(), leaves) || !g.match.Pending().Awaits(seat)
}

func (g *game) afterLeaving(next *engine.Match, e engine.Event) error {
	p := next.Pending()
	if next.Plies() != g.match.Plies() {
		return fmt.Errorf("a leaving counted as a ply")
	}
	if !p.Over() {
		if g.info.SidesAt(g.setup.Seats) == 2 {
			return fmt.Errorf("the game goes on with one side")
		}
		if p.Awaits(e.Seat) {
			return fmt.Errorf("the seat is still awaited")
		}
		if _, err := next.After(e); !errors.Is(err, engine.ErrIllegal) {
			return fmt.Errorf("leaving again: error %v, want illegal", err)
		}
		return nil
	}
	if p.Outcome.Void() || p.Outcome.Ranks[e.Seat-1] == 1 {
		return fmt.Errorf("the outcome is %s", p.Outcome)
	}
	return nil
}

// drawLaw: a draw ends the game with first places for all that have not lost, and that position can be read again.
func (g *game) drawLaw() error {
	if g.match.Pending().Over() {
		return nil
	}
	drawn := g.match.State().Draw(engine.ReasonAgreement)
	p := drawn.Pending()
	if !p.Over() || p.Outcome.Reason != engine.ReasonAgreement || len(p.Outcome.Ranks) != g.setup.Seats {
		return fmt.Errorf("after a draw: %v", p)
	}
	for i, rank := range p.Outcome.Ranks {
		seat := engine.Seat(i + 1)
		if lost := g.info.SidesAt(g.setup.Seats) > 2 && g.isOut(seat); rank == 1 == lost {
			return fmt.Errorf("after a draw seat %d has rank %d, out: %v", seat, rank, lost)
		}
	}
	if _, err := g.rules.Parse(g.setup, drawn.Position()); err != nil {
		return fmt.Errorf("the position after a draw cannot be read: %w", err)
	}
	return nil
}

// isOut reports whether a seat of a game with more than two sides is out: it cannot leave any more.
func (g *game) isOut(seat engine.Seat) bool {
	_, err := g.match.State().Apply(engine.Event{Kind: engine.Left, Seat: seat, Text: string(engine.ReasonTime)})
	return err != nil
}

// textLaw: a printed position reads as the same state.
func (g *game) textLaw() error {
	again, err := g.rules.Parse(g.setup, g.now.Position)
	if err != nil {
		return fmt.Errorf("position %q cannot be read: %w", g.now.Position, err)
	}
	return g.same("a position read again is another", g.now, g.snapshot(again))
}

// replayLaw: a log replays to the same match.
func (g *game) replayLaw() error {
	m, err := engine.Replay(g.rules, g.setup, g.match.Events())
	if err != nil {
		return fmt.Errorf("the log does not replay: %w", err)
	}
	if m.Turn() != g.match.Turn() || m.Plies() != g.match.Plies() || m.Len() != g.match.Len() {
		return fmt.Errorf("the log replays to turn %d, ply %d", m.Turn(), m.Plies())
	}
	if !reflect.DeepEqual(m.Events(), g.match.Events()) {
		return fmt.Errorf("the log replays to another log, %v", m.Events())
	}
	return g.same("the log replays to another state", g.now, g.snapshot(m.State()))
}

// cursorLaw: a cursor has the legal moves of its state, goes where they lead, and comes back. In states with many moves
// only every tenth is made.
func (g *game) cursorLaw() error {
	const many = 30
	state := g.match.State()
	walkable, ok := state.(engine.Walkable)
	if !ok {
		return nil
	}
	if g.info.Secret {
		return fmt.Errorf("a cursor of %s would show its secrets", g.info.ID)
	}
	c, pending := walkable.Cursor(), state.Pending()
	if err := sameTurn(c, state, g.info); err != nil || pending.Over() {
		return err
	}
	key, steps := c.Key(), c.Steps(nil)
	tokens := make([]engine.Move, len(steps))
	for i, step := range steps {
		tokens[i] = c.Move(step)
	}
	sorted := slices.Sorted(slices.Values(tokens))
	if legal := state.Legal(c.Turn()); !slices.Equal(sorted, legal) {
		return fmt.Errorf("a cursor has the moves %v, legal are %v", sorted, legal)
	}
	for i, step := range steps {
		if len(steps) > many && (i+g.match.Plies())%10 != 0 {
			continue
		}
		c.Make(step)
		next, err := state.Apply(engine.Event{Kind: engine.Moved, Seat: pending.Awaited[0], Text: string(tokens[i])})
		if err != nil {
			return err
		}
		if err := sameTurn(c, next, g.info); err != nil {
			return fmt.Errorf("after %s: %w", tokens[i], err)
		}
		c.Unmake()
		if c.Key() != key {
			return fmt.Errorf("taking back %s leads to another position", tokens[i])
		}
	}
	return nil
}

// sameTurn returns an error if a cursor is not where a state is.
func sameTurn(c engine.Cursor, s engine.State, info engine.Info) error {
	p, ok := s.(engine.Walkable)
	if !ok {
		return errors.New("a state that follows has no cursor")
	}
	turn, winner := engine.Seat(0), engine.Side(0)
	if pending := s.Pending(); !pending.Over() {
		turn = pending.Awaited[0]
	} else if ranks := pending.Outcome.Ranks; !pending.Outcome.Reason.Leaving() {
		first := slices.Index(ranks, 1)
		winner = info.SideOf(engine.Seat(first + 1))
		for i, rank := range ranks {
			if rank == 1 && info.SideOf(engine.Seat(i+1)) != winner {
				winner = 0
				break
			}
		}
	} else {
		winner = c.Winner() // not by the board
	}
	if c.Turn() != turn || c.Winner() != winner {
		return fmt.Errorf("a cursor has seat %d on turn and side %d as winner, want %d and %d", c.Turn(), c.Winner(), turn,
			winner)
	}
	if other := p.Cursor(); turn != 0 && other.Key() != c.Key() {
		return fmt.Errorf("two cursors of one position have the keys %x and %x", c.Key(), other.Key())
	}
	return nil
}
