package clip_test

import (
	"testing"
	"unicode/utf16"

	"quatuor/api/internal/clip"
)

func TestText(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"ééé", 3, "ééé"},
		{"éééé", 3, "éé…"},
		{"💥é", 3, "💥é"},
		{"💥éé", 3, "💥…"},
		{"é💥💥", 3, "é…"},
		{"\xff\xff\xff\xff", 3, "\xff\xff…"},
	} {
		got := clip.Text(tt.text, tt.n)
		if got != tt.want || len(utf16.Encode([]rune(got))) > tt.n {
			t.Errorf("Text(%q, %d) is %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}
