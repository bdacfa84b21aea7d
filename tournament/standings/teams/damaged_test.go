package teams_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/pairing/teamswiss"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/trf"
)

// TestDamagedReports: a damaged report of teams is refused, or its rounds are paired or refused, its teams ranked and
// their values explained.
func TestDamagedReports(t *testing.T) {
	files, err := filepath.Glob("../../trf/testdata/teams/*/*.trf")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	rng := rand.New(rand.NewPCG(1, 5))
	read, refused := 0, 0
	for n := range 300 {
		text, err := os.ReadFile(files[n%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		r, err := trf.ReadTeams(damaged(text, rng), true)
		if err != nil {
			refused++
			continue
		}
		read++
		for round := 1; round <= min(r.NextRound(), 3); round++ {
			h := r.Drawn(round)
			if _, _, err := (teamswiss.Pairer{Virtual: r.VirtualPoints}).Explain(h); err != nil &&
				!errors.Is(err, tournament.ErrUnpairable) {
				t.Error(err)
			}
		}
		rankAll(t, teams.FieldOfReport(r))
	}
	if read == 0 || refused == 0 {
		t.Errorf("%d read, %d refused", read, refused)
	}
}

// damaged returns a text with some of its bytes changed, left out or exchanged.
func damaged(text []byte, rng *rand.Rand) []byte {
	const letters = "0123456789 -+=UZHFwbWB\n"
	for range 1 + rng.IntN(4) {
		at, other := rng.IntN(len(text)), rng.IntN(len(text))
		switch rng.IntN(3) {
		case 0:
			text[at] = letters[rng.IntN(len(letters))]
		case 1:
			text = slices.Delete(text, at, at+1)
		default:
			text[at], text[other] = text[other], text[at]
		}
	}
	return text
}

// rankAll ranks a field by all tie-breaks, and explains every value.
func rankAll(t *testing.T, f teams.Field) {
	t.Helper()
	for _, o := range teams.Offers(f.Table) {
		f.TieBreaks = append(f.TieBreaks, o.Code)
	}
	rows, err := teams.Rank(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row.Rank == 0 {
			continue
		}
		accounts, err := teams.Accounts(f, row.Number)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range accounts {
			if a.Text != row.TieBreaks[i] {
				t.Errorf("team %d, %s: %s, and %s in the table", row.Number, a.Code, a.Text, row.TieBreaks[i])
			}
		}
	}
}
