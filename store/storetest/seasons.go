package storetest

import (
	"context"
	"fmt"
	"testing"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament/club"
	"quatuor/tournament/exact"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// Seasons tests ladders, leagues, series and seasons.
func Seasons(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"series", storeSeries},
		{"ladders", ladders},
		{"games of ladders", ladderGames},
		{"members that are merged or deleted", ladderMembers},
		{"leagues", leagues},
		{"seasons", seasons},
	})
}

func storeSeries(t *testing.T, p Ports) {
	ctx := t.Context()
	s := series.Settings{
		ID: "s", Name: "Winter", Organiser: "olga", Rules: series.DefaultRules(), CreatedAt: 5,
		Parts: []series.Part{{Tournament: "t", Factor: exact.Whole(3) / 2}},
	}
	_, err := p.Seasons.Series(ctx, "s")
	refused(t, "a series that is not there", err, series.ErrNotFound)
	must(t, p.Seasons.SaveSeries(ctx, s))
	again := s
	again.Name = "Again"
	must(t, p.Seasons.SaveSeries(ctx, again)) // a second series of the same id is the first
	s.Version = 1
	got, err := p.Seasons.Series(ctx, "s")
	must(t, err)
	equal(t, "the series", got, s)
	s.Name, s.Rules.Best = "Spring", 4
	must(t, p.Seasons.SaveSeries(ctx, s))
	refused(t, "an older version", p.Seasons.SaveSeries(ctx, s), club.ErrStale)
	s.Version = 2
	must(t, p.Seasons.SaveSeries(ctx, series.Settings{ID: "later", CreatedAt: 6}))
	p = p.Reopen(t)
	list, err := p.Seasons.ListSeries(ctx)
	must(t, err)
	equal(t, "the newest", list[0].ID, "later")
	equal(t, "the series after a restart", list[1], s)
	refused(t, "deleting an older version", p.Seasons.DeleteSeries(ctx, "s", 1), club.ErrStale)
	must(t, p.Seasons.DeleteSeries(ctx, "s", 2))
	_, err = p.Seasons.Series(ctx, "s")
	refused(t, "a deleted series", err, series.ErrNotFound)
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
	l.Version = 1
	equal(t, "the ladder", got, l)
	equal(t, "what was done", stored, append(acts,
		ladder.Act{N: 3, At: 12, Kind: ladder.ActJoin, Player: fmt.Sprint("p", winner)},
		ladder.Act{N: 4, At: 12, Kind: ladder.ActLeave, Player: "a"}))
	renamed := l
	renamed.Name, renamed.Rules.Reach = "Evening ladder", 9
	must(t, p.Seasons.SaveLadder(ctx, renamed)) // the name alone
	l.Name, l.Version = "Evening ladder", 2
	refused(t, "renaming an older version", p.Seasons.SaveLadder(ctx, renamed), club.ErrStale)
	list, err := p.Seasons.ListLadders(ctx)
	must(t, err)
	equal(t, "all ladders", list, []ladder.Settings{l})
	refused(t, "an act on a ladder that is not there", p.Seasons.AddActs(ctx, "none", acts[:1]), ladder.ErrNotFound)
	refused(t, "deleting an older version", p.Seasons.DeleteLadder(ctx, "l", 1), club.ErrStale)
	for i := range 4 {
		deletedOrChallenged(t, p, fmt.Sprint("raced ", i))
	}
	must(t, p.Seasons.DeleteLadder(ctx, "l", 2)) // a report is no challenge
	refused(t, "deleting it again", p.Seasons.DeleteLadder(ctx, "l", 2), club.ErrStale)
	_, _, err = p.Seasons.Ladder(ctx, "l")
	refused(t, "a deleted ladder", err, ladder.ErrNotFound)
	games, err := p.Seasons.Games(ctx, []string{"g"})
	must(t, err)
	equal(t, "games that are not there", len(games), 0)
}

