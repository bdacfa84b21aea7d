package exact

import (
	"encoding/json"
	"testing"
)

func TestSumString(t *testing.T) {
	for _, tt := range []struct {
		a, b int64
		want string
	}{
		{0, 1, "0"},
		{100, 1, "100"},
		{35, 2, "17.5"},
		{37, 3, "12.33"},
		{20, 3, "6.67"},
		{1, 200, "0.01"},
		{1, 201, "0"},
		{129, 4, "32.25"},
		{-1, 200, "0"},
		{-1, 2, "-0.5"},
		{-5, 3, "-1.67"},
		{-3, 200, "-0.01"},
	} {
		if got := Ratio(tt.a, tt.b).String(); got != tt.want {
			t.Errorf("%d/%d is written %s, want %s", tt.a, tt.b, got, tt.want)
		}
	}
	if got := (Sum{}).Add(Ratio(1, 3)).Times(Ratio(3, 1)).Over(Ratio(2, 1)); got.Cmp(Ratio(1, 2)) != 0 {
		t.Errorf("(0 + 1/3) × 3 ÷ 2 = %v", got)
	}
	if got := Ratio(-7, 10).Floor(2); got.Cmp(Ratio(-1, 1)) != 0 {
		t.Errorf("-0.7 rounded down to halves is %v", got)
	}
}

func TestDecimalJSON(t *testing.T) {
	for text, want := range map[string]string{
		`1`: `"1"`, `"1.5"`: `"1.5"`, `0.000001`: `"0.000001"`, `"-2.50"`: `"-2.5"`, `100`: `"100"`, `null`: `"7"`,
		`1e5`: "", `"x"`: "", `""`: "", `1234567890`: "", `"0.1234567"`: "", `[]`: "", `" 1"`: "", `"1e999999999"`: "",
	} {
		d := Whole(7)
		err := json.Unmarshal([]byte(text), &d)
		if (err != nil) != (want == "") {
			t.Errorf("%s: %v", text, err)
		}
		if out, _ := json.Marshal(d); err == nil && string(out) != want {
			t.Errorf("%s becomes %s, want %s", text, out, want)
		}
	}
}
