package tournament

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAnyCommands throws any commands at a tournament. None may change the value it was called on; whatever is accepted
// leaves the rounds' statuses in step with their results, and the numbers alone after the start: in a Swiss they may
// change until round 4 has been drawn up, by late entries or other ratings.
func TestAnyCommands(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		settings := testSettings()
		settings.Venue = rapid.SampledFrom([]Venue{"", OnServer, InHall}).Draw(rt, "venue")
		settings.Rated = rapid.Bool().Draw(rt, "rated")
		settings.Play.Bots = settings.Venue != InHall && rapid.Bool().Draw(rt, "bots")
		switch rapid.SampledFrom([]Format{RoundRobin, Knockout, Swiss, Swiss}).Draw(rt, "format") {
		case Knockout:
			settings.Format, settings.TieBreaks = Knockout, nil
			settings.Rules.Match = KnockoutRules{Replays: 1, Decision: ByLot}
		case Swiss:
			settings.Format, settings.TieBreaks = Swiss, nil
			settings.Rules.AdjournedDraw = rapid.Bool().Draw(rt, "adjourned games are draws")
			settings.Rules.FullPointByes = rapid.Bool().Draw(rt, "full-point byes")
			settings.Rules.MissedRounds = rapid.SampledFrom([]Bye{ZeroPoint, HalfPoint}).Draw(rt, "missed rounds")
			settings.Rules.Acceleration = rapid.SampledFrom([]Acceleration{NoAcceleration, Baku}).Draw(rt, "acceleration")
		}
		tm, err := New("t", "ada", settings, testChecks, 0)
		if err != nil {
			rt.Fatal(err)
		}
		newGame := games()
		for range rapid.IntRange(1, 60).Draw(rt, "commands") {
			name := rapid.SampledFrom(commandNames).Draw(rt, "command")
			id := fmt.Sprint("e", rapid.IntRange(1, 5).Draw(rt, "entry"))
			round, board := rapid.IntRange(1, 3).Draw(rt, "round"), rapid.IntRange(1, 2).Draw(rt, "board")
			before := asJSON(tm)
			next, delta, err := command(tm, name, id, round, board, newGame)
			if asJSON(tm) != before {
				rt.Fatalf("%s changed its receiver", name)
			}
			switch {
			case err != nil:
				if !errors.Is(err, ErrState) && !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrNotFound) {
					rt.Fatalf("%s: an error of no kind: %v", name, err)
				}
				continue
			case next == tm && !delta.Empty():
				rt.Fatalf("%s changed nothing and says %+v", name, delta)
			case tm.started() && tm.NumbersFixed() && stillNumbered(tm, next) != asJSON(numbers(tm)):
				rt.Fatalf("%s changed the numbers", name)
			}
			inOrderOfNumbers(rt, next)
			takeBack(rt, name, tm, next, delta, newGame)
			tm = next
			checkRounds(rt, tm)
		}
	})
}

// takeBack takes a command back that has just been carried out: what was before is back, but for the ids of games that
// had been given up, and what a store would make of the delta is the same.
func takeBack(t *rapid.T, name string, before, after *Tournament, delta Delta, newGame func() string) {
	if before == after {
		return
	}
	back, undone, err := after.Undo(UndoOf(before, after, delta), newGame, "x", 1)
	if err != nil {
		t.Fatalf("%s cannot be taken back: %v", name, err)
	}
	if got, want := printed(back), printed(before); got != want {
		t.Fatalf("%s taken back:\n%s\nbefore:\n%s", name, got, want)
	}
	if got, want := printed(stored(after, back, undone)), printed(before); got != want {
		t.Fatalf("%s taken back, as it is stored:\n%s\nbefore:\n%s", name, got, want)
	}
}

