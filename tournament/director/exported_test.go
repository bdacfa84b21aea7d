package director

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/exchange"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/trf"
)

// TestExported runs random Swiss tournaments, and after every round holds what is written against what is here: the
// next round is paired the same from it, the standings are the same, and an import of it goes on the same.
func TestExported(t *testing.T) { rapid.Check(t, exported((*evening).beginSwiss)) }

// TestExportedRoundRobins does the same with round-robins and withdrawals.
func TestExportedRoundRobins(t *testing.T) {
	if testing.Short() {
		t.Skip("TestExported does the same with a Swiss")
	}
	rapid.Check(t, exported((*evening).beginRoundRobin))
}

func exported(begin func(*evening)) func(*rapid.T) {
	return func(t *rapid.T) {
		ctx, m := context.Background(), newMemory()
		e := evening{T: t, d: newDirector(m, &counter{})}
		begin(&e)
		for e.tm.Status == tournament.Running && len(e.tm.Rounds) < e.tm.RoundCount {
			e.disturb()
			e.compare(m)
			next, err := e.d.Do(ctx, e.tm.ID, NextRound, organiser)
			if errors.Is(err, tournament.ErrUnpairable) {
				return
			}
			e.must(next, err)
			e.compare(m)
			e.play()
		}
		e.compare(m)
	}
}

// evening is a random tournament.
type evening struct {
	*rapid.T
	d    *Director
	tm   *tournament.Tournament
	late int
}

func (e *evening) must(t *tournament.Tournament, err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
	e.tm = t
}

func (e *evening) chance(of int, what string) bool { return rapid.IntRange(1, of).Draw(e.T, what) == 1 }

func (e *evening) entry(name string) tournament.Entry {
	return tournament.Entry{Name: name, Rating: float64(rapid.IntRange(0, 30).Draw(e.T, "rating")*50) + 0.7}
}

func (e *evening) beginRoundRobin() {
	s := tournament.Settings{
		Name: "All", Variant: "quixo/duel", TimeControl: "300+3", TieBreaks: []string{"DE", "SB", "KS", "WIN", "WON", "BPG", "STD", "REP"},
		Format: rapid.SampledFrom([]tournament.Format{tournament.RoundRobin, tournament.DoubleRoundRobin}).Draw(e.T, "format"),
	}
	if e.chance(2, "points") {
		s.Points = tournament.PointSystem{Win: 30, Draw: 10, Loss: 5, ForfeitWin: 20, ForfeitLoss: 0, Bye: 30}
	}
	e.must(e.d.Create(context.Background(), "", s, "ada"))
	e.fill(rapid.IntRange(3, 7).Draw(e.T, "entries"))
	e.must(e.d.Do(context.Background(), e.tm.ID, Start, organiser))
}

func (e *evening) fill(n int) {
	for i := range n {
		t, _, err := e.d.AddEntry(context.Background(), e.tm.ID, e.entry(fmt.Sprintf("Player with a rather long name %d", i)), organiser)
		e.must(t, err)
	}
}

func (e *evening) beginSwiss() {
	ctx := context.Background()
	s := tournament.Settings{
		Name: "Täst", Variant: "quixo/duel", Format: tournament.Swiss, TimeControl: "300+3", RoundCount: rapid.IntRange(2, 5).Draw(e.T, "rounds"),
		TieBreaks: []string{"BH/C1", "SB", "DE", "FB", "REP", "STD", "ARO"},
		Rules:     tournament.PairingRules{AdjournedDraw: rapid.Bool().Draw(e.T, "adjourned games are draws"), FullPointByes: true, HalfPointByes: 5, MissedRounds: rapid.SampledFrom([]tournament.Bye{"", tournament.HalfPoint}).Draw(e.T, "missed")},
	}
	s.Points = rapid.SampledFrom([]tournament.PointSystem{
		tournament.StandardPoints,
		{Win: 30, Draw: 10, Loss: 0, ForfeitWin: 30, ForfeitLoss: 0, Bye: 30},
		{Win: 10, Draw: 5, Loss: 0, ForfeitWin: 10, ForfeitLoss: 0, Bye: 5},
		{Win: 30, Draw: 20, Loss: 10, ForfeitWin: 20, ForfeitLoss: 5, Bye: 20},
	}).Draw(e.T, "points")
	if s.Points.Win == 10 && e.chance(3, "baku") {
		s.Rules.Acceleration = tournament.Baku
	}
	e.must(e.d.Create(ctx, "", s, "ada"))
	e.fill(rapid.IntRange(6, 13).Draw(e.T, "entries"))
	if e.chance(2, "bans") {
		ids := rapid.SliceOfNDistinct(rapid.SampledFrom(e.tm.Entries), 2, 3, func(e tournament.Entry) string { return e.ID }).Draw(e.T, "banned")
		ban := tournament.Ban{Last: rapid.IntRange(0, 3).Draw(e.T, "last"), Why: "brothers"}
		for _, entry := range ids {
			ban.Entries = append(ban.Entries, entry.ID)
		}
		e.must(e.d.Do(ctx, e.tm.ID, SetForbidden([]tournament.Ban{ban}), organiser))
	}
	e.must(e.d.Do(ctx, e.tm.ID, Start, organiser))
}

