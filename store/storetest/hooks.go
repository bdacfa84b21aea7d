package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/hook"
	"quatuor/tournament/slip"
)

// HookPort keeps webhooks and deliveries.
type HookPort interface {
	Add(ctx context.Context, h hook.Hook) error
	Of(ctx context.Context, accountID string) ([]hook.Hook, error)
	Hook(ctx context.Context, id string) (hook.Hook, error)
	Change(ctx context.Context, id string, change func(*hook.Hook)) (hook.Hook, error)
	Remove(ctx context.Context, accountID, id string) error
	Deliveries(ctx context.Context, hookID string, limit int) ([]hook.Delivery, error)
	Queue(ctx context.Context, d hook.Delivery) error
	Again(ctx context.Context, hookID, id string, now int64) (hook.Delivery, error)
	News(ctx context.Context) ([]hook.Event, error)
	HooksFor(ctx context.Context, tournaments []string) ([]hook.Hook, error)
	WithBacklog(ctx context.Context) ([]hook.Hook, error)
	Due(ctx context.Context, now int64, limit int) ([]hook.Hook, error)
	Next(ctx context.Context, hookID string) (hook.Delivery, error)
	EventsAfter(ctx context.Context, h hook.Hook, limit int) ([]hook.Event, error)
	RecordAttempt(ctx context.Context, d hook.Delivery, after hook.Hook) error
	SaveCursor(ctx context.Context, h hook.Hook) error
	Forget(ctx context.Context, before int64, keep int) error
}

// Hooks tests how webhooks, their news and their deliveries are stored.
func Hooks(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"webhooks come back", hooksComeBack},
		{"news is stored with what has happened, if somebody wants it", hookNews},
		{"deliveries are tried in their order", hookOrder},
		{"the latest are kept", hooksForget},
		{"they go with the account and the tournament", hooksGo},
	})
}

func owner(t *testing.T, p Ports) {
	t.Helper()
	must(t, p.NewAccounts.CreateAccount(t.Context(), account.Account{ID: "olga", Login: "olga"}, nil))
}

func newHook(id, tournament string) hook.Hook {
	return hook.Hook{
		ID: id, AccountID: "olga", Tournament: tournament, Name: id, URL: "https://example.org/" + id, Secret: []byte{1, 2, 3},
		Kinds: kinds(), Format: hook.Standard, CreatedAt: 1,
	}
}

func kinds() []tournament.NewsKind {
	return []tournament.NewsKind{tournament.NewsRound, tournament.NewsCall}
}

func hooksComeBack(t *testing.T, p Ports) {
	owner(t, p)
	create(t, p, "t")
	var full hook.Hook
	fill(t, &full)
	full.AccountID, full.Tournament = "olga", "t"
	must(t, p.Hooks.Add(t.Context(), full))
	got, err := p.Hooks.Hook(t.Context(), full.ID)
	must(t, err)
	equal(t, "a webhook", got, full)
	changed, err := p.Hooks.Change(t.Context(), full.ID, func(h *hook.Hook) { h.Failures, h.OldSecret = 7, []byte{9} })
	must(t, err)
	full.Failures, full.OldSecret = 7, []byte{9}
	equal(t, "changed", changed, full)
	list, err := p.Hooks.Of(t.Context(), "olga")
	must(t, err)
	equal(t, "an account's", list, []hook.Hook{full})
	for i := range hook.Max - 1 {
		must(t, p.Hooks.Add(t.Context(), newHook(fmt.Sprint("h", i), "")))
	}
	refused(t, "one more", p.Hooks.Add(t.Context(), newHook("more", "")), hook.ErrCount)
	refused(t, "another's", p.Hooks.Remove(t.Context(), "anna", full.ID), hook.ErrNotFound)
	must(t, p.Hooks.Remove(t.Context(), "olga", full.ID))
	_, err = p.Hooks.Hook(t.Context(), full.ID)
	refused(t, "removed", err, hook.ErrNotFound)
}

func hookNews(t *testing.T, p Ports) {
	owner(t, p)
	create(t, p, "t")
	create(t, p, "other")
	call := func(id, in string) {
		t.Helper()
		_, err := p.Slips.AddCall(t.Context(), slip.Call{
			ID: id, Place: slip.Place{Tournament: in, Round: 1, Board: 2, Seat: 1}, Kind: slip.CallHelp, Basis: id, At: 5,
			Status: slip.CallOpen,
		})
		must(t, err)
	}
	call("before", "t")
	must(t, p.Hooks.Add(t.Context(), newHook("h", "t")))
	call("after", "t")
	call("elsewhere", "other")
	events, err := p.Hooks.News(t.Context())
	must(t, err)
	if len(events) != 1 || events[0].News != (tournament.News{Kind: tournament.NewsCall, Round: 1, Board: 2, Call: "after"}) ||
		events[0].Tournament != "t" || events[0].At != 5 || events[0].Place != 1 {
		t.Fatalf("%v", events)
	}
	call("later", "t")
	later, err := p.Hooks.News(t.Context())
	must(t, err)
	if len(later) != 1 || later[0].Place != 2 {
		t.Errorf("%v", later)
	}
	if again, err := p.Hooks.News(t.Context()); err != nil || len(again) != 0 {
		t.Errorf("%v, %v", again, err)
	}
	h := newHook("h", "t")
	for _, query := range []func() ([]hook.Hook, error){
		func() ([]hook.Hook, error) { return p.Hooks.HooksFor(t.Context(), []string{"t"}) },
		func() ([]hook.Hook, error) { return p.Hooks.WithBacklog(t.Context()) },
	} {
		hooks, err := query()
		must(t, err)
		equal(t, "who wants it", hooks, []hook.Hook{h})
	}
	all := append(events, later...)
	for _, c := range []struct {
		place, from int64
		want        []hook.Event
	}{{0, 0, all}, {1, 0, all[1:]}, {2, 0, nil}, {0, 6, nil}} {
		h.Place, h.CreatedAt = c.place, c.from
		got, err := p.Hooks.EventsAfter(t.Context(), h, 10)
		must(t, err)
		if !slices.Equal(got, c.want) {
			t.Errorf("after %d from %d: %v", c.place, c.from, got)
		}
	}
	h.Place = 2
	must(t, p.Hooks.SaveCursor(t.Context(), h))
	if behind, err := p.Hooks.WithBacklog(t.Context()); err != nil || len(behind) != 0 {
		t.Errorf("%v, %v", behind, err)
	}
	must(t, p.Hooks.Forget(t.Context(), 6, 50))
	call("last", "t")
	if last, err := p.Hooks.News(t.Context()); err != nil || len(last) != 1 || last[0].Place != 3 {
		t.Errorf("a place was given twice: %v, %v", last, err)
	}
}

