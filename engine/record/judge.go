package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/sentence"
)

// Game is a record to be judged.
type Game struct {
	Variant string            `json:"variant"` // for example "quixo/duel"
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
type Outcome = engine.Outcome

// Error is the refusal of a setup or of a token.
type Error struct {
	Index   int    `json:"index"` // of the token refused, from 0; -1 for the setup
	Kind    string `json:"kind"`  // setup, over, notation, turn or illegal
	Message string `json:"message"`
}

// Judge replays a record.
func Judge(g Game) Verdict {
	v, _ := JudgeContext(context.Background(), g) // which never ends
	return v
}

// JudgeContext replays a record as long as a context lasts: it looks before every move. The error is the context's.
func JudgeContext(ctx context.Context, g Game) (Verdict, error) {
	m, refused, err := play(ctx, g)
	if err != nil {
		return Verdict{}, err
	}
	return verdict(m, refused), nil
}

func verdict(m *engine.Match, refused *Error) Verdict {
	if m == nil {
		return Verdict{Legal: map[engine.Seat][]engine.Move{}, Error: refused}
	}
	pending := m.Pending()
	v := Verdict{
		Position: m.Position(), Plies: m.Plies(), Legal: map[engine.Seat][]engine.Move{}, Outcome: pending.Outcome,
		Error: refused,
	}
	for _, seat := range pending.Awaited {
		v.Legal[seat] = m.State().Legal(seat)
	}
	return v
}

// Play returns the match after the moves of a record. Where a token is refused, that is the match before it, with
// the error; where the game cannot start, the match is nil.
func Play(g Game) (*engine.Match, *Error) {
	m, refused, _ := play(context.Background(), g)
	return m, refused
}

// play is Play as long as a context lasts.
func play(ctx context.Context, g Game) (*engine.Match, *Error, error) {
	m, err := g.start()
	if err != nil {
		return nil, &Error{Index: -1, Kind: engine.ErrSetup.Error(), Message: err.Error()}, nil
	}
	for i, token := range g.Moves {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		next, err := m.AfterToken(token)
		if err != nil {
			return m, &Error{Index: i, Kind: engine.KindOf(err), Message: err.Error()}, nil
		}
		m = next
	}
	return m, nil, nil
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

// JudgeJSON judges a record in JSON and appends the verdict to out, as a line of JSON with its line feed. The verdict
// on a text that is not a record is an error of kind setup.
func JudgeJSON(out *bytes.Buffer, text []byte) {
	v := Verdict{Legal: map[engine.Seat][]engine.Move{}}
	if g, err := parse(text); err == nil {
		v = Judge(g)
	} else {
		v.Error = &Error{Index: -1, Kind: engine.ErrSetup.Error(), Message: err.Error()}
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic("record: a verdict cannot be encoded: " + err.Error()) // it has only numbers, strings and lists of them
	}
}

// parse reads a record; unknown keys are ignored.
func parse(text []byte) (Game, error) {
	var g Game
	if err := json.Unmarshal(text, &g); err != nil {
		return Game{}, noRecord(err)
	}
	if slices.Contains(g.Moves, "") && hasNullMove(text) {
		return Game{}, sentence.Errorf("no record: a move is null; want a string")
	}
	return g, nil
}

// noRecord translates an error of the JSON decoder into the terms of records.
func noRecord(err error) error {
	wanted := map[string]string{
		"variant": `a string such as "quixo/duel"`, "seats": "a whole number such as 4",
		"seed": "a string of 64 hexadecimal digits", "options": `an object of strings such as {"repetition":"3"}`,
		"moves": `a list of strings such as ["c1-c5"]`,
	}
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) {
		key, _, _ := strings.Cut(mistyped.Field, ".")
		if want, known := wanted[key]; known {
			return sentence.Errorf("no record: there is a JSON %s in %s; want %s", mistyped.Value, key, want)
		}
		err = sentence.Errorf("it is a JSON %s", mistyped.Value)
	}
	return sentence.Errorf(`no record: %w; want a JSON object such as {"variant":"quixo/duel","moves":["c1-c5"]}`, err)
}

// hasNullMove reports whether any move is null: it decodes like an empty string.
func hasNullMove(text []byte) bool {
	var strict struct {
		Moves []*string `json:"moves"`
	}
	return json.Unmarshal(text, &strict) == nil && slices.Contains(strict.Moves, nil)
}
