package quiwin

import (
	"strconv"

	"quatuor/engine"
)

// AppendView appends a view as JSON without reflection. It writes nothing but the view: what a viewer may know is
// decided where that is built.
func (s state) AppendView(b []byte, v engine.Viewer) []byte {
	view := s.view(v)
	b = append(append(append(b, `{"phase":"`...), view.Phase...), '"')
	b = appendNumber(b, `,"slot":`, view.Slot)
	b = appendNumber(b, `,"tier":`, view.Tier)
	b = append(b, `,"seats":[`...)
	for i := range view.Seats {
		b = view.Seats[i].append(comma(b, i))
	}
	b = appendNumber(b, `],"change":`, int(view.Change))
	b = appendNumber(b, `,"transfer":{"by":`, int(view.Transfer.By))
	b = appendNumber(b, `,"slot":`, view.Transfer.Slot)
	b = appendNumber(b, `,"into":`, view.Transfer.Into)
	b = append(b, `},"discarded":[`...)
	for i, d := range view.Discarded {
		b = append(append(append(comma(b, i), `{"tile":"`...), d.Tile...), '"')
		b = appendNumber(b, `,"seat":`, int(d.Seat))
		b = append(appendNumber(b, `,"slot":`, d.Slot), '}')
	}
	b = append(b, `],"tiers":[`...)
	for i := range view.Tiers {
		b = view.Tiers[i].append(comma(b, i))
	}
	b = appendNumber(b, `],"lead":`, int(view.Lead))
	b = appendNumber(b, `,"bag_count":`, view.BagCount)
	if len(view.Bag) > 0 {
		b = appendWords(b, `,"bag":`, view.Bag)
	}
	return append(b, '}')
}

func (s *SeatView) append(b []byte) []byte {
	b = appendNumber(b, `{"seat":`, int(s.Seat))
	b = appendWords(b, `,"row":`, s.Row)
	b = appendNumber(b, `,"hand_count":`, s.HandCount)
	if len(s.Hand) > 0 {
		b = appendWords(b, `,"hand":`, s.Hand)
	}
	b = strconv.AppendBool(append(b, `,"has_chosen":`...), s.HasChosen)
	if s.Choice != "" {
		b = append(append(append(b, `,"choice":"`...), s.Choice...), '"')
	}
	return append(b, '}')
}

func (t *Tier) append(b []byte) []byte {
	b = append(appendNumber(b, `{"tier":`, t.Tier), `,"lengths":[`...)
	for i, mm := range t.Lengths {
		b = strconv.AppendInt(comma(b, i), int64(mm), 10)
	}
	return append(appendNumber(b, `],"winner":`, int(t.Winner)), '}')
}

func appendNumber(b []byte, key string, n int) []byte {
	return strconv.AppendInt(append(b, key...), int64(n), 10)
}

// appendWords appends a list of names of tiles, which need no escapes.
func appendWords(b []byte, key string, words []string) []byte {
	b = append(append(b, key...), '[')
	for i, word := range words {
		b = append(append(append(comma(b, i), '"'), word...), '"')
	}
	return append(b, ']')
}

// comma appends the comma before every element of a list but the first.
func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}