func hookOrder(t *testing.T, p Ports) {
	owner(t, p)
	for _, id := range []string{"works", "fails", "later", "none", "off"} {
		h := newHook(id, "")
		switch id {
		case "fails":
			h.Failures = 1
		case "off":
			h.DisabledAt = 1
		}
		must(t, p.Hooks.Add(t.Context(), h))
		for event := int64(3); event > 0 && id != "none"; event-- {
			must(t, p.Hooks.Queue(t.Context(), hook.Delivery{
				ID: fmt.Sprint(id, event), HookID: id, Event: event, State: hook.Waiting, At: event,
				Since: map[string]int64{"later": 2000}[id] + event,
			}))
		}
	}
	due, err := p.Hooks.Due(t.Context(), 1000, 10)
	must(t, err)
	var ids []string
	for _, h := range due {
		ids = append(ids, h.ID)
	}
	equal(t, "due", ids, []string{"works", "fails"})
	first, err := p.Hooks.Next(t.Context(), "works")
	must(t, err)
	due[0].NextAt = 0
	first.State = hook.Sent
	first.Attempts = 1
	first.Status = 200
	first.TriedAt = 7
	first.TookMs = 3
	must(t, p.Hooks.RecordAttempt(t.Context(), first, due[0]))
	second, err := p.Hooks.Next(t.Context(), "works")
	must(t, err)
	if first.Event != 1 || second.Event != 2 {
		t.Errorf("%v, then %v", first, second)
	}
	second.Attempts, second.Error = 1, "no connection"
	failing := due[0]
	failing.Failures = 1
	failing.NextAt = 5000
	failing.FailingSince = 1000
	failing.Place = 2
	must(t, p.Hooks.RecordAttempt(t.Context(), second, failing))
	got, err := p.Hooks.Hook(t.Context(), "works")
	must(t, err)
	equal(t, "after a failure", got, failing)
	if waiting, err := p.Hooks.HooksFor(t.Context(), nil); err != nil || len(waiting) != 1 || waiting[0].ID != "none" {
		t.Errorf("news finds only what has no attempt to come: %v, %v", waiting, err)
	}
	must(t, p.Hooks.SaveCursor(t.Context(), failing))
	got, err = p.Hooks.Hook(t.Context(), "works")
	must(t, err)
	equal(t, "what waits is tried", got, failing)
	again, err := p.Hooks.Again(t.Context(), "works", first.ID, 6000)
	must(t, err)
	if again.State != hook.Waiting || again.Since != 6000 {
		t.Errorf("%v", again)
	}
	_, err = p.Hooks.Again(t.Context(), "fails", first.ID, 6000)
	refused(t, "of another webhook", err, hook.ErrNotFound)
	_, err = p.Hooks.Next(t.Context(), "none")
	refused(t, "none waits", err, hook.ErrNotFound)
}

func hooksForget(t *testing.T, p Ports) {
	owner(t, p)
	must(t, p.Hooks.Add(t.Context(), newHook("h", "")))
	for i := range int64(10) {
		state := hook.Sent
		if i == 0 {
			state = hook.Waiting
		}
		must(t, p.Hooks.Queue(t.Context(), hook.Delivery{ID: fmt.Sprint(i), HookID: "h", Event: i, At: i, State: state}))
	}
	must(t, p.Hooks.Forget(t.Context(), 0, 3))
	list, err := p.Hooks.Deliveries(t.Context(), "h", 50)
	must(t, err)
	var left []string
	for _, d := range list {
		left = append(left, d.ID)
	}
	equal(t, "left", left, []string{"9", "8", "7", "0"})
}

func hooksGo(t *testing.T, p Ports) {
	owner(t, p)
	must(t, p.Tournaments.Create(t.Context(), &tournament.Tournament{ID: "t", Version: 1}))
	must(t, p.Hooks.Add(t.Context(), newHook("of one", "t")))
	must(t, p.Hooks.Add(t.Context(), newHook("of all", "")))
	must(t, p.Tournaments.Delete(t.Context(), "t", 1))
	list, err := p.Hooks.Of(t.Context(), "olga")
	must(t, err)
	if len(list) != 1 || !slices.ContainsFunc(list, func(h hook.Hook) bool { return h.ID == "of all" }) {
		t.Errorf("%v", list)
	}
}
