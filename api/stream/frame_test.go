package stream

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// parsed is an event as a browser hands it on.
type parsed struct{ event, id, data string }

// parse reads a stream by the HTML standard (9.2.6, "Interpreting an event stream"): lines end at CR, LF or CRLF, a
// blank line dispatches what has come, an event without data is dropped.
func parse(stream string) (events []parsed) {
	stream = strings.TrimPrefix(stream, "\ufeff")
	stream = strings.ReplaceAll(strings.ReplaceAll(stream, "\r\n", "\n"), "\r", "\n")
	now, id, hasData := parsed{}, "", false
	for _, line := range strings.SplitAfter(stream, "\n") {
		line, whole := strings.CutSuffix(line, "\n")
		if !whole {
			break // what is not ended is not read
		}
		if line == "" {
			if hasData {
				now.data, now.id = strings.TrimSuffix(now.data, "\n"), id
				events = append(events, now)
			}
			now, hasData = parsed{}, false
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			now.event = value
		case "data":
			now.data, hasData = now.data+value+"\n", true
		case "id":
			id = value
		}
	}
	return events
}

// asSeen is a text with the line breaks that a stream can carry.
func asSeen(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

func TestAnyDataIsOneEvent(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, text string) {
		var out bytes.Buffer
		writeFrame(&out, eventMove, "7", []byte(text))
		writeFrame(&out, eventOver, "8", []byte("end"))
		got := parse(out.String())
		if want := (parsed{eventMove, "7", asSeen(text)}); len(got) != 2 || got[0] != want ||
			got[1] != (parsed{eventOver, "8", "end"}) {
			t.Fatalf("%q is read as %q", text, got)
		}
	}
	for _, text := range []string{
		"a", "a\rb", "a\nb", "a\r\nb", "a\r\r\nb", "a\n\rb", "\ra", "a\r", "a\n", "a\r\n", "a\n\n", "\n", "\r", "a\n\nb",
		"Ada\revent: over\rdata: forged\r\r", "Ada\n\nevent: over\nid: 99\ndata: forged\n\n", ": no comment", "data: x", " a",
		"\x00",
	} {
		check(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{"\r", "\n", "\r\n", "event: over", "data: x", "id: 9", "retry: 1", ":", " ", "ä", "<p>"}
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.String()), 1, 20).Draw(t, "pieces"),
			"")
		if text != "" {
			check(t, text)
		}
	})
}

func TestAnEventsNameIsAWord(t *testing.T) {
	for _, name := range []string{"move\ndata: x", "move\r"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is written as a name", name)
				}
			}()
			EventStream.write(&bytes.Buffer{}, name, "1", []byte("x"))
		}()
	}
}