// disturb does what happens between rounds.
func (e *evening) disturb() {
	ctx := context.Background()
	swiss := e.tm.Format == tournament.Swiss
	if swiss && e.chance(4, "late") && len(e.tm.Rounds) < e.tm.RoundCount {
		e.late++
		t, _, err := e.d.AddEntry(ctx, e.tm.ID, e.entry(fmt.Sprint("Late ", e.late)), organiser)
		e.must(t, err)
	}
	somebody := func() tournament.Entry { return rapid.SampledFrom(e.tm.Numbered()).Draw(e.T, "who") }
	// Without any ranks, a report does not show which entries withdrew too early to have a rank.
	if e.chance(4, "withdrawal") && e.tm.Field() > 1 {
		e.must(e.d.Do(ctx, e.tm.ID, Withdraw(somebody().ID), organiser))
	}
	if swiss && e.chance(3, "bye") {
		bye := tournament.RequestedBye{
			Round: rapid.IntRange(len(e.tm.Rounds)+1, e.tm.RoundCount).Draw(e.T, "round"),
			Bye:   rapid.SampledFrom([]tournament.Bye{tournament.HalfPoint, tournament.ZeroPoint, tournament.FullPoint}).Draw(e.T, "type"),
		}
		e.must(e.d.Do(ctx, e.tm.ID, RequestByes(somebody().ID, []tournament.RequestedBye{bye}), organiser))
	}
}

// play enters results of all kinds.
func (e *evening) play() {
	n := len(e.tm.Rounds)
	for _, p := range e.tm.Rounds[n-1].Pairings {
		if p.Result == nil && e.tm.Rules.AdjournedDraw && e.chance(8, "adjourned") {
			e.must(e.d.Adjourn(context.Background(), e.tm.ID, n, p.Board, "Friday", organiser))
		} else if p.Result == nil {
			text := rapid.SampledFrom([]string{"1-0", "0-1", "1/2-1/2", "1-0", "+--", "--+", "---"}).Draw(e.T, "result")
			v, err := tournament.ParseVerdict(text)
			if err != nil {
				e.Fatal(err)
			}
			e.must(e.d.Do(context.Background(), e.tm.ID, SetResult(n, p.Board, v, ""), organiser))
		}
	}
}

// compare holds what is written against what is here.
func (e *evening) compare(m *memory) {
	ctx := context.Background()
	out, err := e.d.Export(ctx, e.tm, exchange.Staff)
	if err != nil {
		e.Fatal(err)
	}
	text := written(e, out.(*trf.Report))
	r := mustRead(e, text)
	if again := written(e, r); !bytes.Equal(text, again) {
		e.Fatalf("wrote\n%s\nread and wrote\n%s", text, again)
	}
	sameStandings(e, e.tm, r)
	copied := newMemory()
	copied.stored[e.tm.ID] = clone(m.stored[e.tm.ID])
	here, failed := newDirector(copied, &counter{n: 5000}).Do(ctx, e.tm.ID, NextRound, organiser)
	e.takeOver(text, here, failed)
	if errors.Is(failed, tournament.ErrState) {
		return // the round is being played, or it was the last
	}
	if e.tm.Format != tournament.Swiss {
		return
	}
	drawn, err := pairer(r).Draw(r.Drawn(r.NextRound()))
	if failed != nil || err != nil {
		if (failed == nil) != (err == nil) {
			e.Fatalf("here %v, from the report %v\n%s", failed, err, text)
		}
		return
	}
	var got []string
	for _, g := range drawn.Games {
		got = append(got, fmt.Sprint(g.White, " ", g.Black))
	}
	if drawn.Bye > 0 {
		got = append(got, fmt.Sprint(drawn.Bye, " PAB"))
	}
	if want := pairsOf(here, len(here.Rounds)); !slices.Equal(got, want) {
		e.Fatalf("the report is paired %v, here %v\n%s", got, want, text)
	}
}

// pairer is the command line's pairing system for a report.
func pairer(r *trf.Report) swiss.Pairer {
	if len(r.Virtual) > 0 {
		return swiss.Pairer{Virtual: r.VirtualPoints}
	}
	return swiss.Pairer{}
}

// takeOver imports what was written, and expects the same next round and the same text again.
func (e *evening) takeOver(text []byte, here *tournament.Tournament, failed error) {
	ctx := context.Background()
	d := newDirector(newMemory(), &counter{n: 9000})
	tm, did, err := d.Import(ctx, "", text, duel, "bob", false)
	notes := slices.DeleteFunc(slices.Clone(did.Notes), func(n sentence.Sentence) bool {
		return strings.Contains(n.String(), "have no result in the file") // of the round that is played
	})
	if err != nil || len(notes) > 0 {
		e.Fatalf("%v, notes %v\n%s", err, notes, text)
	}
	out, err := d.Export(ctx, tm, exchange.Staff)
	if err != nil {
		e.Fatal(err)
	}
	if again := written(e, out.(*trf.Report)); !bytes.Equal(text, again) {
		e.Fatalf("wrote\n%s\ntook it over and wrote\n%s", text, again)
	}
	next, err := d.Do(ctx, tm.ID, NextRound, organiser)
	if n := len(tm.Rounds); n > 0 && tm.Rounds[n-1].Status != tournament.Complete {
		return // games of the last round are not taken over as adjourned
	}
	if (err == nil) != (failed == nil) {
		e.Fatalf("here %v, taken over %v\n%s", failed, err, text)
	}
	if err == nil {
		if got, want := pairsOf(next, len(next.Rounds)), pairsOf(here, len(here.Rounds)); !slices.Equal(got, want) {
			e.Fatalf("taken over it is paired %v, here %v\n%s", got, want, text)
		}
	}
}
