package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"quatuor/engine"
	"quatuor/engine/sentence"
)

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
