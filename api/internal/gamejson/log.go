package gamejson

import "quatuor/engine/table"

// writeEvents appends the lines of a game's log above since.
func writeEvents(w *writer, g *table.Game, lines []table.Line, since int64) {
	first := len(lines)
	for first > 0 && lines[first-1].N > since { // from the end: usually a single line is requested
		first--
	}
	w.raw(`,"events":[`)
	for i := range lines[first:] {
		w.comma(i == 0)
		writeEvent(w, g, &lines[first+i])
	}
	w.raw("]")
}

func writeEvent(w *writer, g *table.Game, l *table.Line) {
	w.number(`{"n":`, l.N)
	w.member(`,"kind":`, string(l.Kind))
	w.optionalNumber(`,"seat":`, int64(l.Seat))
	if l.Kind == table.LineMove {
		w.optional(`,"move":`, l.Text)
	} else {
		writeText(w, l)
	}
	w.optionalNumber(`,"turn":`, int64(l.Turn))
	w.time(`,"at":`, l.At)
	switch l.Kind {
	case table.LineMove:
		w.number(`,"elapsed_ms":`, l.Elapsed)
		if g.Timed(l.Seat) {
			w.number(`,"remaining_ms":`, l.Remaining)
		}
	case table.LineSet, table.LineAdd, table.LineBerserk:
		w.number(`,"remaining_ms":`, l.Remaining)
	}
	w.raw("}")
}

// writeText appends the word and the reason of a line that is no move.
func writeText(w *writer, l *table.Line) {
	word, reason := l.Word(), l.Reason()
	if word == "" {
		word, reason = reason, ""
	}
	w.optional(`,"text":`, word)
	w.optional(`,"reason":`, reason)
}
