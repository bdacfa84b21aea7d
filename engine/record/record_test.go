package record_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"quatuor/engine/record"
)

// judge returns the verdict on a record in JSON, and its text.
func judge(t *testing.T, text string) (record.Verdict, string) {
	t.Helper()
	var out bytes.Buffer
	record.JudgeJSON(&out, []byte(text))
	var v record.Verdict
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatalf("%s: %v", out.String(), err)
	}
	return v, out.String()
}

func TestSetupsThatAreRefused(t *testing.T) {
	const seats, options, moves = "seats; want a whole number", "options; want an object of strings",
		"moves; want a list of strings"
	const zeros = "0000000000000000000000000000000000000000000000000000000000000000"
	for text, reason := range map[string]string{
		``:                                     "no record",
		`{`:                                    "no record",
		`[]`:                                   "it is a JSON array; want a JSON object",
		`"quixo/duel"`:                         "no record",
		`{"variant":"quixo/duel"} {}`:          "no record",
		`{"variant":7}`:                        "a JSON number in variant; want a string",
		`{"variant":"quixo/duel","moves":{}}`:  "a JSON object in " + moves,
		`{"variant":"quixo/duel","moves":[1]}`: "a JSON number in " + moves,
		`{"variant":"quixo/duel","moves":[null]}`:                               "a move is null",
		`{"variant":"quixo/duel","moves":"c1-c5"}`:                              "a JSON string in " + moves,
		`{"variant":"quixo/duel","seats":"2"}`:                                  "a JSON string in " + seats,
		`{"variant":"quixo/duel","seats":2.5}`:                                  "a JSON number 2.5 in " + seats,
		`{"variant":"quixo/duel","options":{"repetition":3}}`:                   "a JSON number in " + options,
		`{"variant":"quixo/duel","options":[]}`:                                 "a JSON array in " + options,
		`null`:                                                                  "unknown variant",
		`{}`:                                                                    "unknown variant",
		`{"variant":"quixo"}`:                                                   "unknown variant",
		`{"variant":"quixo/duel","seats":0}`:                                    "at least one seat",
		`{"variant":"quixo/duel","seats":4}`:                                    "played with 2 seats",
		`{"variant":"quivive/melee"}`:                                           "played with 3, 4, 5 seats",
		`{"variant":"quixo/duel","options":{"steps":"diagonal"}}`:               "no option",
		`{"variant":"quits/duel","options":{"stuck":"kept"}}`:                   "no option",
		`{"variant":"quivive/melee","seats":3,"options":{"stuck":"kept"}}`:      "no option",
		`{"variant":"quits/duel","options":{"steps":"sideways"}}`:               "one of diagonal, forward",
		`{"variant":"quixo/duel","options":{"repetition":"-1"}}`:                "whole number",
		`{"variant":"quixo/duel","seed":"` + zeros + `"}`:                       "takes no seed",
		`{"variant":"quiwin/duel"}`:                                             "needs a seed",
		`{"variant":"quiwin/duel","seed":"` + zeros[1:] + `"}`:                  "needs a seed",
		`{"variant":"quiwin/duel","seed":"x` + zeros[1:] + `","moves":["1:a"]}`: "needs a seed",
	} {
		v, out := judge(t, text)
		if v.Error == nil || v.Error.Kind != "setup" || v.Error.Index != -1 || !strings.Contains(v.Error.Message, reason) {
			t.Errorf("%s: %s, want a refusal of the setup with %q", text, out, reason)
			continue
		}
		if v.Position != "" || v.Plies != 0 || len(v.Legal) != 0 || v.Outcome != nil || !strings.Contains(out, `"legal":{}`) {
			t.Errorf("%s: %s, want nothing beside the error", text, out)
		}
	}
}

