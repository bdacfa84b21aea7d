package director

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/scoring"
	"quatuor/tournament/slip"
)

// hall is a tournament on boards in the hall, with slips.
type hall struct {
	t  rapid.TB
	m  *memory
	s  *slipMemory
	d  *Director
	id string

	mu  sync.Mutex
	now time.Time
}

// newHall starts a tournament of n players without accounts and publishes its first round.
func newHall(t rapid.TB, s tournament.Settings, n int) *hall {
	h := &hall{t: t, m: newMemory(), s: newSlipMemory(), now: testTime}
	h.d = newDirector(h.m, &counter{})
	h.d.Slips = h.s
	h.d.Now = func() time.Time {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.now = h.now.Add(time.Second)
		return h.now
	}
	ctx := context.Background()
	tm, err := h.d.Create(ctx, "", s, "ada")
	h.must(err)
	h.id = tm.ID
	for i := range n {
		_, _, err = h.d.AddEntry(ctx, h.id, tournament.Entry{Name: fmt.Sprintf("p%d", i+1)}, organiser)
		h.must(err)
	}
	_, err = h.d.Do(ctx, h.id, Start, organiser)
	h.must(err)
	_, err = h.d.Do(ctx, h.id, NextRound, organiser)
	h.must(err)
	return h
}

func (h *hall) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *hall) load() *tournament.Tournament {
	h.t.Helper()
	tm, err := h.d.Tournament(context.Background(), h.id)
	h.must(err)
	return tm
}

// codes returns the codes of the latest round by place; none before a round with codes.
func (h *hall) codes(cards bool) map[slip.Place]string {
	h.t.Helper()
	tm, out := h.load(), map[slip.Place]string{}
	round := tm.PublishedRounds()
	list, err := h.d.RoundCodes(context.Background(), tm, round, cards)
	if errors.Is(err, tournament.ErrState) {
		return out
	}
	h.must(err)
	for _, c := range list {
		place := slip.Place{Tournament: h.id, Round: round, Board: c.Pairing.Board}
		for i, code := range c.Seats {
			place.Seat = i + 1
			out[place] = code
		}
		if c.Card != "" {
			place.Seat = 0
			out[place] = c.Card
		}
	}
	return out
}

func (h *hall) code(board, seat int) string {
	h.t.Helper()
	code := h.codes(seat == 0)[slip.Place{Tournament: h.id, Round: h.load().PublishedRounds(), Board: board, Seat: seat}]
	if code == "" {
		h.t.Fatalf("board %d, seat %d has no code", board, seat)
	}
	return code
}

// report reports with a fresh form.
func (h *hall) report(code string, seat int, verdict string) (Slip, error) {
	s, err := h.d.Slip(context.Background(), code)
	if err != nil {
		return s, err
	}
	if s.Seat > 0 {
		seat = s.Seat
	}
	return h.d.Report(context.Background(), code, seat, verdict, s.Reports.Saw(seat))
}

func (h *hall) result(board int) string {
	h.t.Helper()
	tm := h.load()
	p, err := tm.Pairing(len(tm.Rounds), board)
	h.must(err)
	if p.Result == nil {
		return ""
	}
	return p.Text() + " " + string(p.Result.Source)
}

