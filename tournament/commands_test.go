package tournament_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/presence"
	"quatuor/tournament/registration"
	"quatuor/tournament/scoring"
	"quatuor/tournament/tournamenttest"
)

// TestAnyCommands throws any commands at a tournament. None may change the value it was called on; whatever is accepted
// leaves the rounds' statuses in step with their results, and the numbers alone after the start: in a Swiss they may
// change until round 4 has been drawn up, by late entries or other ratings.
func TestAnyCommands(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		settings := tournamenttest.Settings()
		settings.Venue = rapid.SampledFrom([]tournament.Venue{"", tournament.OnServer, tournament.InHall}).Draw(rt, "venue")
		settings.Rated = rapid.Bool().Draw(rt, "rated")
		settings.Play.Bots = settings.Venue != tournament.InHall && rapid.Bool().Draw(rt, "bots")
		switch rapid.SampledFrom([]tournament.Format{tournament.RoundRobin, tournament.Knockout, tournament.Swiss, tournament.Swiss}).Draw(rt, "format") {
		case tournament.Knockout:
			settings.Format, settings.TieBreaks = tournament.Knockout, nil
			settings.Rules.Match = tournament.KnockoutRules{Replays: 1, Decision: tournament.ByLot}
		case tournament.Swiss:
			settings.Format, settings.TieBreaks = tournament.Swiss, nil
			settings.Rules.AdjournedDraw = rapid.Bool().Draw(rt, "adjourned games are draws")
			settings.Rules.FullPointByes = rapid.Bool().Draw(rt, "full-point byes")
			settings.Rules.MissedRounds = rapid.SampledFrom([]tournament.Bye{tournament.ZeroPoint, tournament.HalfPoint}).
				Draw(rt, "missed rounds")
			settings.Rules.Acceleration = rapid.SampledFrom([]tournament.Acceleration{tournament.NoAcceleration, tournament.Baku}).
				Draw(rt, "acceleration")
		}
		tm, err := tournament.New("t", "ada", settings, tournamenttest.Checks, 0)
		if err != nil {
			rt.Fatal(err)
		}
		newGame := tournamenttest.Games()
		for range rapid.IntRange(1, 60).Draw(rt, "commands") {
			name := rapid.SampledFrom(commandNames).Draw(rt, "command")
			id := fmt.Sprint("e", rapid.IntRange(1, 5).Draw(rt, "entry"))
			round, board := rapid.IntRange(1, 3).Draw(rt, "round"), rapid.IntRange(1, 2).Draw(rt, "board")
			before := tournamenttest.AsJSON(tm)
			after, err := command(tm, name, id, round, board, newGame)
			if tournamenttest.AsJSON(tm) != before {
				rt.Fatalf("%s changed its receiver", name)
			}
			switch {
			case err != nil:
				if !errors.Is(err, tournament.ErrState) && !errors.Is(err, tournament.ErrInvalid) &&
					!errors.Is(err, tournament.ErrNotFound) {
					rt.Fatalf("%s: an error of no kind: %v", name, err)
				}
				continue
			case after.Tournament == tm && !tournamenttest.Empty(after.Delta):
				rt.Fatalf("%s changed nothing and says %+v", name, after.Delta)
			case tm.Started() && tm.NumbersFixed() && stillNumbered(tm, after.Tournament) != tournamenttest.AsJSON(numbers(tm)):
				rt.Fatalf("%s changed the numbers", name)
			}
			inOrderOfNumbers(rt, after.Tournament)
			takeBack(rt, name, tm, after, newGame)
			tm = after.Tournament
			checkRounds(rt, tm)
		}
	})
}

// takeBack undoes a command that was just carried out. The tournament must be as before, except for the ids of games
// that had been given up, and a store must be able to apply the delta.
func takeBack(t *rapid.T, name string, before *tournament.Tournament, after *tournament.Revision, newGame func() string) {
	if before == after.Tournament {
		return
	}
	back, err := after.Undo(tournament.UndoOf(before, after.Tournament, after.Delta), newGame, "x", 1)
	if err != nil {
		t.Fatalf("%s cannot be taken back: %v", name, err)
	}
	if got, want := printed(back.Tournament), printed(before); got != want {
		t.Fatalf("%s taken back:\n%s\nbefore:\n%s", name, got, want)
	}
	if got, want := printed(stored(after.Tournament, back.Tournament, back.Delta)), printed(before); got != want {
		t.Fatalf("%s taken back, as it is stored:\n%s\nbefore:\n%s", name, got, want)
	}
}

// printed prints a tournament without what may differ: the ids of games, the order of entries without a number, the
// seed of the lots, which outlives a start that was taken back.
func printed(t *tournament.Tournament) string {
	c := *t
	c.LotSeed = ""
	c.Entries = slices.SortedFunc(slices.Values(t.Entries), func(a, b tournament.Entry) int {
		return strings.Compare(a.ID, b.ID)
	})
	c.Rounds = nil
	for _, r := range t.Rounds {
		r.Pairings = slices.Clone(r.Pairings)
		for i := range r.Pairings {
			if r.Pairings[i].GameID != "" {
				r.Pairings[i].GameID = "game"
			}
		}
		c.Rounds = append(c.Rounds, r)
	}
	return tournamenttest.AsJSON(c)
}

