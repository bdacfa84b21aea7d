package engine

import (
	"encoding/json"
	"slices"
)

// Match is a game with its log: a state, the events that led to it, and the regulations that need the history. A match
// is immutable; [Match.After] returns the next match and shares the past with it.
type Match struct {
	game  *game
	state State
	past  history
	plies int
	turn  int
}

// game is the part of a match that never changes.
type game struct {
	rules Rules
	info  Info
	setup Setup
}

// NewMatch starts a game.
func NewMatch(rules Rules, setup Setup) (*Match, error) {
	state, err := rules.Start(setup)
	if err != nil {
		return nil, err
	}
	m := &Match{game: &game{rules, rules.Info(), setup}, state: state, turn: 1}
	m.past = begin(m.memorable(state))
	return m, nil
}

// MatchFrom starts a game at a position, as [State.Position] prints it; the moves before it are not known, so that
// repetition and length count from there. A game with secrets refuses: its positions are incomplete. Errors are
// *MoveError of kind ErrNotation.
func MatchFrom(rules Rules, setup Setup, position string) (*Match, error) {
	info := rules.Info()
	if info.Secret {
		return nil, Refuse(ErrNotation, "a game of %s cannot begin at a position; give its seed and its moves", info.ID)
	}
	state, err := rules.Parse(setup, position)
	if err != nil {
		return nil, Refuse(ErrNotation, "%v", err)
	}
	m := &Match{game: &game{rules, info, setup}, state: state, turn: 1}
	m.past = begin(m.memorable(state))
	return m, nil
}

// Replay applies a log to a new game. On an error it also returns the match reached so far.
func Replay(rules Rules, setup Setup, events []Event) (*Match, error) {
	m, err := NewMatch(rules, setup)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		next, err := m.After(e)
		if err != nil {
			return m, err
		}
		m = next
	}
	return m, nil
}

// After returns the match after a further event. Errors are *MoveError; the receiver never changes.
func (m *Match) After(e Event) (*Match, error) {
	before := m.Pending()
	if before.Over() {
		return nil, refuseOver(before)
	}
	state, err := m.judge(e)
	if err != nil {
		return nil, err
	}
	next := *m
	next.state = state
	if e.Kind == Moved {
		if e.Seat == 0 {
			e.Seat = before.Awaited[0]
		}
		next.plies++
	}
	next.past = m.past.with(e, m.memorable(state))
	if e.Kind == Moved {
		next.judgeHistory()
	}
	if !keepsTurn(before, next.Pending(), e.Seat) {
		next.turn++
	}
	return &next, nil
}

// AfterToken returns the match after a further token of a record, as [ParseToken] reads it. Errors are *MoveError.
func (m *Match) AfterToken(text string) (*Match, error) {
	if err := m.refuseIfOver(); err != nil {
		return nil, err
	}
	e, err := ParseToken(m.game.info, m.game.setup.Seats, text)
	if err != nil {
		return nil, err
	}
	return m.After(e)
}

// TakeBack returns the match before ply number first, counted from 1. Only the turn number is new, so that nothing sent
// for an old turn is accepted again. Whatever followed that ply is gone from the log, leavings too. A game with secrets
// refuses: lots drawn since would be drawn again, and secrets seen cannot be unseen. Errors are *MoveError of kind
// ErrOver or ErrIllegal.
func (m *Match) TakeBack(first int) (*Match, error) {
	if err := m.refuseIfOver(); err != nil {
		return nil, err
	}
	info := &m.game.info
	switch {
	case info.Secret:
		return nil, Refuse(ErrIllegal, "a move of %s cannot be taken back: the tiles drawn since would be drawn again, "+
			"and what was seen cannot be unseen", info.ID)
	case first < 1 || first > m.plies:
		return nil, Refuse(ErrIllegal, "there is no move %d to be taken back; %d have been made", first, m.plies)
	}
	events, plies := m.Events(), 0
	kept := slices.IndexFunc(events, func(e Event) bool {
		if e.Kind == Moved {
			plies++
		}
		return plies == first
	})
	before, err := Replay(m.game.rules, m.game.setup, events[:kept])
	if err != nil {
		return nil, err
	}
	before.turn = m.turn + 1
	return before, nil
}

func (m *Match) refuseIfOver() error {
	if p := m.Pending(); p.Over() {
		return refuseOver(p)
	}
	return nil
}

func refuseOver(p Pending) error { return Refuse(ErrOver, "the game is over (%s)", p.Outcome.Reason) }

// judge applies an event to the present state and returns the next state.
func (m *Match) judge(e Event) (State, error) {
	switch e.Kind {
	case Agreed:
		return m.agree()
	case Decided:
		return m.decide(e.Text)
	}
	return m.state.Apply(e)
}

// decide ends the game with the ranks that an arbiter assigns to its seats.
func (m *Match) decide(text string) (State, error) {
	seats := m.game.setup.Seats
	outcome := Outcome{ParseNumbers[int](text, seats), ReasonAdjudication}
	if outcome.Ranks == nil || len(outcome.Ranks) > seats {
		return nil, Refuse(ErrNotation, "%q is not a list of ranks; write one rank from 1 to %d for each of the %d "+
			"seats, with commas between, such as %s", Clip(text), seats, seats, Numbers(slices.Repeat([]int{1}, seats), ","))
	}
	if len(outcome.Ranks) != seats || !outcome.consistent(m.game.info) {
		return nil, Refuse(ErrNotation, "the ranks %s are no result of %s with %d seats: partners share a rank, and a "+
			"rank is one more than the number of sides before it", Clip(text), m.game.info.ID, seats)
	}
	return m.state.Decide(outcome.Ranks), nil
}

