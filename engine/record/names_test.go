package record

import (
	"strings"
	"testing"
)

// TestRewrite replaces what people wrote in a record, and nothing that programs read.
func TestRewrite(t *testing.T) {
	const text = `[Event "Ada"]
[Site "c1-c5"]
[Seat1 "Ada"]
[Seat2 "Bob \"Ada\" B."]
[Annotator "1-0"]
[Variant "Ada"]
[Result "1-0"]

1. c1-c5 {Ada} 2. Ada {[%clk 0:05:00] Ada [%emt Ada]} c1-c5 1-0
`
	const want = `[Event "Ada"]
[Site "c1-c5"]
[Seat1 "X"]
[Seat2 "Bob \"Ada\" B."]
[Annotator "\"X\""]
[Variant "Ada"]
[Result "1-0"]

1. c1-c5 { X } 2. Ada {[%clk 0:05:00] X [%emt Ada]} c1-c5 1-0
`
	got := Rewrite(text, func(text string) string {
		switch text {
		case "Ada":
			return "X"
		case "1-0", "c1-c5":
			return `"X"`
		}
		return text
	})
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if same := Rewrite(text, func(text string) string { return text }); same != text {
		t.Errorf("got\n%s", same)
	}
	if long := strings.Repeat("[", 1<<16); Rewrite(long, strings.ToUpper) != long {
		t.Error("brackets were changed")
	}
}
