package storetest

import (
	"context"
	"fmt"
	"testing"

	"quatuor/rating/ledger"
	"quatuor/tournament/club"
	"quatuor/tournament/exact"
	"quatuor/tournament/ladder"
	"quatuor/tournament/prix"
)

// Seasons tests what goes on over a season.
func Seasons(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"series", series},
		{"ladders", ladders},
		{"members that are merged or deleted", ladderMembers},
	})
}

func series(t *testing.T, p Ports) {
	ctx := t.Context()
	s := prix.Settings{
		ID: "s", Name: "Winter", Organiser: "olga", Rules: prix.DefaultRules(), CreatedAt: 5,
		Parts: []prix.Part{{Tournament: "t", Factor: exact.Whole(3) / 2}},
	}
	_, err := p.Seasons.Series(ctx, "s")
	refused(t, "a series that is not there", err, prix.ErrNotFound)
	must(t, p.Seasons.SaveSeries(ctx, s))
	again := s
	again.Name = "Again"
	must(t, p.Seasons.SaveSeries(ctx, again)) // a second one of the same id is the first
	s.Version = 1
	got, err := p.Seasons.Series(ctx, "s")
	must(t, err)
	equal(t, "the series", got, s)
	s.Name, s.Rules.Best = "Spring", 4
	must(t, p.Seasons.SaveSeries(ctx, s))
	refused(t, "an older version", p.Seasons.SaveSeries(ctx, s), club.ErrStale)
	s.Version = 2
	must(t, p.Seasons.SaveSeries(ctx, prix.Settings{ID: "later", CreatedAt: 6}))
	p = p.Reopen(t)
	list, err := p.Seasons.ListSeries(ctx)
	must(t, err)
	equal(t, "the newest", list[0].ID, "later")
	equal(t, "the series after a restart", list[1], s)
	refused(t, "deleting an older version", p.Seasons.DeleteSeries(ctx, "s", 1), club.ErrStale)
	must(t, p.Seasons.DeleteSeries(ctx, "s", 2))
	_, err = p.Seasons.Series(ctx, "s")
	refused(t, "a deleted series", err, prix.ErrNotFound)
}

func ladders(t *testing.T, p Ports) {
	ctx := t.Context()
	l := ladder.Settings{
		ID: "l", Name: "Club", Organiser: "olga", Variant: "quixo/duel", TimeControl: "300+3", Hall: true,
		Rules: ladder.DefaultRules(), CreatedAt: 5,
	}
	_, _, err := p.Seasons.Ladder(ctx, "l")
	refused(t, "a ladder that is not there", err, ladder.ErrNotFound)
	must(t, p.Seasons.CreateLadder(ctx, l))
	must(t, p.Seasons.CreateLadder(ctx, ladder.Settings{ID: "l", Name: "Again"}))
	acts := []ladder.Act{
		{N: 1, At: 10, Kind: ladder.ActJoin, Player: "a", By: "olga"},
		{N: 2, At: 11, Kind: ladder.ActReport, Challenge: "c", Player: "a", Other: "b", Score: 0.5, Game: "g", Until: 12, By: "x"},
	}
	must(t, p.Seasons.AddActs(ctx, "l", acts))
	refused(t, "an act of the same number", p.Seasons.AddActs(ctx, "l", acts[1:]), ladder.ErrStale)
	winner := race(t, 8, ladder.ErrStale, func(i int) error {
		return p.Seasons.AddActs(ctx, "l", []ladder.Act{
			{N: 3, At: 12, Kind: ladder.ActJoin, Player: fmt.Sprint("p", i)}, {N: 4, At: 12, Kind: ladder.ActLeave, Player: "a"},
		})
	})
	p = p.Reopen(t)
	got, stored, err := p.Seasons.Ladder(ctx, "l")
	must(t, err)
	equal(t, "the ladder", got, l)
	equal(t, "what was done", stored, append(acts,
		ladder.Act{N: 3, At: 12, Kind: ladder.ActJoin, Player: fmt.Sprint("p", winner)},
		ladder.Act{N: 4, At: 12, Kind: ladder.ActLeave, Player: "a"}))
	list, err := p.Seasons.ListLadders(ctx)
	must(t, err)
	equal(t, "all ladders", list, []ladder.Settings{l})
	ended, err := p.Seasons.Ends(ctx, []string{"g"})
	must(t, err)
	equal(t, "games that are not there", len(ended), 0)
}

// ladderMembers merges a member with a record that was on no ladder, and deletes it.
func ladderMembers(t *testing.T, p Ports) {
	ctx := t.Context()
	for _, id := range []string{"a", "b", "other"} {
		must(t, p.Players.CreatePlayer(ctx, club.Player{ID: id, Name: id, Version: 1}))
	}
	must(t, p.Seasons.CreateLadder(ctx, ladder.Settings{ID: "l"}))
	must(t, p.Seasons.AddActs(ctx, "l", []ladder.Act{
		{N: 1, At: 10, Kind: ladder.ActJoin, Player: "a"},
		{N: 2, At: 10, Kind: ladder.ActJoin, Player: "b"},
		{N: 3, At: 11, Kind: ladder.ActChallenge, Challenge: "c", Player: "b", Other: "a"},
	}))
	merge := func(keep, gone string) error {
		return p.Players.MergePlayers(ctx, club.Merge{Keep: keep, Gone: gone, At: 12},
			func(context.Context, ledger.Store) error { return nil })
	}
	refused(t, "two that are on one ladder", merge("a", "b"), club.ErrMergeMet)
	must(t, merge("other", "a"))
	_, err := p.Players.Erase(ctx, club.Erasure{Player: "other", At: 20})
	must(t, err)
	_, stored, err := p.Seasons.Ladder(ctx, "l")
	must(t, err)
	equal(t, "what was done", stored, []ladder.Act{
		{N: 1, At: 10, Kind: ladder.ActJoin, Player: "other"},
		{N: 2, At: 10, Kind: ladder.ActJoin, Player: "b"},
		{N: 3, At: 11, Kind: ladder.ActChallenge, Challenge: "c", Player: "b", Other: "other"},
		{N: 4, At: 20, Kind: ladder.ActLeave, Player: "other"},
	})
}
