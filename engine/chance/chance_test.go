package chance_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/chance"
)

func TestParseNonce(t *testing.T) {
	good := strings.Repeat("0a", 32)
	n, err := chance.ParseNonce(good)
	if err != nil || hex.EncodeToString(n[:]) != good || n.IsZero() {
		t.Errorf("%x, error %v", n, err)
	}
	for text, want := range map[string]string{
		"": "64 hexadecimal digits", good[2:]: "64 hexadecimal digits", good + "00": "64 hexadecimal digits",
		"x" + good[1:]: "64 hexadecimal digits", strings.Repeat("0", 64): "stands for none",
	} {
		if n, err := chance.ParseNonce(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q reads as %x, error %v; want %q", text, n, err, want)
		}
	}
}

// TestGameSeed computes seeds by the formula of the package comment, from single bytes.
func TestGameSeed(t *testing.T) {
	server := engine.NewSeed([32]byte{1})
	one, two := chance.Nonce{2}, chance.Nonce{31: 3}
	input := make([]byte, 96)
	input[0], input[32], input[95] = 1, 2, 3
	both := sha256.Sum256(input)
	input[32] = 0
	second := sha256.Sum256(input)
	for _, test := range []struct {
		nonces []chance.Nonce
		want   [32]byte
	}{
		{nil, [32]byte{1}},
		{[]chance.Nonce{{}, {}}, [32]byte{1}},
		{[]chance.Nonce{one, two}, both},
		{[]chance.Nonce{{}, two}, second},
	} {
		if got := chance.GameSeed(server, test.nonces).Reveal(); got != test.want {
			t.Errorf("%x make %x, want %x", test.nonces, got, test.want)
		}
	}
	if server.Reveal() != [32]byte{1} {
		t.Error("the server's seed was changed")
	}
}

func TestCommitment(t *testing.T) {
	if got := (chance.Nonce{}).Commitment(); got != "" {
		t.Errorf("no nonce has the commitment %q", got)
	}
	sum := sha256.Sum256(append([]byte{5}, make([]byte, 31)...))
	if got := (chance.Nonce{5}).Commitment(); got != hex.EncodeToString(sum[:]) {
		t.Errorf("commitment %s, want %x", got, sum)
	}
}
