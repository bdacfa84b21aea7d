package engine

import (
	"hash/maphash"
	"slices"
)

// history is the log of a match with the positions it led to. It is an immutable value; the histories of two matches
// share their common past.
//
// Recent positions are searched one by one, unless a filter of their hashes shows that the present one is new, as most
// are. Older ones are counted in blocks whose sizes double, so that a move of a very long game costs hardly more than
// one of a short game.
type history struct {
	last   *link // nil before the start
	len    int   // events
	open   int   // positions that are in no block
	seen   filter
	novel  bool // the present position is open, and no other open one is like it
	blocks *block
}

// filter knows of hashes for certain that they have not been added. It keeps three bits of each: with a hundred in it, two
// of a hundred new ones look as if they had been added, too.
type filter [16]uint64

// add takes a hash in and reports whether it was certainly not there.
func (f *filter) add(hash uint64) (novel bool) {
	const bits = uint64(64 * len(f))
	for range 3 {
		word, bit := hash%bits/64, uint64(1)<<(hash%64)
		novel = novel || f[word]&bit == 0
		f[word] |= bit
		hash /= bits
	}
	return novel
}

// link is one event with the position it led to; the first has no event. Positions are empty where repetition does
// not apply.
type link struct {
	prev     *link
	event    Event
	hash     uint64
	position string
}

// block counts the positions of a stretch of the past.
type block struct {
	counts map[string]int
	size   int // positions counted
	older  *block
}

// longestOpen is the number of positions that are searched one by one at most.
const longestOpen = 256

var hashSeed = maphash.MakeSeed()

// begin gives the history of a match before its first event.
func begin(position string) history { return history{len: -1}.with(Event{}, position) }

// with gives the history after one more event.
func (h history) with(e Event, position string) history {
	l := &link{prev: h.last, event: e, position: position}
	h.last = l
	h.len++
	h.novel = false
	if position == "" {
		return h
	}
	l.hash = maphash.String(hashSeed, position)
	h.open++
	h.novel = h.seen.add(l.hash)
	if h.open == longestOpen {
		h.blocks, h.open, h.seen, h.novel = h.closed(), 0, filter{}, false
	}
	return h
}

// closed counts the open positions in a new block, which takes in older ones that are no larger.
func (h history) closed() *block {
	b := &block{counts: make(map[string]int, h.open), size: h.open, older: h.blocks}
	for l, left := h.last, h.open; left > 0; l = l.prev {
		if l.position != "" {
			b.counts[l.position]++
			left--
		}
	}
	for b.older != nil && b.older.size <= b.size {
		for position, n := range b.older.counts {
			b.counts[position] += n
		}
		b.size += b.older.size
		b.older = b.older.older
	}
	return b
}

// occurrences counts how often the present position stood, the present one included.
func (h *history) occurrences() int {
	now, n := h.last, 1
	if !h.novel {
		n = h.amongOpen(now)
	}
	for b := h.blocks; b != nil; b = b.older {
		n += b.counts[now.position]
	}
	return n
}

// amongOpen counts the open positions that are the same as one.
func (h *history) amongOpen(one *link) (n int) {
	for l, left := h.last, h.open; left > 0; l = l.prev {
		if l.position == "" {
			continue
		}
		left--
		if l.hash == one.hash && l.position == one.position {
			n++
		}
	}
	return n
}

// events lists the log, oldest first.
func (h *history) events() []Event {
	events := make([]Event, 0, h.len)
	for l := h.last; l.prev != nil; l = l.prev {
		events = append(events, l.event)
	}
	slices.Reverse(events)
	return events
}
