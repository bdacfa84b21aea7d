package gamejson

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestTextIsWhatEncodingJSONWouldSay writes any texts, numbers and times, and reads them back.
func TestTextIsWhatEncodingJSONWouldSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"", "\"", "\\", "\x00", "\u2028", "<>&", "💥",
			"\xff",
		})).Draw(t, "text")
		number := rapid.Int64Range(-1<<53, 1<<53).Draw(t, "number")
		at := rapid.Int64Range(-70_000_000_000_000, 400_000_000_000_000).Filter(func(ms int64) bool {
			return ms != 0
		}).Draw(t, "at")
		list := rapid.SliceOfN(rapid.IntRange(-9, 9), 0, 5).Draw(t, "list")
		w := &writer{}
		w.member(`{"text":`, text)
		w.optional(`,"maybe":`, text)
		w.number(`,"number":`, number)
		w.flag(`,"flag":`, number > 0)
		numbers(w, `,"list":`, list)
		w.raw(`,"inner":{`)
		w.optionalTime(`"at":`, at)
		w.raw("}}")
		plain := map[string]any{
			"text": text, "number": number, "flag": number > 0, "list": append([]int{}, list...),
			"inner": map[string]any{"at": time.UnixMilli(at).UTC().Format("2006-01-02T15:04:05.000Z")},
		}
		if text != "" {
			plain["maybe"] = text
		}
		want, err := json.Marshal(plain)
		if err != nil {
			t.Fatal(err)
		}
		var got, expected any
		if err := json.Unmarshal(w.b, &got); err != nil {
			t.Fatalf("%v in %s", err, w.b)
		}
		if err := json.Unmarshal(want, &expected); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, expected) {
			t.Fatalf("%s\nwant %s", w.b, want)
		}
	})
}