// ladderGames reads games of a ladder, between the defender at seat 1 and the challenger, at every stage.
func ladderGames(t *testing.T, p Ports) {
	ended := func(ranks ...int) *engine.Outcome { return &engine.Outcome{Ranks: ranks} }
	seats := func(of ...int8) (s table.SeatSet) {
		for _, seat := range of {
			s = s.With(seat)
		}
		return s
	}
	for _, c := range []struct {
		game table.Game
		want ladder.Game
	}{
		{table.Game{ID: "both missing", Status: table.Waiting, Invited: seats(1, 2)}, ladder.Game{}},
		{table.Game{ID: "defender missing", Status: table.Waiting, Invited: seats(1)}, ladder.Game{NoClock: true}},
		{table.Game{ID: "challenger missing", Status: table.Waiting, Invited: seats(2)}, ladder.Game{}},
		{table.Game{ID: "running", Status: table.Running, StartedAt: 5}, ladder.Game{}},
		{table.Game{ID: "broken off", Status: table.Aborted, StartedAt: 5, FinishedAt: 9}, ladder.Game{Over: true, At: 9}},
		{table.Game{ID: "won", Status: table.Finished, FinishedAt: 9, Outcome: ended(2, 1)}, ladder.Game{Over: true, At: 9, Counts: true, Score: 1}},
		{table.Game{ID: "drawn", Status: table.Finished, FinishedAt: 9, Outcome: ended(1, 1)}, ladder.Game{Over: true, At: 9, Counts: true, Score: 0.5}},
		{table.Game{ID: "lost", Status: table.Finished, FinishedAt: 9, Outcome: ended(1, 2)}, ladder.Game{Over: true, At: 9, Counts: true}},
	} {
		c.game.Variant, c.game.Players = "quixo/duel", []string{"defender", "challenger"}
		c.want.ID = c.game.ID
		must(t, p.Games.Create(t.Context(), []table.Game{c.game}))
		games, err := p.Seasons.Games(t.Context(), []string{c.game.ID, "none"})
		must(t, err)
		equal(t, c.game.ID, games, []ladder.Game{c.want})
	}
}