// TestBothReportTheSame: the result is recorded once the second has confirmed it, and nothing but the arbiter changes
// it then.
func TestBothReportTheSame(t *testing.T) {
	h := newHall(t, duelSettings(), 4)
	ctx, white, black := context.Background(), h.code(1, 1), h.code(1, 2)
	acts := len(h.m.acts[h.id])
	before := h.load().PublicVersion
	if s, err := h.report(white, 0, "1-0"); err != nil || s.Reports.Report(1) != "1-0" || h.result(1) != "" {
		t.Fatalf("after one report: %+v, %v, result %q", s.Reports, err, h.result(1))
	}
	if got := h.load().PublicVersion; got != before {
		t.Errorf("a report that is not confirmed changed the public version to %d from %d", got, before)
	}
	if shown, err := h.d.Reports(ctx, h.load(), 1); err != nil || len(shown) != 1 || shown[1].Report(1) != "1-0" {
		t.Errorf("staff see %+v, %v", shown, err)
	}
	if _, err := h.report(white, 2, "1-0"); err != nil || h.result(1) != "" {
		t.Fatalf("one slip confirmed for both: %v, result %q", err, h.result(1))
	}
	if s, err := h.report(black, 0, "1-0"); err != nil || s.Pairing.Text() != "1-0" || h.result(1) != "1-0 players" {
		t.Fatalf("after both: %+v, %v, result %q", s.Pairing, err, h.result(1))
	}
	if _, err := h.report(black, 0, "1-0"); err != nil {
		t.Errorf("the confirmation sent again: %v", err)
	}
	if _, err := h.report(black, 0, "0-1"); !errors.Is(err, tournament.ErrState) || h.result(1) != "1-0 players" {
		t.Errorf("another result afterwards: %v, result %q", err, h.result(1))
	}
	if n := len(h.m.acts[h.id]); n != acts {
		t.Errorf("%d acts, want %d: it is not the arbiter's, who can still undo theirs", n, acts)
	}
	if got := h.m.history[h.id]; len(got) != 1 || got[0].By != scoring.PlayersAccount || got[0].After.Text() != "1-0" {
		t.Errorf("history %+v", got)
	}
	_, err := h.d.Do(ctx, h.id, SetResult(1, 1, tournament.Verdict{Ranks: []int{2, 1}}, "mistyped"), Order{By: "arbiter"})
	if err != nil || h.result(1) != "0-1 arbiter" {
		t.Errorf("the arbiter's correction: %v, result %q", err, h.result(1))
	}
}

// TestDisagreement goes to the arbiter as a single call, settled by any result of the board.
func TestDisagreement(t *testing.T) {
	h := newHall(t, duelSettings(), 4)
	ctx, white, black := context.Background(), h.code(1, 1), h.code(1, 2)
	for _, say := range []struct{ code, verdict string }{{white, "1-0"}, {black, "0-1"}, {black, "1/2-1/2"}} {
		if _, err := h.report(say.code, 0, say.verdict); err != nil {
			t.Fatal(err)
		}
	}
	calls, err := h.d.Calls(ctx, h.load(), false)
	if err != nil || len(calls) != 1 || calls[0].Kind != slip.CallDispute || calls[0].Board != 1 {
		t.Fatalf("calls %+v, %v", calls, err)
	}
	if _, err := h.report(white, 0, "1/2-1/2"); err != nil || h.result(1) != "1/2-1/2 players" {
		t.Fatalf("after they agree: %v, result %q", err, h.result(1))
	}
	if calls, err := h.d.Calls(ctx, h.load(), false); err != nil || len(calls) != 0 {
		t.Errorf("calls %+v, %v", calls, err)
	}
}

// TestBoardCard: the card is for both, which choose their seat; it exists only after it was requested.
func TestBoardCard(t *testing.T) {
	h := newHall(t, duelSettings(), 4)
	tm := h.load()
	key := slip.Key(tm, 1, tm.Rounds[0].Pairings[0])
	h.codes(false)
	unasked := slip.Code(h.s.secrets[[2]int{1, 1}].Bytes, key, 0)
	if _, err := h.d.Slip(t.Context(), unasked); !errors.Is(err, slip.ErrUnknown) {
		t.Errorf("a card that was not asked for: %v", err)
	}
	card := h.code(1, 0)
	if _, err := h.report(card, 0, "1-0"); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("without saying who: %v", err)
	}
	if _, err := h.report(card, 3, "1-0"); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("from a seat that is not there: %v", err)
	}
	for seat := 1; seat <= 2; seat++ {
		if _, err := h.report(card, seat, "0-1"); err != nil {
			t.Fatal(err)
		}
	}
	if got := h.result(1); got != "0-1 players" {
		t.Errorf("result %q", got)
	}
}

