package record_test

import (
	"strings"
	"testing"

	"quatuor/engine/record"
)

// TestVerifiedChance accounts for a whole game: both seats added to its seed, and the shuffle was followed by a draw
// and two tiles from the bag.
func TestVerifiedChance(t *testing.T) {
	a := record.Verify(parse(t, recordFile(t, "quiwin")))
	if !a.Chance || !a.Settled || len(a.Faults)+len(a.Notes) > 0 {
		t.Fatalf("got %+v", a)
	}
	agrees := strings.Join(a.Agrees, "\n")
	for _, want := range []string{
		"the server's seed has the commitment that was published, 28f772",
		"the game's seed is made of the server's seed and of what the seats added",
		"the game's seed has the commitment that was published, 630a22",
		"the nonce of seat 1 has the SHA-256 ",
		"the nonce of seat 2 has the SHA-256 ",
		"its 20 moves are legal and end the game with 1,2 (tiers)",
	} {
		if !strings.Contains(agrees, want) {
			t.Errorf("agrees: %s\nwant %q", agrees, want)
		}
	}
	want := []string{
		"at the start: the shuffle takes 29 words of the seed's stream",
		"at the start: it deals seat 1 b24 b24 g22 o23 r25 y23 y23 y23",
		"at the start: it deals seat 2 g22 g22 o23 o25 o25 r24 y23 y23",
		"at the start: it leaves in the bag, in this order, b24 o25 o25 r23 y23 b24 b24 g22 r23 r24 o23 o23 b24 g22",
		"after move 4: both seats choose transfer; word 30 of the stream draws 1 of 0 and 1, so that of seat 2 is carried " +
			"out",
		"after move 5: y23 leaves slot 1 of seat 1; the bag gives b24, which lies in slot 1 of seat 2",
		"after move 6: b24 leaves slot 1 of seat 2; the bag gives o25, which lies in slot 1 of seat 2",
	}
	if got := strings.Join(a.Decided, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("decided:\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// TestFalseChance changes the parts of a game's chance, each by itself.
func TestFalseChance(t *testing.T) {
	for _, test := range []struct{ old, changed, want string }{
		{`[Commitment "6`, `[Commitment "7`, "the game's seed has the commitment 630a22"},
		{`[ServerCommitment "2`, `[ServerCommitment "3`, "the server's seed has the commitment 28f772"},
		{`[ServerSeed "01`, `[ServerSeed "02`, "another than the one published: it was changed afterwards"},
		{`[Nonce1 "01`, `[Nonce1 "02`, "the server's seed and what the seats added make the seed "},
		{`[Nonce2 "01`, `[Nonce2 "02`, ", another than the game's"},
		{`[Seed "9b`, `[Seed "9c`, "the game's seed has the commitment "},
		{`[Commitment "630a22514fac13183b717f346ef953909e4982e62372a8fe6d924876d4934060"]` + "\n", "", "the commitment is missing, so the seed may have been chosen afterwards"},
		{`[ServerSeed "0101ca0105b6a3010023ff03f72706003e12cca102f3050631261102d303020c"]` + "\n", "", "the server's part is missing"},
		{`[ServerCommitment "28f7723148a04a9471d7069cc301e0d8494155119fb54aa73f8d2ce8f4737dfa"]` + "\n", "", "so it may have chosen its seed last"},
		{`[Seed "9b7c4cd8e6f5f2aabecdcadb2007ca572f3457fb96243b7007c30cc1f86436d1"]` + "\n", "", "its seed is missing"},
		{"give-1", "give-2", "give-2 is not legal"},
		{"1,2", "2,1", "the moves end the game with 1,2 (tiers), not with 2,1"},
	} {
		text := recordFile(t, "quiwin")
		if !strings.Contains(text, test.old) {
			t.Fatalf("the record lacks %q", test.old)
		}
		if test.old == "1,2" {
			text = strings.ReplaceAll(text, `"1,2"`, `"2,1"`)
			text = strings.TrimSuffix(text, "1,2\n") + "2,1\n"
		} else {
			text = strings.Replace(text, test.old, test.changed, 1)
		}
		a := record.Verify(parse(t, text))
		found := false
		for _, f := range a.Faults {
			found = found || strings.Contains(f.Message, test.want)
		}
		if !found || a.Settled {
			t.Errorf("%q for %q: faults %v, settled %v; want %q", test.changed, test.old, a.Faults, a.Settled, test.want)
		}
	}
}

// TestVerifyWithoutChance plays the moves through.
func TestVerifyWithoutChance(t *testing.T) {
	a := record.Verify(parse(t, recordFile(t, "quixo")))
	if a.Chance || !a.Settled || len(a.Agrees) != 1 ||
		a.Agrees[0] != "its 4 moves are legal and end the game with 1,1 (agreement)" {
		t.Errorf("got %+v", a)
	}
	a = record.Verify(parse(t, recordFile(t, "quivive-aborted")))
	if a.Chance || !a.Settled || len(a.Agrees) != 1 || a.Agrees[0] != "its 20 moves are legal" {
		t.Errorf("got %+v", a)
	}
}

// TestVerifyARunningGame: its seed is secret, so nothing is settled, and nothing is wrong.
func TestVerifyARunningGame(t *testing.T) {
	a := record.Verify(parse(t, recordFile(t, "running")))
	if !a.Chance || a.Settled || len(a.Faults) > 0 || len(a.Notes) != 1 || len(a.Agrees) > 0 {
		t.Errorf("got %+v", a)
	}
}
