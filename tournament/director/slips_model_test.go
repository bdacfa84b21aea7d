package director

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/slip"
)

// form is a reporting form on a phone, sent at any time and any number of times.
type form struct {
	place         slip.Place // of the code
	seat          int
	code, verdict string
	saw           string
	basis         int // epoch of its seat when it was shown
}

// phones are a model of what may happen to the boards of a round in any order.
type phones struct {
	*hall
	forms  []form
	epochs map[slip.Place]int // by seat: how often its report, the board's pairing or its result has changed
	live   map[slip.Place]string
}

// seen is all of a round that reports may change.
func (e *phones) seen() map[string]string {
	out := map[string]string{}
	tm := e.load()
	round := tm.PublishedRounds()
	if round == 0 {
		return out
	}
	reports, err := e.d.Reports(context.Background(), tm, round)
	e.must(err)
	for _, p := range tm.Rounds[round-1].Pairings {
		out[fmt.Sprintf("%d result", p.Board)] = p.Text()
		for seat := range p.Seats {
			out[fmt.Sprintf("%d said %d", p.Board, seat+1)] = reports[p.Board].Report(seat + 1)
		}
	}
	return out
}

// bump notes that what all forms of a board showed is past.
func (e *phones) bump(board int) {
	for seat := 1; seat <= 2; seat++ {
		e.epochs[slip.Place{Board: board, Seat: seat}]++
	}
}

func (e *phones) refresh() { e.live = e.codes(true) }

func (e *phones) show(t *rapid.T) {
	if len(e.live) == 0 {
		return
	}
	places := slices.SortedFunc(maps.Keys(e.live), func(a, b slip.Place) int {
		return 10*(a.Board-b.Board) + a.Seat - b.Seat
	})
	// Most steps go to the same board, so that they meet there.
	if rapid.IntRange(0, 4).Draw(t, "elsewhere") > 0 {
		places = slices.DeleteFunc(places, func(p slip.Place) bool { return p.Board != 1 })
	}
	if len(places) == 0 {
		return
	}
	place := rapid.SampledFrom(places).Draw(t, "place")
	s, err := e.d.Slip(context.Background(), e.live[place])
	e.must(err)
	f := form{place: place, seat: place.Seat, code: e.live[place]}
	if f.seat == 0 {
		f.seat = rapid.IntRange(1, 2).Draw(t, "seat")
	}
	f.verdict = rapid.SampledFrom([]string{"", "1-0", "1-0", "0-1"}).Draw(t, "verdict")
	f.saw, f.basis = s.Reports.Saw(f.seat), e.epochs[slip.Place{Board: place.Board, Seat: f.seat}]
	e.forms = append(e.forms, f)
}

// send sends a form and holds what changed against what may.
func (e *phones) send(t *rapid.T) {
	if len(e.forms) == 0 {
		return
	}
	f := e.forms[len(e.forms)-1]
	if rapid.Bool().Draw(t, "an old one") {
		f = rapid.SampledFrom(e.forms).Draw(t, "form")
	}
	before := e.seen()
	_, err := e.d.Report(context.Background(), f.code, f.seat, f.verdict, f.saw)
	after := e.seen()
	said, result := fmt.Sprintf("%d said %d", f.place.Board, f.seat), fmt.Sprintf("%d result", f.place.Board)
	other := fmt.Sprintf("%d said %d", f.place.Board, 3-f.seat)
	seat := slip.Place{Board: f.place.Board, Seat: f.seat}
	good := f.verdict != "" && e.live[f.place] == f.code && before[result] == "" && e.epochs[seat] == f.basis &&
		before[said] != f.verdict
	if !good {
		if !maps.Equal(before, after) {
			t.Fatalf("form %+v changed\n%v to\n%v", f, before, after)
		}
		return
	}
	if err != nil {
		t.Fatalf("form %+v: %v", f, err)
	}
	want := maps.Clone(before)
	want[said] = f.verdict
	e.epochs[seat]++
	if before[other] == f.verdict {
		want[result], want[said], want[other] = f.verdict, "", "" // reports are shown until the result is recorded
		e.bump(f.place.Board)
	}
	if !maps.Equal(want, after) {
		t.Fatalf("form %+v on\n%v made\n%v, want\n%v", f, before, after, want)
	}
}

// arbitrate has the arbiter enter, correct or take back something.
func (e *phones) arbitrate(t *rapid.T) {
	ctx, tm := context.Background(), e.load()
	round, board := tm.PublishedRounds(), rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "board")
	if round == 0 {
		return
	}
	ranks := rapid.SampledFrom([][]int{{1, 2}, {2, 1}, nil}).Draw(t, "ranks")
	if ranks == nil {
		next, err := e.d.Do(ctx, e.id, ClearResult(round, board, ""), Order{By: "arbiter"})
		if err == nil && next.Version != tm.Version {
			e.bump(board)
		}
		return
	}
	next, err := e.d.Do(ctx, e.id, SetResult(round, board, tournament.Verdict{Ranks: ranks}, ""), Order{By: "arbiter"})
	e.must(err)
	if next.Version != tm.Version {
		e.bump(board)
	}
}

func (e *phones) undo(*rapid.T) {
	ctx, tm := context.Background(), e.load()
	acts, err := e.d.Acts(ctx, e.id)
	e.must(err)
	version := e.d.Undoable(tm, acts)
	if version == 0 {
		return
	}
	before := e.seen()
	if next, err := e.d.Undo(ctx, e.id, version, organiser); err != nil || next.Status != tournament.Running {
		return
	}
	after := e.seen()
	for board := 1; board <= 2; board++ {
		key := fmt.Sprintf("%d result", board)
		if before[key] != after[key] || len(after) == 0 {
			e.bump(board)
		}
	}
	e.refresh()
}

func (e *phones) replace(t *rapid.T) {
	tm := e.load()
	if len(e.live) == 0 {
		return
	}
	h := rapid.IntRange(0, 2).Draw(t, "board")
	e.must(e.d.ReplaceCodes(context.Background(), tm, tm.PublishedRounds(), h, rapid.Bool().Draw(t, "revoke")))
	e.refresh()
}

func (e *phones) next(*rapid.T) {
	if _, err := e.d.Do(context.Background(), e.id, NextRound, organiser); err == nil {
		e.bump(1)
		e.bump(2)
		e.refresh()
	}
}