// stored applies a delta as a store does.
func stored(t, next *tournament.Tournament, d tournament.Delta) *tournament.Tournament {
	out := *next
	out.Entries, out.Rounds = d.After(t)
	return &out
}

var commandNames = []string{
	"add", "add", "add", "register", "update", "confirm", "withdraw", "reinstate", "remove", "open", "close", "start",
	"round", "round", "publish", "publish", "drop", "edit", "edit", "result", "result", "over", "drawn", "void", "abort",
	"again", "adjourn", "clear", "hall", "hall", "server", "record", "byes", "byes", "forbid", "forbid", "finish",
	"archive",
	"check-in", "check-in anew", "check-in closed", "no check-in", "here", "here", "not here", "self",
	"bot", "bot", "bots off", "unhosted",
}

func command(
	t *tournament.Tournament, name, id string, round, board int, newGame func() string,
) (*tournament.Revision, error) {
	e, shape := tournament.Entry{ID: id, Name: "N" + id, Members: []string{id}}, tournament.Shape{Members: 1}
	switch name {
	case "add":
		if _, there := t.Entry(id); there {
			return t.Unchanged()
		}
		return registration.AddEntry(t, e, shape)
	case "register":
		if _, there := t.Entry(id); there {
			return t.Unchanged()
		}
		return registration.Register(t, e, shape)
	case "update":
		e.Club, e.Rating = "club", float64(1000*round+board)
		return registration.UpdateEntry(t, e, shape)
	case "confirm":
		return registration.ConfirmEntry(t, id)
	case "withdraw":
		return registration.Withdraw(t, id)
	case "reinstate":
		return registration.Reinstate(t, id)
	case "remove":
		return registration.RemoveEntry(t, id)
	case "open":
		return t.Open()
	case "close":
		return t.Close()
	case "start":
		return t.Start(3, tournamenttest.Seed, 1)
	case "round":
		return t.AddRound(tournamenttest.AnyRound(t))
	case "publish":
		return t.Publish(newGame, 1)
	case "drop":
		return t.DropRound(len(t.Rounds), tournamenttest.NeverBegun)
	case "edit":
		return t.EditRound(round, anyEdits(id, board), tournament.Editing{Begun: tournamenttest.NeverBegun, NewGame: newGame})
	case "byes":
		bye := []tournament.Bye{tournament.HalfPoint, tournament.FullPoint}[board-1]
		return t.RequestByes(id, []tournament.RequestedBye{{Round: round, Bye: bye}})
	case "forbid":
		return t.SetForbidden([]tournament.Ban{{Entries: []string{id, fmt.Sprint("e", board)}, First: round}})
	case "bot":
		if e, err := shape.BotEntry(board, 0); err == nil {
			e.ID = id
			if _, there := t.Entry(id); there {
				return registration.UpdateEntry(t, e, shape)
			}
			return registration.AddEntry(t, e, shape)
		}
		return t.Unchanged()
	case "bots off":
		s := t.Settings()
		s.Play.Bots = false
		return t.Configure(s, tournamenttest.Checks)
	case "unhosted":
		if _, there := t.Entry(id); there {
			return t.Unchanged()
		}
		return registration.AddEntry(t, tournament.Entry{ID: id, Name: id}, shape)
	case "finish":
		return t.Finish(1)
	case "archive":
		return t.Archive()
	}
	return checkInCommand(t, name, id, round, board, newGame)
}

func checkInCommand(t *tournament.Tournament, name, id string, round, board int, newGame func() string) (*tournament.Revision, error) {
	switch name {
	case "check-in":
		return presence.OpenCheckIn(t, false)
	case "check-in anew":
		return presence.OpenCheckIn(t, true)
	case "check-in closed":
		return presence.CloseCheckIn(t)
	case "no check-in":
		return presence.CancelCheckIn(t)
	case "here":
		return presence.SetPresent(t, id, true)
	case "not here":
		return presence.SetPresent(t, id, false)
	case "self":
		return presence.CheckSelfIn(t, id, id, board == 1)
	}
	return gameCommand(t, name, round, board, newGame)
}

func gameCommand(
	t *tournament.Tournament, name string, round, board int, newGame func() string,
) (*tournament.Revision, error) {
	switch name {
	case "over":
		return scoring.GameOver(t, round, board, []int{1, 2}, 9, "g9", "line", 1)
	case "drawn":
		return scoring.GameOver(t, round, board, []int{1, 1}, 9, newGame(), "line", 1)
	case "void":
		return scoring.GameVoid(t, round, board, newGame(), "replay", 1)
	case "abort":
		return scoring.GameAborted(t, round, board, "why", 1)
	case "clear":
		return scoring.ClearResult(t, round, board, "x", "why", 1)
	case "hall", "server":
		return t.SetVenue(round, board, tournament.Venue(name),
			tournament.Editing{Begun: tournamenttest.NeverBegun, NewGame: newGame})
	case "record":
		return scoring.SetRecord(t, round, board, "a record")
	case "adjourn":
		return scoring.Adjourn(t, round, board, "x", "tomorrow", 1)
	case "again":
		return scoring.PlayAgain(t, round, board, newGame(), "x", "why", 1)
	}
	return scoring.SetResult(t, round, board, tournament.Verdict{Ranks: []int{1, 1}}, "x", "why", 1)
}

