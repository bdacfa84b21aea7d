package quiwin

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"quatuor/engine"
)

func TestBelowRefusesTheSurplus(t *testing.T) {
	const top = math.MaxUint64
	for _, tc := range []struct {
		word, n, number uint64
		ok              bool
	}{
		{0, 30, 0, true},
		{59, 30, 29, true},
		{top, 2, 1, true}, // 2 divides 2^64: no word is refused
		{top, 16, 15, true},
		{top, 3, 0, false}, // 2^64 mod 3 = 1: the last word is beyond the limit
		{top - 1, 3, 2, true},
		{top - 15, 30, 0, false}, // 2^64 mod 30 = 16: the last 16 words
		{top - 16, 30, 29, true},
		{1 << 63, 1<<63 + 1, 1 << 63, true}, // the greatest number below n, from the last word of the only run
		{1<<63 + 1, 1<<63 + 1, 0, false},
	} {
		number, ok := below(tc.word, tc.n)
		if ok != tc.ok || ok && number != tc.number {
			t.Errorf("below(%d, %d) = %d, %v; want %d, %v", tc.word, tc.n, number, ok, tc.number, tc.ok)
		}
	}
}

func TestWordsOfADigest(t *testing.T) {
	seed := [32]byte{7: 1, 31: 9}
	for n := range uint64(9) {
		digest := sha256.Sum256(append(seed[:], 0, 0, 0, 0, 0, 0, 0, byte(n/4)))
		if want := binary.BigEndian.Uint64(digest[n%4*8 : n%4*8+8]); word(seed, n) != want {
			t.Errorf("word %d is %x, want %x", n, word(seed, n), want)
		}
	}
}

// TestDeal has two deals that were computed by another program.
func TestDeal(t *testing.T) {
	for seed, want := range map[string]string{
		"af390d57f29856b04b1df3941579ab4d48aa6f7e6de5bf4158b20d08e3b1eeb6": "hands b24,g22,o23,o25,o25,r23,r24,y23/b24,b24,o23,o23,o25,o25,y23,y23" +
			" chosen -,- bag g22,r25,g22,y23,r24,r23,b24,y23,y23,g22,g22,b24,o23,b24",
		"12d6edb2c798067e46768d2a605a7e0a28e098f66ed241183868dd72e2fcce78": "hands b24,g22,g22,o23,o23,o25,r23,y23/b24,g22,g22,o23,o25,o25,r23,y23" +
			" chosen -,- bag o23,r24,b24,r25,b24,o25,b24,y23,g22,r24,y23,b24,y23,y23",
	} {
		raw, err := hex.DecodeString(seed)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Variants()[0].Start(engine.Setup{Seats: 2, Seed: engine.NewSeed([32]byte(raw))})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Position(); !strings.Contains(got, want+" out - ") || !strings.HasSuffix(got, "words 29") {
			t.Errorf("seed %s deals\n%s, want\n%s", seed, got, want)
		}
	}
}

func TestStartNeedsASeed(t *testing.T) {
	if s, err := Variants()[0].Start(engine.Setup{Seats: 2}); s != nil || engine.KindOf(err) != "setup" {
		t.Errorf("without a seed: state %v, error %v", s, err)
	}
}
