package record

import (
	"quatuor/engine"
	"quatuor/engine/catalog"
)

// Game is a record to be judged.
type Game struct {
	Variant string            `json:"variant"` // such as "quixo/duel"
	Seats   *int              `json:"seats"`   // may be nil where the variant fixes it
	Seed    string            `json:"seed"`    // 64 hexadecimal digits, for variants with secrets only
	Options map[string]string `json:"options"` // as [engine.NewSetup] takes them
	Moves   []string          `json:"moves"`   // as [engine.ParseToken] reads them
}

// Verdict is the result of judging a record: its end, or the position before the first token refused.
type Verdict struct {
	Position string                        `json:"position"` // empty if the game could not start
	Plies    int                           `json:"plies"`
	Legal    map[engine.Seat][]engine.Move `json:"legal"`   // for every seat awaited; never nil
	Outcome  *Outcome                      `json:"outcome"` // nil while the game goes on
	Error    *Error                        `json:"error"`   // nil if nothing was refused
}

// Outcome is the result of a finished game.
type Outcome struct {
	Ranks  []int         `json:"ranks"` // by seat; nil for a void game
	Reason engine.Reason `json:"reason"`
}

// Error is the refusal of a setup or of a token.
type Error struct {
	Index   int    `json:"index"` // of the token refused, from 0; -1 for the setup
	Kind    string `json:"kind"`  // setup, over, notation, turn or illegal
	Message string `json:"message"`
}

// Judge replays a record.
func Judge(g Game) Verdict {
	m, refused := Play(g)
	if m == nil {
		return Verdict{Legal: map[engine.Seat][]engine.Move{}, Error: refused}
	}
	v := Verdict{Position: m.Position(), Plies: m.Plies(), Legal: map[engine.Seat][]engine.Move{}, Error: refused}
	pending := m.Pending()
	for _, seat := range pending.Awaited {
		v.Legal[seat] = m.State().Legal(seat)
	}
	if pending.Over() {
		v.Outcome = &Outcome{Ranks: pending.Outcome.Ranks, Reason: pending.Outcome.Reason}
	}
	return v
}

// Play returns the match after the moves of a record. Where a token is refused, that is the match before it, with
// the error; where the game cannot start, the match is nil.
func Play(g Game) (*engine.Match, *Error) {
	m, err := g.start()
	if err != nil {
		return nil, &Error{Index: -1, Kind: engine.ErrSetup.Error(), Message: err.Error()}
	}
	for i, token := range g.Moves {
		next, err := m.AfterToken(token)
		if err != nil {
			return m, &Error{Index: i, Kind: engine.KindOf(err), Message: err.Error()}
		}
		m = next
	}
	return m, nil
}

func (g Game) start() (*engine.Match, error) {
	rules, setup, err := g.setup()
	if err != nil {
		return nil, err
	}
	return engine.NewMatch(rules, setup)
}

// setup returns the rules, nil where the variant is unknown, and the setup to start with.
func (g Game) setup() (engine.Rules, engine.Setup, error) {
	rules, err := catalog.Find(g.Variant)
	if err != nil {
		return nil, engine.Setup{}, err
	}
	seats := 0
	if g.Seats != nil {
		if seats = *g.Seats; seats < 1 {
			return rules, engine.Setup{}, engine.Refuse(engine.ErrSetup, "a game has at least one seat, not %d", seats)
		}
	}
	setup, err := engine.NewSetup(rules.Info(), seats, g.Seed, g.Options)
	return rules, setup, err
}
