package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"quatuor/rating"
	"quatuor/rating/elo"
	"quatuor/rating/glicko2"
	"quatuor/rating/ledger"
	"quatuor/rating/plackettluce"
	"quatuor/tournament/club"
)

// rules rate all lists alike.
type rules ledger.Rules

// Rules returns the rules of any list.
func (r rules) Rules(string) ledger.Rules { return ledger.Rules(r) }

// rowsOf returns the stored rows of all games.
func rowsOf(t *testing.T, p Ports, games []string) []ledger.Row {
	t.Helper()
	of, err := p.Ratings.Games(t.Context(), games)
	must(t, err)
	var rows []ledger.Row
	for _, id := range games {
		rows = append(rows, of[id].Rows...)
	}
	return rows
}

// ratingSystems rates games by every system: the stored ratings equal those of the games, to the last bit. A mark takes
// back its player's gains, and lifting it leaves nothing of it.
func ratingSystems(t *testing.T, p Ports) {
	players := []string{"ann", "bob", "cid", "dan"}
	for _, id := range players {
		must(t, p.Players.CreatePlayer(t.Context(), club.Player{ID: id, Name: id}))
	}
	c := newHallClub(t, p, "t", players...)
	games := []string{c.enter(t, 1, "1-0").HallGame, c.enter(t, 2, "1-0").HallGame}
	winner := load(t, p, "t").Players(c.board(t, 1))[0]
	for n, system := range []rating.System{
		plackettluce.System{},
		glicko2.Games{},
		rating.Live{By: glicko2.Periods{}},
		rating.Live{By: elo.FIDE{}},
		rating.Live{By: elo.FIDE{Settings: elo.Settings{Start: rating.Set(1500)}}},
		elo.Club{},
	} {
		l := ledger.NewBy(p.Ratings, rules{System: system, Limits: []ledger.PairLimit{{Games: 1}}})
		_, err := l.CatchUp(t.Context())
		must(t, err)
		_, err = l.Recompute(t.Context())
		must(t, err)
		before := rowsOf(t, p, games)
		if len(before) != 4 || before[0].System != system.Name() {
			t.Fatalf("%s: %+v", system.Name(), before)
		}
		unrated := before[0].Unrated
		mark := ledger.Mark{
			ID: system.Name() + fmt.Sprint(n), PlayerID: winner, TournamentID: "t", Reason: "engine", By: "root", At: 1,
		}
		must(t, p.Ratings.Mark(t.Context(), mark))
		again := mark
		again.ID += "-again"
		refused(t, "the same mark again", p.Ratings.Mark(t.Context(), again), ledger.ErrMarked)
		_, err = l.CatchUp(t.Context())
		must(t, err)
		marked := rowsOf(t, p, games)
		for _, r := range marked[:2] {
			if !unrated && (!r.Refunded || r.After != r.Before) {
				t.Errorf("%s: %+v", system.Name(), r)
			}
		}
		equal(t, "a game without the player", marked[2:], before[2:])
		report, err := l.Verify(t.Context())
		must(t, err)
		if !report.OK() {
			t.Errorf("%s, marked: %+v", system.Name(), report)
		}
		_, err = p.Ratings.Lift(t.Context(), mark.ID, "root", 2)
		must(t, err)
		_, err = p.Ratings.Lift(t.Context(), mark.ID, "root", 3)
		refused(t, "lifted twice", err, ledger.ErrNoMark)
		_, err = l.CatchUp(t.Context())
		must(t, err)
		if after := rowsOf(t, p, games); !reflect.DeepEqual(after, before) {
			t.Errorf("%s, lifted: %+v\nwant %+v", system.Name(), after, before)
		}
		current, err := p.Ratings.Current(t.Context(), before[0].List, []string{winner})
		must(t, err)
		i := slices.IndexFunc(before, func(r ledger.Row) bool { return r.PlayerID == winner })
		equal(t, "the current rating", current[winner], before[i].Rating())
	}
	met, err := p.Ratings.Meetings(t.Context(), "quixo-blitz",
		[2]string{winner, load(t, p, "t").Players(c.board(t, 1))[1]}, 0, 1<<50, 1<<50)
	must(t, err)
	equal(t, "games between two opponents", len(met), 1)
	equal(t, "games of a tournament", met[0].Casual, false)
}