// anyEdits moves the entry to another board, or to a bye.
func anyEdits(id string, board int) []tournament.Edit {
	other := fmt.Sprint("e", board)
	return []tournament.Edit{
		{Kind: tournament.SwapEntries, Entries: []string{id, other}},
		{Kind: tournament.Reseat, Board: board},
		{Kind: tournament.Unpair, Board: board},
		{Kind: tournament.Pair, Entries: []string{id, other}},
		{Kind: tournament.GiveBye, Entries: []string{id}, Bye: tournament.HalfPoint},
	}[len(id)+board&1:][:1+board]
}

func numbers(t *tournament.Tournament) map[string]int {
	out := make(map[string]int)
	for _, e := range t.Entries {
		out[e.ID] = e.Number
	}
	return out
}

// stillNumbered prints the present numbers of the entries that had a number before.
func stillNumbered(before, after *tournament.Tournament) string {
	now := numbers(after)
	kept := make(map[string]int)
	for id, n := range numbers(before) {
		kept[id] = n
		if n > 0 {
			kept[id] = now[id]
		}
	}
	return tournamenttest.AsJSON(kept)
}

// inOrderOfNumbers demands the numbers 1, 2, 3 … at the head of the list once a tournament runs, and none before.
func inOrderOfNumbers(t *rapid.T, tm *tournament.Tournament) {
	numbered := 0
	for i, e := range tm.Entries {
		switch {
		case e.Number > 0 && e.Number != i+1:
			t.Fatalf("entry %s at place %d has number %d", e.ID, i+1, e.Number)
		case e.Number > 0:
			numbered++
		}
	}
	if !tm.Started() && numbered > 0 {
		t.Fatalf("%d numbers before the start", numbered)
	}
}

// checkHall checks that a board has a game at no more than a single venue, and that what belongs to the hall is only
// there.
func checkHall(t *rapid.T, tm *tournament.Tournament, p tournament.Pairing) {
	switch r := p.Result; {
	case p.GameID != "" && p.HallGame != "", p.HallGame != "" && p.Venue != tournament.InHall:
		t.Fatalf("board %d has a game %q on the server and one %q in the hall, and is played there: %q", p.Board, p.GameID,
			p.HallGame, p.Venue)
	case p.Record != "" && (p.HallGame == "" || r == nil || r.Forfeit):
		t.Fatalf("board %d has a record of no game: %+v", p.Board, r)
	case r != nil && r.Rated && (p.HallGame == "" || r.Forfeit || !tm.Rated):
		t.Fatalf("board %d is rated: %+v", p.Board, r)
	}
}

// checkBots checks that a bot plays on the server, against a person.
func checkBots(t *rapid.T, tm *tournament.Tournament, round int, p tournament.Pairing) {
	if !tm.WithBot(p) || p.Bye != tournament.NoBye {
		return
	}
	people := slices.ContainsFunc(p.Seats, func(id string) bool {
		e, _ := tm.Entry(id)
		return e.Bot() == 0
	})
	if !people || tm.VenueOf(round, p) == tournament.InHall || p.HallGame != "" {
		t.Fatalf("a bot sits at board %d of round %d: %+v", p.Board, round, p)
	}
}

func checkRounds(t *rapid.T, tm *tournament.Tournament) {
	for i, r := range tm.Rounds {
		open, published := 0, 0
		for _, p := range r.Pairings {
			if p.Result == nil {
				open++
			} else if len(p.Result.Points) != len(p.Seats) {
				t.Fatalf("round %d board %d: %d points for %d seats", r.Number, p.Board, len(p.Result.Points), len(p.Seats))
			}
			if p.GameID != "" || p.HallGame != "" {
				published++
			}
			checkHall(t, tm, p)
			checkBots(t, tm, r.Number, p)
			if p.Games > tournament.MaxGames {
				t.Fatalf("round %d board %d took %d games", r.Number, p.Board, p.Games)
			}
		}
		switch {
		case r.Number != i+1:
			t.Fatalf("round %d stands at place %d", r.Number, i+1)
		case r.Status == tournament.Paired && (i != len(tm.Rounds)-1 || published > 0):
			t.Fatalf("round %d is only drawn up, with %d games", r.Number, published)
		case r.Status == tournament.Complete && open > 0, r.Status == tournament.Published && open == 0:
			t.Fatalf("round %d is %s with %d open boards", r.Number, r.Status, open)
		}
	}
}
