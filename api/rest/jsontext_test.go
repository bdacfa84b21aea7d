package rest

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// TestJSONTextIsWhatEncodingJSONWouldSay writes any texts, numbers and times, and reads them back.
func TestJSONTextIsWhatEncodingJSONWouldSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "\"", "\\", "\x00", "\u2028", "<>&", "💥", "\xff"})).Draw(t, "text")
		number := rapid.Int64Range(-1<<53, 1<<53).Draw(t, "number")
		at := rapid.Int64Range(-70_000_000_000_000, 400_000_000_000_000).Filter(func(ms int64) bool { return ms != 0 }).Draw(t, "at")
		list := rapid.SliceOfN(rapid.IntRange(-9, 9), 0, 5).Draw(t, "list")
		j := &jsonText{}
		j.member(`{"text":`, text)
		j.optional(`,"maybe":`, text)
		j.number(`,"number":`, number)
		j.flag(`,"flag":`, number > 0)
		numbers(j, `,"list":`, list)
		j.raw(`,"inner":{`)
		j.optionalTime(`"at":`, at)
		j.raw("}}")
		plain := map[string]any{
			"text": text, "number": number, "flag": number > 0, "list": append([]int{}, list...),
			"inner": map[string]any{"at": moment(at)},
		}
		if text != "" {
			plain["maybe"] = text
		}
		want, err := json.Marshal(plain)
		if err != nil {
			t.Fatal(err)
		}
		var got, expected any
		if err := json.Unmarshal(j.b, &got); err != nil {
			t.Fatalf("%v in %s", err, j.b)
		}
		if err := json.Unmarshal(want, &expected); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, expected) {
			t.Fatalf("%s\nwant %s", j.b, want)
		}
	})
}
