package slip

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
)

// Report is the last report of a seat of a board.
type Report struct {
	Board, Seat int
	Basis       string // state that it builds on, see [Basis]
	Count       int    // reports of this seat in this round so far
	Verdict     string // as tournament.Verdict spells it, ranks by seat
	At          int64  // ms UTC
}

// Board holds the reports of the sides of a board.
type Board struct {
	Basis   string
	Seats   int
	Reports []Report // at most a single report for each seat, those of other bases included
	Gone    []int    // seats that need not confirm: their entries have withdrawn
}

// BoardOf returns the reports of a board as they count now; reports are those of its round.
func BoardOf(
	t *tournament.Tournament, round int, p tournament.Pairing, changes []tournament.Change, reports []Report,
) Board {
	b := Board{Basis: Basis(t, round, p, changes), Seats: len(p.Seats)}
	for _, r := range reports {
		if r.Board == p.Board {
			b.Reports = append(b.Reports, r)
		}
	}
	for i, id := range p.Seats {
		e, _ := t.Entry(id)
		if len(p.Seats) > 2 && e.WithdrawnFrom > 0 && e.WithdrawnFrom <= round {
			b.Gone = append(b.Gone, i+1)
		}
	}
	return b
}

// Report returns a seat's current report, "" for none.
func (b Board) Report(seat int) string {
	for _, r := range b.Reports {
		if r.Seat == seat && r.Basis == b.Basis {
			return r.Verdict
		}
	}
	return ""
}

// count returns the number of reports of a seat.
func (b Board) count(seat int) int {
	for _, r := range b.Reports {
		if r.Seat == seat {
			return r.Count
		}
	}
	return 0
}

// Saw returns the state that a form of a seat carries: it changes whenever the seat's own report, the pairing or the
// board's result does. Reports of the others do not change it, so two may report at the same time.
func (b Board) Saw(seat int) string {
	sum := sha256.Sum256([]byte(b.Basis + "/" + strconv.Itoa(seat) + "/" + strconv.Itoa(b.count(seat))))
	return hex.EncodeToString(sum[:8])
}

// Reported returns whether any seat has reported.
func (b Board) Reported() bool {
	return slices.ContainsFunc(b.Reports, func(r Report) bool { return r.Basis == b.Basis })
}

// Awaited returns the seats that have not reported.
func (b Board) Awaited() (seats []int) {
	for seat := 1; seat <= b.Seats; seat++ {
		if b.Report(seat) == "" && !slices.Contains(b.Gone, seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// Disputed reports whether two seats reported different results.
func (b Board) Disputed() bool {
	first := ""
	for seat := 1; seat <= b.Seats; seat++ {
		switch said := b.Report(seat); {
		case said == "":
		case first == "":
			first = said
		case said != first:
			return true
		}
	}
	return false
}

// Agreed returns the result that all seats reported; "" while a report is missing or differs.
func (b Board) Agreed() string {
	if len(b.Awaited()) > 0 || b.Disputed() {
		return ""
	}
	for seat := 1; seat <= b.Seats; seat++ {
		if said := b.Report(seat); said != "" {
			return said
		}
	}
	return ""
}

// Take validates a report: it returns the report to store, with the stored Count plus 1, or ok false if nothing
// changes. Errors are ErrEmpty and ErrStale.
func (b Board) Take(board, seat int, verdict, saw string, at int64) (r Report, ok bool, err error) {
	switch {
	case verdict == "":
		return r, false, ErrEmpty
	case b.Report(seat) == verdict:
		return r, false, nil
	case saw != b.Saw(seat):
		return r, false, ErrStale
	}
	return Report{Board: board, Seat: seat, Basis: b.Basis, Count: b.count(seat) + 1, Verdict: verdict, At: at}, true, nil
}

// ReadVerdict returns the verdict that a player reports: a duel's result ("1-0"), or the ranks by seat ("2,1,3").
// Errors wrap tournament.ErrInvalid.
func ReadVerdict(text string, seats int) (tournament.Verdict, error) {
	if !strings.Contains(text, ",") {
		return tournament.ParseVerdict(text)
	}
	parts := strings.Split(text, ",")
	if len(parts) != seats {
		return tournament.Verdict{}, tournament.NotValid("write one rank for each of the %d seats", seats)
	}
	ranks := make([]int, len(parts))
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			return tournament.Verdict{}, tournament.NotValid("write one rank for each of the %d seats", seats)
		}
		ranks[i] = n
	}
	return tournament.RankVerdict(ranks)
}
