package quiwin

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"quatuor/engine"
)

// Lots returns the deal, the numbers drawn where both seats chose the same action, and every tile that came from
// the bag.
func (r *rules) Lots(setup engine.Setup, events []engine.Event) ([]engine.Lot, error) {
	s, err := r.Start(setup)
	if err != nil {
		return nil, err
	}
	lots := s.(state).full.dealt()
	for i, e := range events {
		next, err := s.Apply(e)
		if err != nil {
			return nil, err
		}
		for _, text := range next.(state).full.drawnSince(s.(state).full) {
			lots = append(lots, engine.Lot{After: i + 1, Text: text})
		}
		s = next
	}
	return lots, nil
}

// dealt returns the hands and the bag of a state before its first event.
func (f *full) dealt() []engine.Lot {
	list := func(tiles []tile) string { return strings.Join(names(tiles), " ") }
	return []engine.Lot{
		{Text: fmt.Sprintf("the shuffle takes %d words of the seed's stream", f.words)},
		{Text: "it deals seat 1 " + list(f.hand(1))},
		{Text: "it deals seat 2 " + list(f.hand(2))},
		{Text: "it leaves in the bag, in this order, " + list(f.bag[f.drawn:])},
	}
}

// drawnSince returns the lots drawn between the state before and this state, the next.
func (f *full) drawnSince(before *full) (lots []string) {
	if f.words > before.words {
		action, seat := change, f.change
		if before.change == f.change {
			action, seat = transfer, f.transfer.by
		}
		lots = append(lots, fmt.Sprintf("both seats choose %s; word %d of the stream draws %d of 0 and 1, so that of seat "+
			"%d is carried out", action, f.words, seat-1, seat))
	}
	for i := before.drawn; i < f.drawn; i++ {
		gone, row, slot := f.out[i], f.out[i].seat, f.out[i].slot
		if f.transfer.into == slot && before.transfer.into == 0 && f.transfer.by == other(row) {
			row, slot = f.transfer.by, f.transfer.slot
		}
		lots = append(lots, fmt.Sprintf("%s leaves slot %d of seat %d; the bag gives %s, which lies in slot %d of seat %d",
			gone.tile, gone.slot, gone.seat, f.bag[i], slot, row))
	}
	return lots
}

// word returns the n-th random word of a seed. SHA-256 of the seed and a counter of 8 bytes is four words; all
// numbers are big-endian.
func word(seed [32]byte, n uint64) uint64 {
	const perDigest = 4
	var block [40]byte
	copy(block[:], seed[:])
	binary.BigEndian.PutUint64(block[32:], n/perDigest)
	digest := sha256.Sum256(block[:])
	return binary.BigEndian.Uint64(digest[n%perDigest*8:])
}

// below maps a random word to [0, n) without modulo bias (rejection sampling): ok is false for the words at the
// upper end that would favour low numbers.
func below(w, n uint64) (number uint64, ok bool) {
	surplus := -n % n // 2^64 mod n
	return w % n, surplus == 0 || w < -surplus
}

// draw takes a number in [0, n) from the seed's stream.
func (f *full) draw(n uint64) uint64 {
	seed := f.seed.Reveal()
	for {
		w := word(seed, f.words)
		f.words++
		if number, ok := below(w, n); ok {
			return number
		}
	}
}