// deletedOrChallenged deletes a ladder during a challenge on it: either is refused.
func deletedOrChallenged(t *testing.T, p Ports, id string) {
	ctx := t.Context()
	must(t, p.Seasons.CreateLadder(ctx, ladder.Settings{ID: id}))
	must(t, p.Seasons.AddActs(ctx, id, []ladder.Act{{N: 1, At: 10, Kind: ladder.ActJoin, Player: "a"}}))
	challenged := make(chan error)
	go func() {
		challenged <- p.Seasons.AddActs(ctx, id, []ladder.Act{{N: 2, At: 11, Kind: ladder.ActChallenge, Challenge: "c", Player: "a"}})
	}()
	deleted := p.Seasons.DeleteLadder(ctx, id, 1)
	added := <-challenged
	_, acts, err := p.Seasons.Ladder(ctx, id)
	if deleted == nil {
		refused(t, "a challenge on a ladder that is being deleted", added, ladder.ErrNotFound)
		refused(t, "a deleted ladder", err, ladder.ErrNotFound)
		return
	}
	must(t, added)
	must(t, err)
	refused(t, "deleting a ladder with a challenge", deleted, ladder.ErrPlayed)
	refused(t, "deleting it later", p.Seasons.DeleteLadder(ctx, id, 1), ladder.ErrPlayed)
	equal(t, "what was done", len(acts), 2)
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

func leagues(t *testing.T, p Ports) {
	ctx := t.Context()
	for _, id := range []string{"a", "b", "c"} {
		must(t, p.Players.CreatePlayer(ctx, club.Player{ID: id, Name: id, Version: 1}))
	}
	l := league.Settings{ID: "l", Name: "Club league", Organiser: "olga", CreatedAt: 5}
	first := league.Plan{League: "l", Number: 1, CreatedAt: 5, State: league.State{
		Name: "1", Rules: league.DefaultRules(), Divisions: []league.Division{{Members: []league.Member{{Name: "a"}, {Name: "b"}}}},
	}}
	_, _, err := p.Seasons.League(ctx, "l")
	refused(t, "a league that is not there", err, league.ErrNotFound)
	must(t, p.Seasons.CreateLeague(ctx, l, first))
	must(t, p.Seasons.CreateLeague(ctx, league.Settings{ID: "l", Name: "Again"}, first))
	l.Version, first.Version = 1, 1
	l.Name = "League"
	must(t, p.Seasons.SaveLeague(ctx, l))
	refused(t, "an older version", p.Seasons.SaveLeague(ctx, l), club.ErrStale)
	l.Version = 2
	winner := race(t, 8, club.ErrStale, func(i int) error {
		plan := first
		plan.Confirmed, plan.State.Name = true, fmt.Sprint(i)
		return p.Seasons.SavePlan(ctx, plan)
	})
	first.Confirmed = true
	first.State.Name = fmt.Sprint(winner)
	first.Version = 2
	second := league.Plan{League: "l", Number: 2, CreatedAt: 6, State: league.State{Name: "c", Joining: []string{"c"}}}
	must(t, p.Seasons.SavePlan(ctx, second))
	must(t, p.Seasons.SavePlan(ctx, second)) // a second plan of the same number is the first
	second.Version = 1
	p = p.Reopen(t)
	got, seasons, err := p.Seasons.League(ctx, "l")
	must(t, err)
	equal(t, "the league", got, l)
	equal(t, "its seasons", seasons, []league.Plan{first, second})
	must(t, p.Seasons.CreateLeague(ctx, league.Settings{ID: "new", Organiser: "otto", CreatedAt: 6}, league.Plan{League: "new", Number: 1}))
	for organiser, want := range map[string]int{"": 1, "otto": 2} {
		list, err := p.Seasons.ListLeagues(ctx, organiser)
		must(t, err)
		equal(t, "leagues", len(list), want)
		equal(t, "the oldest", list[want-1], l)
	}

	merge := func(keep, gone string) error {
		return p.Players.MergePlayers(ctx, club.Merge{Keep: keep, Gone: gone, At: 12},
			func(context.Context, ledger.Store) error { return nil })
	}
	refused(t, "two of one season", merge("a", "b"), club.ErrMergeMet)
	must(t, merge("a", "c"))
	_, seasons, err = p.Seasons.League(ctx, "l")
	must(t, err)
	equal(t, "the season after a merge", seasons[1].State, league.State{Name: "c", Joining: []string{"a"}})
	refused(t, "deleting an older version", p.Seasons.DeletePlan(ctx, second), club.ErrStale)
	must(t, p.Seasons.DeletePlan(ctx, seasons[1]))
	must(t, p.Seasons.DeleteLeague(ctx, "l", 2))
	_, _, err = p.Seasons.League(ctx, "l")
	refused(t, "a deleted league", err, league.ErrNotFound)
}

func seasons(t *testing.T, p Ports) {
	ctx := t.Context()
	s := series.Season{
		ID: "s", Name: "2026/27", Organiser: "olga", From: "2026-09-01", To: "2027-06-30", CreatedAt: 5, Rules: series.DefaultRules(),
		Parts: []series.SeasonPart{{Kind: series.OfLeague, ID: "l", Number: 2, Weight: exact.Whole(3) / 2}},
	}
	_, err := p.Seasons.Season(ctx, "s")
	refused(t, "a season that is not there", err, series.ErrNoSeason)
	must(t, p.Seasons.SaveSeason(ctx, s))
	must(t, p.Seasons.SaveSeason(ctx, s)) // a second season of the same id is the first
	s.Version, s.To = 1, "2027-07-31"
	must(t, p.Seasons.SaveSeason(ctx, s))
	refused(t, "an older version", p.Seasons.SaveSeason(ctx, s), club.ErrStale)
	s.Version = 2
	must(t, p.Seasons.SaveSeason(ctx, series.Season{ID: "earlier", From: "2025-09-01", CreatedAt: 6}))
	p = p.Reopen(t)
	list, err := p.Seasons.ListSeasons(ctx)
	must(t, err)
	equal(t, "the latest", list[0], s)
	equal(t, "the one before", list[1].ID, "earlier")
	refused(t, "deleting an older version", p.Seasons.DeleteSeason(ctx, "s", 1), club.ErrStale)
	must(t, p.Seasons.DeleteSeason(ctx, "s", 2))
	_, err = p.Seasons.Season(ctx, "s")
	refused(t, "a deleted season", err, series.ErrNoSeason)
}