func TestRecordsThatAreTaken(t *testing.T) {
	for text, want := range map[string]string{
		`{"variant":"quixo/duel"}`:                                          "...../...../...../...../..... 1",
		`{"variant":"quixo/duel","moves":null,"options":null}`:              "...../...../...../...../..... 1",
		`{"variant":"quixo/duel","seats":null,"seed":""}`:                   "...../...../...../...../..... 1",
		`{"variant":"quixo/duel","seats":2,"moves":["c1-c5"]}` + "\n":       "..x../...../...../...../..... 2",
		`{"moves":["c1-c5"],"comment":{"a":[1,{}]},"variant":"quixo/duel"}`: "..x../...../...../...../..... 2",
	} {
		if v, out := judge(t, text); v.Position != want || v.Error != nil || len(v.Legal) != 1 {
			t.Errorf("%s: %s, want position %s", text, out, want)
		}
	}
}

// voidGame is a game of Qui'win without a winner.
const voidGame = `{"variant":"quiwin/duel","seed":"d9e6ed52f08ad9b50272ccca6e5546cd576c5e19b09acce6b266693e7f0c2b28","moves":[` +
	`"2:b24","1:o25","2:change","1:transfer","2:give-1","2:y23","1:g22","2:r23","1:o23","1:r24","2:r24","2:o23","1:y23",` +
	`"2:o23","1:y23","2:r25","1:o25","2:g22","1:b24"]}`

func TestVerdictsHaveEveryKey(t *testing.T) {
	tests := []struct{ text, want string }{
		{
			`{"variant":"quixo/duel","moves":["1:!time"]}`,
			`{"position":"...../...../...../...../..... =2,1:time","plies":0,"legal":{},` +
				`"outcome":{"ranks":[2,1],"reason":"time"},"error":null}` + "\n",
		},
		{
			`{"variant":"quixo/duel","moves":["c1-c5","2:!time","c1-c5"]}`,
			`{"position":"..x../...../...../...../..... =1,2:time","plies":1,"legal":{},` +
				`"outcome":{"ranks":[1,2],"reason":"time"},` +
				`"error":{"index":2,"kind":"over","message":"the game is over (time)"}}` + "\n",
		},
		{
			voidGame,
			`{"position":"rows g22,g22,o23,r24,y23,y23,o25,b24/o23,y23,r23,r24,o23,o23,r25,g22 =:replay hands -/- chosen -,- ` +
				`bag r23,b24,y23,g22,b24,o25,o25,g22,b24,y23,y23,b24 out o25@1.1,b24@2.1 change 2 transfer 1@1>1 ` +
				`measured 3 lead 0 words 29","plies":19,"legal":{},` +
				`"outcome":{"ranks":null,"reason":"replay"},"error":null}` + "\n",
		},
	}
	for _, tt := range tests {
		if _, out := judge(t, tt.text); out != tt.want {
			t.Errorf("%s: %s, want %s", tt.text, out, tt.want)
		}
	}
}

// FuzzJudgeJSON: any text leads to a line of JSON with the five keys, and a refused token comes from the record.
func FuzzJudgeJSON(f *testing.F) {
	f.Add(`{"variant":"quixo/duel","moves":["c1-c5","a1-e1"]}`)
	f.Add(`{"variant":"quits/four","options":{"steps":"forward"},"moves":["a2-b3","2:!time"]}`)
	f.Add(`{"variant":"quivive/melee","seats":3,"moves":["+d4","!agreement"]}`)
	f.Add(`{"variant":"quiwin/duel","seed":"","moves":[null]}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, out := judge(t, text)
		if strings.Count(out, "\n") != 1 || !strings.HasSuffix(out, "\n") {
			t.Errorf("%q: %q: want one line", text, out)
		}
		var keys map[string]json.RawMessage
		if err := json.Unmarshal([]byte(out), &keys); err != nil || len(keys) != 5 {
			t.Errorf("%q: %q: error %v, %d keys", text, out, err, len(keys))
		}
		if v.Error != nil && (v.Error.Index == -1) != (v.Position == "") {
			t.Errorf("%q: %q: the setup is refused and there is a position, or neither", text, out)
		}
		if (v.Error == nil || v.Error.Index >= 0) && (v.Outcome == nil) == (len(v.Legal) == 0) {
			t.Errorf("%q: %q: want either an outcome or legal moves", text, out)
		}
	})
}
