package stream

import (
	"bytes"
	"mime"
	"net/http"
	"strings"
	"time"
)

// Format is the encoding of a stream's events.
type Format uint8

// The formats of streams.
const (
	EventStream Format = iota // server-sent events
	JSONLines                 // a JSON object a line: {"event":…,"id":…,"data":…}
)

const (
	eventStreamType = "text/event-stream"
	jsonLinesType   = "application/x-ndjson"
)

// FormatOf returns the format that a request accepts: JSON lines where its Accept names them, else server-sent events.
func FormatOf(r *http.Request) Format {
	for kind := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		if name, _, err := mime.ParseMediaType(kind); err == nil && name == jsonLinesType {
			return JSONLines
		}
	}
	return EventStream
}

// mediaType returns the Content-Type of a stream.
func (f Format) mediaType() string {
	if f == JSONLines {
		return jsonLinesType
	}
	return eventStreamType
}

// opening returns the beginning of a stream: for browsers, the delay before they reconnect.
func (f Format) opening() []byte {
	if f == JSONLines {
		return nil
	}
	return []byte(retry)
}

// write writes an event; an empty id is left out. The name is a word of this program, and panics if it is not; in JSON
// lines the data is JSON, and the id needs no quoting.
func (f Format) write(out *bytes.Buffer, event, id string, data []byte) {
	if strings.ContainsAny(event+id, "\r\n\"") {
		panic("stream: an event's name is a word")
	}
	if f == EventStream {
		writeFrame(out, event, id, data)
		return
	}
	out.WriteString(`{"event":"`)
	out.WriteString(event)
	if id != "" {
		out.WriteString(`","id":"`)
		out.WriteString(id)
	}
	out.WriteString(`","data":`)
	out.Write(data)
	out.WriteString("}\n")
}

// writeFrame writes a server-sent event. A reader ends lines at CR, LF and CRLF alike, so data is cut at each of them
// and comes out with line feeds.
func writeFrame(out *bytes.Buffer, event, id string, data []byte) {
	out.WriteString("event: ")
	out.WriteString(event)
	out.WriteByte('\n')
	if id != "" {
		out.WriteString("id: ")
		out.WriteString(id)
		out.WriteByte('\n')
	}
	for more := len(data) > 0; more; {
		var line []byte
		line, data, more = cutLine(data)
		out.WriteString("data: ")
		out.Write(line)
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
}

// cutLine returns the first line of a text and the rest, and reports whether another line follows.
func cutLine(text []byte) (line, rest []byte, more bool) {
	end := bytes.IndexAny(text, "\r\n")
	if end < 0 {
		return text, nil, false
	}
	next := end + 1
	if text[end] == '\r' && next < len(text) && text[next] == '\n' {
		next++
	}
	return text[:end], text[next:], true
}

// ping returns an event that only keeps the connection alive.
func (f Format) ping(now time.Time) []byte {
	var out bytes.Buffer
	at := now.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	f.write(&out, eventPing, "", []byte(`{"server_time":"`+at+`"}`))
	return out.Bytes()
}
