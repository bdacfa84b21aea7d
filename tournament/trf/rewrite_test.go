package trf

import (
	"strings"
	"testing"
)

// TestRewrite replaces texts in the lines that people write freely, and in no other.
func TestRewrite(t *testing.T) {
	const text = "012 Ada\r\n022 Ada\r\n102 Ada\r\n112 Bob\r\n112 Ada\r\n### Ada\r\n### quatuor undo round 2\r\n001    1 f    Ada\r\nXXR Ada\r\n"
	const want = "012 Ada\r\n022 Ada\r\n102 X\r\n112 Bob\r\n112 X\r\n### X\r\n### quatuor undo round 2\r\n001    1 f    Ada\r\nXXR Ada\r\n"
	replace := func(text string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, "quatuor undo round 2", "X"), "Ada", "X")
	}
	want2 := strings.ReplaceAll(want, "\r\n", "\n")
	if got := string(Rewrite([]byte(text), replace)); strings.ReplaceAll(got, "\r\n", "\n") != want2 {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if got := string(Rewrite([]byte(text), func(text string) string { return text })); got != text {
		t.Errorf("got %q", got)
	}
}
