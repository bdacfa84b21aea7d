package quiwin

import (
	"crypto/sha256"
	"encoding/binary"
)

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
