package rest

import (
	"sync"

	"quatuor/engine"
	"quatuor/engine/table"
)

// fewLines is how many lines are written anew whenever somebody asks for them, even if they are the same for everybody:
// most ask for the last one or two, after every move, and of most games nobody asks for more.
const fewLines = 8

// writeEvents writes the lines of a game's log above since as a viewer may see them.
func (n *gameNote) writeEvents(j *jsonText, s *table.Snapshot, v engine.Viewer, since int64) {
	lines := s.Log(v)
	first := len(lines)
	for first > 0 && lines[first-1].N > since { // most ask for the last one
		first--
	}
	j.raw(`,"events":[`)
	if len(lines)-first > fewLines && s.Open() {
		j.b = append(j.b, n.log.from(lines, first)...)
	} else {
		for i := range lines[first:] {
			writeEvent(j, &lines[first+i])
		}
	}
	j.raw("]")
}

// openLog is the log of a game that hides nothing, written once for everybody. Lines are only ever added to a log, so
// the text only ever grows, and who reads an older snapshot reads less of it.
type openLog struct {
	mu   sync.Mutex
	text []byte
	ends []int // of each line in the text
}

// from gives the text of lines from an index on; lines are the whole log of a snapshot, and longer than that.
func (o *openLog) from(lines []table.Line, first int) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	j := &jsonText{o.text}
	for i := len(o.ends); i < len(lines); i++ {
		writeEvent(j, &lines[i])
		o.ends = append(o.ends, len(j.b))
	}
	o.text = j.b
	if first == 0 {
		return o.text[:o.ends[len(lines)-1]]
	}
	return o.text[o.ends[first-1]+1 : o.ends[len(lines)-1]] // without the comma before it
}

func writeEvent(j *jsonText, l *table.Line) {
	j.comma()
	j.number(`{"n":`, l.N)
	j.member(`,"kind":`, string(l.Kind))
	j.optionalNumber(`,"seat":`, int64(l.Seat))
	if l.Kind == table.LineMove {
		j.optional(`,"move":`, l.Text)
	} else {
		writeText(j, l)
	}
	j.optionalNumber(`,"turn":`, int64(l.Turn))
	j.time(`,"at":`, l.At)
	switch l.Kind {
	case table.LineMove:
		j.number(`,"elapsed_ms":`, l.Elapsed)
		j.optionalNumber(`,"remaining_ms":`, l.Remaining)
	case table.LineSet, table.LineAdd:
		j.number(`,"remaining_ms":`, l.Remaining)
	}
	j.raw("}")
}

// writeText writes what a line that is no move says: the word that its kind has, and a reason.
func writeText(j *jsonText, l *table.Line) {
	word, reason := l.Word(), l.Reason()
	if word == "" {
		word, reason = reason, ""
	}
	j.optional(`,"text":`, word)
	j.optional(`,"reason":`, reason)
}