// TestCodesThatAreOver have the same answer: codes of another round, of a board that was paired again, revoked codes,
// and codes of a publication that was undone.
func TestCodesThatAreOver(t *testing.T) {
	unknown := func(t *testing.T, h *hall, what, code string) {
		t.Helper()
		if _, err := h.d.Slip(t.Context(), code); !errors.Is(err, slip.ErrUnknown) {
			t.Errorf("%s: %v, want ErrUnknown", what, err)
		}
		if _, err := h.d.Report(t.Context(), code, 1, "1-0", ""); !errors.Is(err, slip.ErrUnknown) {
			t.Errorf("report with %s: %v, want ErrUnknown", what, err)
		}
		if _, err := h.d.Call(t.Context(), code, ""); !errors.Is(err, slip.ErrUnknown) {
			t.Errorf("call with %s: %v, want ErrUnknown", what, err)
		}
	}
	t.Run("nonsense", func(t *testing.T) {
		h := newHall(t, duelSettings(), 4)
		for _, code := range []string{"", "0", "0000000000000000", "no code at all!!", "ÄÖÜ", string(make([]byte, 5000))} {
			unknown(t, h, fmt.Sprintf("%.20q", code), code)
		}
	})
	t.Run("the next round", func(t *testing.T) {
		h := newHall(t, duelSettings(), 4)
		old := h.code(1, 1)
		for board := 1; board <= 2; board++ {
			for seat := 1; seat <= 2; seat++ {
				_, err := h.report(h.code(board, seat), 0, "1-0")
				h.must(err)
			}
		}
		if _, err := h.d.Slip(t.Context(), old); err != nil {
			t.Errorf("a complete round still shows its results: %v", err)
		}
		_, err := h.d.Do(t.Context(), h.id, DrawRound, organiser)
		h.must(err)
		if _, err := h.d.Slip(t.Context(), old); err != nil {
			t.Errorf("a draft of the next round changes nothing: %v", err)
		}
		_, err = h.d.Do(t.Context(), h.id, PublishStarting(0, false), organiser)
		h.must(err)
		unknown(t, h, "a code of the round before", old)
	})
	t.Run("a publication taken back", func(t *testing.T) {
		h := newHall(t, duelSettings(), 4)
		old := h.code(1, 1)
		_, err := h.d.Do(t.Context(), h.id, DropRound(1), organiser)
		h.must(err)
		unknown(t, h, "a code of a round that is gone", old)
		_, err = h.d.Do(t.Context(), h.id, NextRound, organiser)
		h.must(err)
		unknown(t, h, "a code of the same board, drawn again", old)
	})
	t.Run("a board paired anew", func(t *testing.T) {
		s := duelSettings()
		s.Format, s.RoundCount = tournament.Swiss, 3
		h := newHall(t, s, 4)
		old := h.code(1, 1)
		_, err := h.d.Do(t.Context(), h.id, EditRound(1, []tournament.Edit{{Kind: tournament.Reseat, Board: 1}}, "colours"),
			organiser)
		h.must(err)
		unknown(t, h, "a code of seats that were exchanged", old)
		if h.code(1, 1) == old {
			t.Error("the new pairing has the old code")
		}
	})
	t.Run("revoked", func(t *testing.T) {
		h := newHall(t, duelSettings(), 4)
		old, other := h.code(1, 1), h.code(2, 1)
		h.must(h.d.ReplaceCodes(t.Context(), h.load(), 1, 1, false))
		unknown(t, h, "a replaced code", old)
		if _, err := h.d.Slip(t.Context(), other); err != nil {
			t.Errorf("a code of another board: %v", err)
		}
		fresh := h.code(1, 1)
		h.must(h.d.ReplaceCodes(t.Context(), h.load(), 1, 0, true))
		unknown(t, h, "a revoked code", fresh)
		unknown(t, h, "a revoked code of another board", other)
		if got := h.codes(true); len(got) != 0 {
			t.Errorf("codes after all were revoked: %v", got)
		}
	})
}

// TestManyAtOnce: of many concurrent reports for both sides none is lost, and the result is entered once.
func TestManyAtOnce(t *testing.T) {
	h := newHall(t, duelSettings(), 8)
	var group sync.WaitGroup
	for board := 1; board <= 4; board++ {
		for seat := 1; seat <= 2; seat++ {
			code := h.code(board, seat)
			shown, err := h.d.Slip(t.Context(), code)
			h.must(err)
			for range 3 {
				group.Go(func() {
					_, err := h.d.Report(t.Context(), code, 0, "1-0", shown.Reports.Saw(seat))
					if err != nil && !errors.Is(err, slip.ErrStale) {
						t.Error(err)
					}
				})
			}
		}
	}
	group.Wait()
	for board := 1; board <= 4; board++ {
		if got := h.result(board); got != "1-0 players" {
			t.Errorf("board %d: %q", board, got)
		}
	}
	if n := len(h.m.history[h.id]); n != 4 {
		t.Errorf("%d changes, want one for each board", n)
	}
}