func (m *Match) agree() (State, error) {
	if err := m.mayAgree(); err != nil {
		return nil, err
	}
	return m.state.Draw(ReasonAgreement), nil
}

// Drawable reports whether the players may agree on a draw.
func (m *Match) Drawable() bool { return m.mayAgree() == nil && !m.state.Pending().Over() }

func (m *Match) mayAgree() error {
	info := &m.game.info
	switch {
	case info.Secret || info.SidesAt(m.game.setup.Seats) != 2:
		return Refuse(ErrIllegal, "a game of %s cannot be drawn by agreement", info.ID)
	case m.game.setup.Regulations.NoDraws:
		return Refuse(ErrIllegal, "the regulations of this game forbid a draw by agreement")
	}
	return nil
}

// keepsTurn reports whether every seat awaited after an event by seat by was already awaited before it, so that
// the turn is the same.
func keepsTurn(before, after Pending, by Seat) bool {
	if after.Over() {
		return false
	}
	for _, s := range after.Awaited {
		if s == by || !before.Awaits(s) {
			return false
		}
	}
	return true
}

// memorable returns the position text that repetition is counted by, or "" where repetition does not apply.
func (m *Match) memorable(s State) string {
	if !m.game.info.Endless || m.game.setup.Regulations.Repetition == 0 || s.Pending().Over() {
		return ""
	}
	return s.Position()
}

// judgeHistory ends the game as a draw if a position has occurred too often or the game has grown too long.
func (m *Match) judgeHistory() {
	reg := &m.game.setup.Regulations
	if !m.game.info.Endless || m.state.Pending().Over() {
		return
	}
	switch {
	case reg.Repetition > 0 && m.past.occurrences() >= reg.Repetition:
		m.state = m.state.Draw(ReasonRepetition)
	case reg.MaxPlies > 0 && m.plies >= reg.MaxPlies:
		m.state = m.state.Draw(ReasonLength)
	}
}

// Info describes the variant.
func (m *Match) Info() Info { return m.game.info }

// Rules returns the variant's rules.
func (m *Match) Rules() Rules { return m.game.rules }

// Setup returns the setup that the game started with.
func (m *Match) Setup() Setup { return m.game.setup }

// State returns the present state. Where the variant holds secrets, only the server itself may see it.
func (m *Match) State() State { return m.state }

// Position returns the canonical text of the present state. Where the variant holds secrets, only the server
// itself may see it.
func (m *Match) Position() string {
	if known := m.past.last.position; known != "" && !m.Pending().Over() {
		return known
	}
	return m.state.Position()
}

// Pending returns the awaited seats, or how the game ended.
func (m *Match) Pending() Pending { return m.state.Pending() }

// Plies returns the number of moves made.
func (m *Match) Plies() int { return m.plies }

// Turn returns the number of the present turn, from 1. It grows whenever a seat is newly awaited; seats that choose in
// secret at the same time share a turn.
func (m *Match) Turn() int { return m.turn }

// Len returns the number of events.
func (m *Match) Len() int { return m.past.len }

// Events returns the log, oldest first. Where the variant holds secrets, only the server itself may see it.
func (m *Match) Events() []Event { return m.past.events() }

// Projection is the part of a match that a viewer may see.
type Projection struct {
	Variant    string
	Seats      int
	Turn       int
	Plies      int
	Pending    Pending
	Legal      map[Seat][]Move // of the viewer's own awaited seats; nil without any
	View       View
	Events     []Event
	Position   string // empty where it holds secrets
	Commitment string // SHA-256 of the seed; "" without a seed
	Seed       *[32]byte
}

// Project returns v's view of the match. With its parts [Match.Outline] and [Match.AppendView] it is the only way for a
// match to leave the server.
func (m *Match) Project(v Viewer) Projection {
	p := m.Outline(v)
	p.View = m.state.View(v)
	p.Events = m.state.Redact(v, m.Events())
	return p
}

// AppendView appends the view of [Match.Project] as JSON to a buffer.
func (m *Match) AppendView(b []byte, v Viewer) ([]byte, error) {
	if own, ok := m.state.(ViewWriter); ok {
		return own.AppendView(b, v), nil
	}
	text, err := json.Marshal(m.state.View(v))
	return append(b, text...), err
}

// Outline returns [Match.Project] without the view, which [Match.AppendView] writes, and without the events, which the
// caller has already: its cost does not grow with the length of the game.
func (m *Match) Outline(v Viewer) Projection {
	pending := m.Pending()
	p := Projection{
		Variant: m.game.info.ID, Seats: m.game.setup.Seats, Turn: m.turn, Plies: m.plies, Pending: pending,
		Commitment: m.game.setup.Seed.Commitment(),
	}
	for _, s := range pending.Awaited {
		if v.Holds(s) {
			if p.Legal == nil {
				p.Legal = map[Seat][]Move{}
			}
			p.Legal[s] = m.state.Legal(s)
		}
	}
	if !m.game.info.Secret || pending.Over() {
		p.Position = m.Position()
	}
	if pending.Over() && !m.game.setup.Seed.IsZero() {
		seed := m.game.setup.Seed.Reveal()
		p.Seed = &seed
	}
	return p
}
