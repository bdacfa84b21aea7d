package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/director"
)

// Teams tests tournaments of teams over several boards.
func Teams(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"matches of teams in the hall", hallMatches},
	})
}

// hallMatches plays a round of teams in the hall: line-ups are filed and revealed, every board has a game that is rated
// in the list of its own variant once, and a correction replaces it.
func hallMatches(t *testing.T, p Ports) {
	at, n := int64(10_000), 0
	d := director.New(director.Config{
		Store: p.Tournaments, Tables: noTables{}, Variant: noTables{}.variant,
		TimeControl: func(text string) (string, error) { return text, nil },
		Now:         func() time.Time { at++; return time.UnixMilli(at) },
		NewID:       func() string { n++; return fmt.Sprint("m-", n) },
	})
	ctx := t.Context()
	_, err := d.Create(ctx, "t", tournament.Settings{
		Name: "League", Variant: "quixo/duel", Format: tournament.TeamSwiss, RoundCount: 1, TimeControl: "300+3", Rated: true,
		Venue: tournament.InHall,
		Teams: &tournament.TeamRules{Boards: []tournament.TeamBoard{{}, {Game: "quits/duel"}, {Unrated: true}}},
	}, "olga")
	must(t, err)
	for _, name := range []string{"a", "b"} {
		e := tournament.Entry{Name: name, Captain: name + "1", Deputies: []string{"olga"}, Members: []string{name + "1", name + "2", name + "3"}}
		_, _, err := d.AddEntry(ctx, "t", e, byArbiter)
		must(t, err)
	}
	_, err = d.Do(ctx, "t", director.Start, byArbiter)
	must(t, err)
	_, err = d.Do(ctx, "t", director.NextRound, byArbiter)
	must(t, err)
	due, err := p.Tournaments.DueLineUps(ctx, at)
	must(t, err)
	if len(due) > 0 {
		t.Errorf("due already: %v", due)
	}
	for _, player := range []string{"a1", "a1"} {
		f := director.Filing{Round: 1, Match: 1, Player: player, Players: []string{"a3", "a2", "a1"}}
		_, err = d.FileLineUp(ctx, "t", f, byArbiter)
		must(t, err)
	}
	refiled := load(t, p, "t")
	if err := p.Tournaments.Save(ctx, refiled, refiled.Version, tournament.Delta{Filed: map[int]int{1: 0}}); !errors.Is(err, tournament.ErrStale) {
		t.Errorf("a change that builds on no line-up, after one was filed: %v", err)
	}
	must(t, p.Tournaments.Save(ctx, refiled, refiled.Version, tournament.Delta{Filed: map[int]int{1: 1}}))
	at += 600_000
	if due, err = p.Tournaments.DueLineUps(ctx, at); err != nil || !slices.Equal(due, []string{"t"}) {
		t.Errorf("due: %v, %v", due, err)
	}
	must(t, d.RevealDue(ctx))
	tm := load(t, p, "t")
	b := tm.Rounds[0].Pairings[0].Boards
	if len(b) != 3 || b[1].HallGame == "" || tm.Rounds[0].LineUpsDue == 0 || tm.Teams.Boards[1].Game != "quits/duel" ||
		tm.Entries[0].Deputies[0] != "olga" {
		t.Fatalf("%+v", tm)
	}
	if list, err := p.Tournaments.LineUps(ctx, "t", 1); err != nil || len(list) != 1 || list[0].Players[0] != "a3" || list[0].By != "olga" {
		t.Errorf("line-ups: %+v, %v", list, err)
	}
	_, err = d.Do(ctx, "t", director.Reopen(1, 1, 10), byArbiter)
	must(t, err)
	if due, err = p.Tournaments.DueLineUps(ctx, at+60_000); err != nil || len(due) > 0 {
		t.Errorf("opened again, and due: %v, %v", due, err)
	}
	at += 601_000
	must(t, d.RevealDue(ctx))
	_, err = d.Do(ctx, "t", director.SetBonuses([]tournament.Bonus{{Entry: tm.Entries[0].ID, MP: -5, After: 1, Why: "late"}}), byArbiter)
	must(t, err)
	tm = load(t, p, "t")
	if b = tm.Rounds[0].Pairings[0].Boards; len(b) != 3 || tm.Rounds[0].Pairings[0].LineUpsDue == 0 || tm.Bonuses[0].MP != -5 {
		t.Fatalf("%+v", tm)
	}
	for i, result := range []string{"1-0", "0-1", "1/2-1/2", "0-1"} {
		v, err := tournament.ParseVerdict(result)
		must(t, err)
		_, err = d.Do(ctx, "t", director.SetBoard(director.MatchBoard{Round: 1, Match: 1, Board: i%3 + 1}, v), byArbiter)
		must(t, err)
	}
	catchUp(t, p)
	verified(t, p)
	for i, want := range []int{2, 2, 0} {
		rows, err := p.Ratings.Changes(ctx, b[i].HallGame)
		must(t, err)
		if len(rows) != want {
			t.Errorf("board %d has %d rating rows", i+1, len(rows))
		}
		game, _, err := p.Games.Load(ctx, b[i].HallGame)
		must(t, err)
		if want := []string{"quixo/duel", "quits/duel", "quixo/duel"}[i]; game.Variant != want || game.Tournament.Board != 1 {
			t.Errorf("board %d: %+v", i+1, game)
		}
	}
	// White's player lost the first board after the correction; on the second Black's has seat 1.
	game, _, err := p.Games.Load(ctx, b[0].HallGame)
	must(t, err)
	if !slices.Equal(game.Outcome.Ranks, []int{2, 1}) || game.Players[0] != b[0].Players[0] {
		t.Errorf("board 1: %+v", game)
	}
	if game, _, err = p.Games.Load(ctx, b[1].HallGame); err != nil || !slices.Equal(game.Outcome.Ranks, []int{1, 2}) ||
		game.Players[0] != b[1].Players[1] {
		t.Errorf("board 2: %+v, %v", game, err)
	}
	if r := load(t, p, "t").Rounds[0]; r.Status != tournament.Complete || r.Pairings[0].Result.Points[0] != 0 ||
		r.Pairings[0].Result.Second[1] != 25 {
		t.Errorf("the match: %+v", r.Pairings[0].Result)
	}
}
