package record

import (
	"encoding/hex"
	"slices"

	"quatuor/engine"
	"quatuor/engine/chance"
)

// checkChance compares seeds and commitments as far as the record has them.
func (c *checker) checkChance() {
	for _, f := range c.r.Chance.statements() {
		if !f.holds {
			c.tag(f.tag, "%s", f.otherwise)
		}
	}
}

// statement is a relation that must hold between the parts of a game's chance.
type statement struct {
	tag       string
	holds     bool
	text      string // the message if it holds
	otherwise string // the message if it does not
}

// statements returns the relations between the known parts, in the order of their origin.
func (c Chance) statements() (list []statement) {
	if c.ServerSeed != "" && c.ServerCommitment != "" {
		list = append(list, commitmentHolds(tagServerCommitment, "the server's seed", c.ServerSeed, c.ServerCommitment))
	}
	if c.ServerSeed != "" && c.Seed != "" {
		seed, want := seedOf(c.Seed).Reveal(), chance.GameSeed(seedOf(c.ServerSeed), c.nonces()).Reveal()
		list = append(list, statement{
			tag: tagSeed, holds: seed == want,
			text: "the game's seed is made of the server's seed and of what the seats added",
			otherwise: "the server's seed and what the seats added make the seed " + hex.EncodeToString(want[:]) +
				", another than the game's",
		})
	}
	if c.contributed() && c.ServerSeed == "" && c.Seed != "" {
		list = append(list, statement{
			tag:       tagServerSeed,
			otherwise: "the seats added to the seed, but the server's part is missing, so what they added cannot be checked",
		})
	}
	if c.contributed() && c.ServerSeed != "" && c.ServerCommitment == "" {
		list = append(list, statement{
			tag:       tagServerCommitment,
			otherwise: "the server's commitment is missing, so it may have chosen its seed last",
		})
	}
	if c.Seed != "" && c.Commitment != "" {
		list = append(list, commitmentHolds(tagCommitment, "the game's seed", c.Seed, c.Commitment))
	}
	return list
}

func commitmentHolds(tag, what, seed, commitment string) statement {
	got := seedOf(seed).Commitment()
	return statement{
		tag: tag, holds: got == commitment, text: what + " has the commitment that was published, " + commitment,
		otherwise: what + " has the commitment " + got + ", another than the one published: it was changed afterwards",
	}
}

// contributed reports whether a seat added to the seed.
func (c Chance) contributed() bool {
	return slices.ContainsFunc(c.Nonces, func(nonce string) bool { return nonce != "" })
}

// nonces returns the seats' nonces; a text that is not a nonce counts as none.
func (c Chance) nonces() []chance.Nonce {
	list := make([]chance.Nonce, len(c.Nonces))
	for i, text := range c.Nonces {
		if n, err := chance.ParseNonce(text); err == nil {
			list[i] = n
		}
	}
	return list
}

// seedOf reads a seed of 64 hexadecimal digits; any other text counts as zeros.
func seedOf(text string) engine.Seed {
	var b [32]byte
	if raw, err := hex.DecodeString(text); err == nil {
		copy(b[:], raw)
	}
	return engine.NewSeed(b)
}
