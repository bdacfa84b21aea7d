package storetest

import (
	"slices"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/slip"
)

// Slips tests how codes, reported results and calls are stored.
func Slips(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"secrets and codes", slipCodes},
		{"a report replaces the one before it", slipReports},
		{"of many reports of one seat one wins", slipReportRace},
		{"one open call from a place", slipCalls},
		{"of many calls from a place one is stored", slipCallRace},
		{"they go with their tournament", slipsGo},
	})
}

func slipCodes(t *testing.T, p Ports) {
	create(t, p, "a")
	first := []slip.Secret{{Board: 1, Bytes: []byte{1, 2}}, {Board: 2, Bytes: []byte{3}}}
	must(t, p.Slips.AddSecrets(t.Context(), "a", 1, first))
	must(t, p.Slips.AddSecrets(t.Context(), "a", 1, []slip.Secret{
		{Board: 1, Bytes: []byte{9}}, {Board: 3, Bytes: []byte{4}},
	}))
	have, err := p.Slips.Secrets(t.Context(), "a", 1)
	must(t, err)
	equal(t, "secrets, the first of each board", have,
		append(slices.Clone(first), slip.Secret{Board: 3, Bytes: []byte{4}}))

	one, two := slip.Place{Tournament: "a", Round: 1, Board: 1, Seat: 2}, slip.Place{Tournament: "a", Round: 1, Board: 2}
	must(t, p.Slips.AddCodes(t.Context(), map[string]slip.Place{"h1": one, "h2": two}))
	must(t, p.Slips.AddCodes(t.Context(), map[string]slip.Place{"h1": one, "h2": two}))
	p = p.Reopen(t)
	place, secret, err := p.Slips.Find(t.Context(), "h1")
	must(t, err)
	equal(t, "place", place, one)
	equal(t, "secret", secret, []byte{1, 2})

	must(t, p.Slips.SetSecrets(t.Context(), "a", 1, []slip.Secret{{Board: 1}}))
	_, _, err = p.Slips.Find(t.Context(), "h1")
	refused(t, "a revoked code", err, slip.ErrUnknown)
	_, _, err = p.Slips.Find(t.Context(), "h2")
	must(t, err)
	_, _, err = p.Slips.Find(t.Context(), "h3")
	refused(t, "a code that never was", err, slip.ErrUnknown)
	must(t, p.Slips.AddSecrets(t.Context(), "a", 1, []slip.Secret{{Board: 1, Bytes: []byte{7}}}))
	have, err = p.Slips.Secrets(t.Context(), "a", 1)
	must(t, err)
	equal(t, "a revoked secret stays revoked", have[0], slip.Secret{Board: 1, Bytes: []byte{}})
	have, err = p.Slips.Secrets(t.Context(), "a", 2)
	must(t, err)
	equal(t, "secrets of another round", len(have), 0)
}

func slipReports(t *testing.T, p Ports) {
	create(t, p, "a")
	r := slip.Report{Board: 1, Seat: 2, Basis: "x", Count: 1, Verdict: "1-0", At: 5}
	other := slip.Report{Board: 1, Seat: 1, Basis: "x", Count: 1, Verdict: "0-1", At: 6}
	must(t, p.Slips.Report(t.Context(), "a", 1, r))
	must(t, p.Slips.Report(t.Context(), "a", 1, other))
	refused(t, "the first report again", p.Slips.Report(t.Context(), "a", 1, r), slip.ErrStale)
	r.Count = 3
	r.Verdict = "0-1"
	r.Basis = "y"
	refused(t, "a report that skips one", p.Slips.Report(t.Context(), "a", 1, r), slip.ErrStale)
	r.Count = 2
	must(t, p.Slips.Report(t.Context(), "a", 1, r))
	refused(t, "the second report again", p.Slips.Report(t.Context(), "a", 1, r), slip.ErrStale)
	p = p.Reopen(t)
	have, err := p.Slips.Reports(t.Context(), "a", 1)
	must(t, err)
	equal(t, "reports by board and seat", have, []slip.Report{other, r})
	have, err = p.Slips.Reports(t.Context(), "a", 2)
	must(t, err)
	equal(t, "reports of another round", len(have), 0)
}