// printed prints a tournament without what may differ: the ids of games, the order of entries without a number, the
// seed of the lots, which outlives a start that was taken back.
func printed(t *Tournament) string {
	c := *t
	c.LotSeed = ""
	c.Entries = slices.SortedFunc(slices.Values(t.Entries), func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
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
	return asJSON(c)
}

// stored applies a delta as a store does.
func stored(t, next *Tournament, d Delta) *Tournament {
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

func command(t *Tournament, name, id string, round, board int, newGame func() string) (*Tournament, Delta, error) {
	e, shape := Entry{ID: id, Name: "N" + id, Members: []string{id}}, Shape{Members: 1}
	switch name {
	case "add":
		if _, there := t.Entry(id); there {
			return t, Delta{}, nil
		}
		return t.AddEntry(e, shape)
	case "register":
		if _, there := t.Entry(id); there {
			return t, Delta{}, nil
		}
		return t.Register(e, shape)
	case "update":
		e.Club, e.Rating = "club", float64(1000*round+board)
		return t.UpdateEntry(e, shape)
	case "confirm":
		return t.ConfirmEntry(id)
	case "withdraw":
		return t.Withdraw(id)
	case "reinstate":
		return t.Reinstate(id)
	case "remove":
		return t.RemoveEntry(id)
	case "open":
		return t.Open()
	case "close":
		return t.Close()
	case "start":
		return t.Start(3, testSeed, 1)
	case "round":
		return t.AddRound(anyRound(t))
	case "publish":
		return t.Publish(newGame, 1)
	case "drop":
		return t.DropRound(len(t.Rounds), neverBegun)
	case "edit":
		return t.EditRound(round, anyEdits(id, board), Editing{Begun: neverBegun, NewGame: newGame})
	case "byes":
		return t.RequestByes(id, []RequestedBye{{Round: round, Bye: []Bye{HalfPoint, FullPoint}[board-1]}})
	case "forbid":
		return t.SetForbidden([]Ban{{Entries: []string{id, fmt.Sprint("e", board)}, First: round}})
	case "bot":
		if e, err := shape.BotEntry(board, 0); err == nil {
			e.ID = id
			if _, there := t.Entry(id); there {
				return t.UpdateEntry(e, shape)
			}
			return t.AddEntry(e, shape)
		}
		return t, Delta{}, nil
	case "bots off":
		s := t.Settings()
		s.Play.Bots = false
		return t.Configure(s, testChecks)
	case "unhosted":
		if _, there := t.Entry(id); there {
			return t, Delta{}, nil
		}
		return t.AddEntry(Entry{ID: id, Name: id}, shape)
	case "finish":
		return t.Finish(1)
	case "archive":
		return t.Archive()
	}
	return checkInCommand(t, name, id, round, board, newGame)
}

func checkInCommand(t *Tournament, name, id string, round, board int, newGame func() string) (
	*Tournament, Delta, error,
) {
	switch name {
	case "check-in":
		return t.OpenCheckIn(false)
	case "check-in anew":
		return t.OpenCheckIn(true)
	case "check-in closed":
		return t.CloseCheckIn()
	case "no check-in":
		return t.CancelCheckIn()
	case "here":
		return t.SetPresent(id, true)
	case "not here":
		return t.SetPresent(id, false)
	case "self":
		return t.CheckSelfIn(id, id, board == 1)
	}
	return gameCommand(t, name, round, board, newGame)
}

func gameCommand(t *Tournament, name string, round, board int, newGame func() string) (*Tournament, Delta, error) {
	switch name {
	case "over":
		return t.GameOver(round, board, []int{1, 2}, 9, "g9", "line", 1)
	case "drawn":
		return t.GameOver(round, board, []int{1, 1}, 9, newGame(), "line", 1)
	case "void":
		return t.GameVoid(round, board, newGame(), "replay", 1)
	case "abort":
		return t.GameAborted(round, board, "why", 1)
	case "clear":
		return t.ClearResult(round, board, "x", "why", 1)
	case "hall", "server":
		return t.SetVenue(round, board, Venue(name), Editing{Begun: neverBegun, NewGame: newGame})
	case "record":
		return t.SetRecord(round, board, "a record")
	case "adjourn":
		return t.Adjourn(round, board, "x", "tomorrow", 1)
	case "again":
		return t.PlayAgain(round, board, newGame(), "x", "why", 1)
	}
	return t.SetResult(round, board, Verdict{Ranks: []int{1, 1}}, "x", "why", 1)
}

// anyEdits moves the entry to another board, or to a bye.
func anyEdits(id string, board int) []Edit {
	other := fmt.Sprint("e", board)
	return []Edit{
		{Kind: SwapEntries, Entries: []string{id, other}},
		{Kind: Reseat, Board: board},
		{Kind: Unpair, Board: board},
		{Kind: Pair, Entries: []string{id, other}},
		{Kind: GiveBye, Entries: []string{id}, Bye: HalfPoint},
	}[len(id)+board&1:][:1+board]
}

// anyRound pairs neighbours by number.
func anyRound(t *Tournament) []Pairing {
	var out []Pairing
	for pair := range slices.Chunk(t.Numbered(), 2) {
		p := Pairing{Board: len(out) + 1, Seats: []string{pair[0].ID}, Bye: ZeroPoint}
		if len(pair) == 2 {
			p.Seats, p.Bye = append(p.Seats, pair[1].ID), NoBye
		}
		out = append(out, p)
	}
	return out
}

func numbers(t *Tournament) map[string]int {
	out := make(map[string]int)
	for _, e := range t.Entries {
		out[e.ID] = e.Number
	}
	return out
}

// stillNumbered prints the present numbers of the entries that had one before.
func stillNumbered(before, after *Tournament) string {
	now := numbers(after)
	kept := make(map[string]int)
	for id, n := range numbers(before) {
		kept[id] = n
		if n > 0 {
			kept[id] = now[id]
		}
	}
	return asJSON(kept)
}

// inOrderOfNumbers demands the numbers 1, 2, 3 … at the head of the list once a tournament runs, and none before.
func inOrderOfNumbers(t *rapid.T, tm *Tournament) {
	numbered := 0
	for i, e := range tm.Entries {
		switch {
		case e.Number > 0 && e.Number != i+1:
			t.Fatalf("entry %s at place %d has number %d", e.ID, i+1, e.Number)
		case e.Number > 0:
			numbered++
		}
	}
	if !tm.started() && numbered > 0 {
		t.Fatalf("%d numbers before the start", numbered)
	}
}

// checkHall checks that a board has a game at one venue at most, and that what only the hall has is only there.
func checkHall(t *rapid.T, tm *Tournament, p Pairing) {
	switch r := p.Result; {
	case p.GameID != "" && p.HallGame != "", p.HallGame != "" && p.Venue != InHall:
		t.Fatalf("board %d has a game %q on the server and one %q in the hall, and is played there: %q", p.Board, p.GameID,
			p.HallGame, p.Venue)
	case p.Record != "" && (p.HallGame == "" || r == nil || r.Forfeit):
		t.Fatalf("board %d has a record of no game: %+v", p.Board, r)
	case r != nil && r.Rated && (p.HallGame == "" || r.Forfeit || !tm.Rated):
		t.Fatalf("board %d is rated: %+v", p.Board, r)
	}
}

// checkBots checks that a bot plays on the server, against a person.
func checkBots(t *rapid.T, tm *Tournament, round int, p Pairing) {
	if !tm.WithBot(p) || p.Bye != NoBye {
		return
	}
	people := slices.ContainsFunc(p.Seats, func(id string) bool {
		e, _ := tm.Entry(id)
		return e.Bot() == 0
	})
	if !people || tm.VenueOf(round, p) == InHall || p.HallGame != "" {
		t.Fatalf("a bot sits at board %d of round %d: %+v", p.Board, round, p)
	}
}

func checkRounds(t *rapid.T, tm *Tournament) {
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
			if p.Games > MaxGames {
				t.Fatalf("round %d board %d took %d games", r.Number, p.Board, p.Games)
			}
		}
		switch {
		case r.Number != i+1:
			t.Fatalf("round %d stands at place %d", r.Number, i+1)
		case r.Status == Paired && (i != len(tm.Rounds)-1 || published > 0):
			t.Fatalf("round %d is only drawn up, with %d games", r.Number, published)
		case r.Status == Complete && open > 0, r.Status == Published && open == 0:
			t.Fatalf("round %d is %s with %d open boards", r.Number, r.Status, open)
		}
	}
}
