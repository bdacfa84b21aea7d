// Package chance computes the seed from which a game draws its chance, by a commit-and-reveal scheme, so that no
// single party can choose it: no player, and not the operator of the server either.
//
// # What is promised without the players' help
//
// The server draws the game's seed, 32 random bytes, and publishes its SHA-256, the commitment, when the game is
// created. The seed itself is published when the game is over. Everyone can then recompute the commitment, the
// deal and every draw: what was drawn could not be changed after the game had been created. But a server could have
// tried several seeds and chosen among them.
//
// # What the seats can add
//
//	step                                                        what it fixes
//	1. the server draws a seed s, publishes C = SHA-256(s)      s: the server cannot change it any more
//	2. each seat draws a nonce, and sends its SHA-256           the nonces: none can be fitted to another
//	3. once all of these are in, each seat sends its nonce      nothing is left to choose
//	4. game seed = SHA-256(s ‖ nonce of seat 1 ‖ nonce of seat 2 …)
//	   the server deals, and publishes SHA-256(game seed)       the deal
//	5. when the game is over, s and the game seed are published all can be computed again
//
// Seeds and nonces are 32 bytes each. A seat that has no part in this counts in step 4 with 32 zero bytes; where no
// seat takes part, the game's seed is s itself, and C is the game's commitment as above. The input of step 4 is longer
// than that of a commitment (32 bytes) and of a game's stream (40 bytes), so no digest can be taken for another.
//
// # Why it is fair
//
//   - The game seed is as good as random if one of its parts is, and was chosen without knowledge of the others: s by
//     step 1, each nonce by step 2. A single honest party is enough, against all others together.
//   - Only the server can know the deal before the game is over, since only the server knows s.
//   - Step 2 is a defence against a server that colludes with a seat: if nonces came in the open and in turn,
//     that seat could try nonces until it likes the deal that they make. Having sent a digest, it can only refuse to
//     reveal its nonce when it dislikes the deal; a nonce that a seat has committed to is never just left out.
//   - What this package cannot prove is the order in time: that C was there before the nonces' digests, and these
//     before the nonces. A player's program that keeps what it was shown, and when, can.
//
// # Where it ends
//
//   - A seat that colludes with the server can refuse: the game is not dealt then. Package table, which runs live
//     games, lets no seat lose by that, because it offers nonces in casual games only: the game is broken off after a
//     while, without a result, and its log shows what each seat had sent. A single refusal proves nothing; a player
//     that often sends a commitment and no nonce is best avoided. Where games count for more, a refusal would have to
//     lose them, and so would a failure of the player's program: in tournaments the server's seed alone is used.
//   - A seat that sends no commitment has no part in the seed. That is no refusal: at that time nothing was known.
//   - A player that breaks a casual game off after the deal, as every player may before all seats have moved, refuses a
//     deal as well, and needs no server for it.
//   - The server and all seats together can agree on any deal.
//   - The server knows the deal, and could reveal it to a seat. Nonces do not change that.
//
// This package holds only the functions of steps 2 and 4. Package table exchanges the messages; package record
// keeps the parts in a record and checks them.
package chance

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"quatuor/engine"
)

// Nonce is the random number that a seat adds to the seed of its game. The zero Nonce is that of a seat that adds none.
type Nonce [32]byte

// ParseNonce reads 64 hexadecimal digits, not all of them zero.
func ParseNonce(text string) (Nonce, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(Nonce{}) {
		return Nonce{}, fmt.Errorf("a nonce is 64 hexadecimal digits, not %q", engine.Clip(text))
	}
	n := Nonce(raw)
	if n.IsZero() {
		return Nonce{}, fmt.Errorf("a nonce of zeros stands for none; draw one at random")
	}
	return n, nil
}

// IsZero reports whether the seat adds no nonce.
func (n Nonce) IsZero() bool { return n == Nonce{} }

// Commitment returns the SHA-256 of a nonce in hexadecimal digits, which its seat sends first; "" for none.
func (n Nonce) Commitment() string {
	if n.IsZero() {
		return ""
	}
	sum := sha256.Sum256(n[:])
	return hex.EncodeToString(sum[:])
}

// GameSeed returns a game's seed: the hash of the server's seed and the nonces of all seats, in their order. Without
// any nonce it is the server's seed itself.
func GameSeed(server engine.Seed, nonces []Nonce) engine.Seed {
	input := server.Reveal()
	all := input[:]
	given := false
	for _, n := range nonces {
		all = append(all, n[:]...)
		given = given || !n.IsZero()
	}
	if !given {
		return server
	}
	return engine.NewSeed(sha256.Sum256(all))
}