// TestArbiterFirst: an arbiter's result that comes between the agreement of the players and its entry wins.
func TestArbiterFirst(t *testing.T) {
	h := newHall(t, duelSettings(), 4)
	white, black := h.code(1, 1), h.code(1, 2)
	_, err := h.report(white, 0, "1-0")
	h.must(err)
	first := true
	h.m.step = func(name string) error {
		if name == "save" && first {
			first = false
			h.m.mu.Lock()
			defer h.m.mu.Unlock()
			tm := clone(h.m.stored[h.id])
			next, err := scoring.SetResult(tm, 1, 1, tournament.Verdict{Ranks: []int{2, 1}}, "arbiter", "seen", 1)
			if err != nil {
				return err
			}
			next.Succeed(tm)
			return h.m.save(next.Tournament, tm.Version, next.Delta)
		}
		return nil
	}
	s, err := h.report(black, 0, "1-0")
	if err != nil || s.Pairing.Text() != "0-1" || h.result(1) != "0-1 arbiter" {
		t.Errorf("%+v, %v, result %q", s.Pairing, err, h.result(1))
	}
}

// TestCalls: a place has at most a single open call, and pauses after it is settled.
func TestCalls(t *testing.T) {
	h := newHall(t, duelSettings(), 4)
	ctx, code := context.Background(), h.code(2, 1)
	list := func() []slip.Call {
		t.Helper()
		calls, err := h.d.Calls(ctx, h.load(), false)
		h.must(err)
		return calls
	}
	for range 3 {
		if s, err := h.d.Call(ctx, code, " a  clock "); err != nil || !s.Called {
			t.Fatal(s.Called, err)
		}
	}
	calls := list()
	if len(calls) != 1 || calls[0].Word != "a clock" || calls[0].Board != 2 || calls[0].Seat != 1 ||
		calls[0].Status != slip.CallOpen {
		t.Fatalf("%+v", calls)
	}
	_, err := h.d.Call(ctx, h.code(1, 2), "")
	h.must(err)
	h.must(h.d.AnswerCall(ctx, h.id, calls[0].ID, slip.CallSeen, Order{By: "arbiter"}))
	if got := list(); len(got) != 2 || got[0].Board != 1 || got[1].Status != slip.CallSeen || got[1].By != "arbiter" {
		t.Errorf("those that were not seen come first: %+v", got)
	}
	h.must(h.d.AnswerCall(ctx, h.id, calls[0].ID, slip.CallSettled, Order{By: "arbiter"}))
	if _, err := h.d.Call(ctx, code, ""); !errors.Is(err, slip.ErrCalled) {
		t.Errorf("at once after it was settled: %v", err)
	}
	h.mu.Lock()
	h.now = h.now.Add(callPause * time.Millisecond)
	h.mu.Unlock()
	if _, err := h.d.Call(ctx, code, ""); err != nil || len(list()) != 2 {
		t.Errorf("after the pause: %v, %d calls", err, len(list()))
	}
	long := make([]rune, slip.MaxWord+1)
	for i := range long {
		long[i] = 'é'
	}
	if _, err := h.d.Call(ctx, h.code(1, 1), string(long)); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("a word that is too long: %v", err)
	}
	if err := h.d.AnswerCall(ctx, h.id, calls[0].ID, "open", Order{}); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("an answer that is none: %v", err)
	}
}

// TestReportsNeverErase plays any order of forms, sent late, twice, empty and contradicting each other, with an
// arbiter's results, corrections and undoing, new and revoked codes, and new rounds between them. A report changes
// something only if its form shows what is so, and only the arbiter changes a valid result.
func TestReportsNeverErase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := &phones{hall: newHall(t, duelSettings(), 4), epochs: map[slip.Place]int{}}
		e.refresh()
		t.Repeat(map[string]func(*rapid.T){
			"show": e.show, "show again": e.show, "send": e.send, "send again": e.send, "and again": e.send,
			"arbiter": e.arbitrate, "undo": e.undo, "replace": e.replace, "next": e.next,
		})
	})
}