func slipReportRace(t *testing.T, p Ports) {
	create(t, p, "a")
	for count := 1; count <= 2; count++ {
		won := race(t, 8, slip.ErrStale, func(i int) error {
			return p.Slips.Report(t.Context(), "a", 1, slip.Report{
				Board: 1, Seat: 1, Count: count, Verdict: string(rune('a' + i)),
			})
		})
		have, err := p.Slips.Reports(t.Context(), "a", 1)
		must(t, err)
		equal(t, "the report of the winner", have[0].Verdict, string(rune('a'+won)))
	}
}

func slipCalls(t *testing.T, p Ports) {
	create(t, p, "a")
	call := slip.Call{
		ID: "c1", Place: slip.Place{Tournament: "a", Round: 1, Board: 2, Seat: 1}, Kind: slip.CallHelp, Word: "a clock",
		Basis: "k", At: 5, Status: slip.CallOpen,
	}
	add := func(c slip.Call) bool {
		t.Helper()
		added, err := p.Slips.AddCall(t.Context(), c)
		must(t, err)
		return added
	}
	equal(t, "the first call is stored", add(call), true)
	again, dispute := call, call
	again.ID, again.At = "c2", 6
	dispute.ID = "c3"
	dispute.Kind = slip.CallDispute
	dispute.At = 7
	equal(t, "a second call from the same place is not", add(again), false)
	equal(t, "one of another kind is", add(dispute), true)
	must(t, p.Slips.AnswerCall(t.Context(), "a", "c1", slip.CallSeen, "ann", 8))
	equal(t, "nor after an arbiter has seen the first", add(again), false)
	must(t, p.Slips.AnswerCall(t.Context(), "a", "c1", slip.CallSettled, "ann", 9))
	equal(t, "but after that is settled", add(again), true)
	refused(t, "answering a settled call", p.Slips.AnswerCall(t.Context(), "a", "c1", slip.CallSeen, "bob", 10),
		tournament.ErrNotFound)
	refused(t, "answering a call of another tournament",
		p.Slips.AnswerCall(t.Context(), "b", "c2", slip.CallSeen, "bob", 10), tournament.ErrNotFound)
	p = p.Reopen(t)
	have, err := p.Slips.Calls(t.Context(), "a")
	must(t, err)
	call.Status = slip.CallSettled
	call.By = "ann"
	call.SeenAt = 9
	equal(t, "calls, the latest first", have, []slip.Call{dispute, again, call})
}

func slipCallRace(t *testing.T, p Ports) {
	create(t, p, "a")
	race(t, 8, slip.ErrCalled, func(i int) error {
		added, err := p.Slips.AddCall(t.Context(), slip.Call{
			ID: string(rune('a' + i)), Place: slip.Place{Tournament: "a", Round: 1, Board: 1, Seat: 1}, Kind: slip.CallHelp,
			Status: slip.CallOpen,
		})
		if err == nil && !added {
			err = slip.ErrCalled
		}
		return err
	})
}

func slipsGo(t *testing.T, p Ports) {
	v := create(t, p, "a")
	must(t, p.Slips.AddSecrets(t.Context(), "a", 1, []slip.Secret{{Board: 1, Bytes: []byte{1}}}))
	must(t, p.Slips.AddCodes(t.Context(), map[string]slip.Place{"h": {Tournament: "a", Round: 1, Board: 1}}))
	must(t, p.Slips.Report(t.Context(), "a", 1, slip.Report{Board: 1, Seat: 1, Count: 1, Verdict: "1-0"}))
	must(t, p.Tournaments.Delete(t.Context(), "a", v.Version))
	_, _, err := p.Slips.Find(t.Context(), "h")
	refused(t, "a code of a tournament that is gone", err, slip.ErrUnknown)
	have, err := p.Slips.Reports(t.Context(), "a", 1)
	must(t, err)
	equal(t, "reports of it", len(have), 0)
}
