package tournament_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/registration"
	"quatuor/tournament/scoring"
	"quatuor/tournament/tournamenttest"
)

func TestNewTidiesUp(t *testing.T) {
	tm, err := tournament.New("t", "ada", tournamenttest.Settings(), tournamenttest.Checks, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if tm.Name != "Friday" || tm.TimeControl != "300+3" || tm.Points != tournament.StandardPoints ||
		tm.Status != tournament.Draft ||
		tm.Version != 1 ||
		tm.CreatedAt != 1000 {
		t.Errorf("made %+v", tm)
	}
}

func TestSettingsFaults(t *testing.T) {
	tests := []struct {
		field string
		spoil func(*tournament.Settings)
	}{
		{"name", func(s *tournament.Settings) { s.Name = "  " }},
		{"name", func(s *tournament.Settings) { s.Name = strings.Repeat("x", 201) }},
		{"name", func(s *tournament.Settings) { s.Name = "a\nb" }},
		{"variant", func(s *tournament.Settings) { s.Variant = "chess" }},
		{"format", func(s *tournament.Settings) { s.Format = "ladder" }},
		{"time_control", func(s *tournament.Settings) { s.TimeControl = "fast" }},
		{"tie_breaks", func(s *tournament.Settings) { s.TieBreaks = []string{"XX"} }},
		{"tie_breaks", func(s *tournament.Settings) { s.TieBreaks = []string{"DE", "DE"} }},
		{"tie_breaks", func(s *tournament.Settings) { s.TieBreaks = make([]string, 13) }},
		{"rounds", func(s *tournament.Settings) { s.RoundCount = -1 }},
		{"starts_at", func(s *tournament.Settings) { s.StartsAt = -1 }},
		{"points", func(s *tournament.Settings) { s.Points = tournament.PointSystem{Win: 10, Draw: 10} }},
		{"points", func(s *tournament.Settings) { s.Points = tournament.PointSystem{Win: 10, Draw: 5, Bye: 11} }},
	}
	for _, test := range tests {
		s := tournamenttest.Settings()
		test.spoil(&s)
		_, err := tournament.New("t", "ada", s, tournamenttest.Checks, 0)
		var faults tournament.FieldErrors
		if !errors.As(err, &faults) || len(faults) != 1 || faults[0].Field != test.field || !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%+v: %v, want one fault in %s", s, err, test.field)
		}
	}
	_, err := tournament.New("t", "ada", tournament.Settings{}, tournamenttest.Checks, 0)
	var faults tournament.FieldErrors
	if !errors.As(err, &faults) || len(faults) != 3 {
		t.Errorf("nothing set: %v, want faults in name, variant and time_control", err)
	}
}

func TestConfigure(t *testing.T) {
	tm, err := tournament.New("t", "ada", tournamenttest.Settings(), tournamenttest.Checks, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := tm.Settings()
	s.Rated = true
	s.AutoRounds = true
	s.RoundCount = 3
	tm = tournamenttest.Must(t)(tm.Configure(s, tournamenttest.Checks))
	if !tm.Rated || !tm.AutoRounds || tm.RoundCount != 3 {
		t.Errorf("configured %+v", tm)
	}
	tm = tournamenttest.Running(t, "A", "B")
	s = tm.Settings()
	s.Name = "Saturday"
	s.TieBreaks = []string{"SB"}
	s.AutoRounds = true
	tm = tournamenttest.Must(t)(tm.Configure(s, tournamenttest.Checks))
	if tm.Name != "Saturday" || !slices.Equal(tm.TieBreaks, []string{"SB"}) || !tm.AutoRounds {
		t.Errorf("configured while running: %+v", tm)
	}
	for field, change := range map[string]func(*tournament.Settings){
		"format":       func(s *tournament.Settings) { s.Format = tournament.TableSwiss },
		"rounds":       func(s *tournament.Settings) { s.RoundCount = 9 },
		"time_control": func(s *tournament.Settings) { s.TimeControl = "60+0" },
		"options":      func(s *tournament.Settings) { s.Options = map[string]string{"a": "b"} },
		"points":       func(s *tournament.Settings) { s.Points = tournament.PointSystem{Win: 30, Draw: 10} },
		"rated":        func(s *tournament.Settings) { s.Rated = !s.Rated },
		"starts_at":    func(s *tournament.Settings) { s.StartsAt = 5 },
	} {
		s := tm.Settings()
		change(&s)
		if _, err := tm.Configure(s, tournamenttest.Checks); !errors.Is(err, tournament.ErrState) ||
			!strings.HasPrefix(err.Error(), field) {
			t.Errorf("%s while running: %v, want ErrState", field, err)
		}
	}
}

func TestInitialOrder(t *testing.T) {
	tm, err := tournament.New("t", "ada", tournamenttest.Settings(), tournamenttest.Checks, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range []tournament.Entry{
		{Name: "Zoe", Rating: 1700}, {Name: "bob", Rating: 1500}, {Name: "Ann"}, {Name: "Al", Rating: 1500}, {Name: "Gone", Rating: 2500},
	} {
		e.ID, e.Members = fmt.Sprint("e", i), []string{e.Name}
		tm = tournamenttest.Must(t)(registration.AddEntry(tm, e, tournament.Shape{Members: 1}))
	}
	tm = tournamenttest.Must(t)(registration.Withdraw(tm, "e4"))
	if tm.Field() != 4 {
		t.Errorf("a field of %d, want 4", tm.Field())
	}
	started, err := tm.Start(3, tournamenttest.Seed, 0)
	tm = tournamenttest.Must(t)(started, err)
	var got []string
	for _, e := range tm.Entries {
		got = append(got, fmt.Sprint(e.Number, " ", e.Name))
	}
	if want := "1 Zoe, 2 Al, 3 bob, 4 Ann, 0 Gone"; strings.Join(got, ", ") != want {
		t.Errorf("order %v, want %s", got, want)
	}
	if len(tm.Numbered()) != 4 || len(started.Delta.Entries) != 5 {
		t.Errorf("%d numbered, %d entries to store; want 4 and 5", len(tm.Numbered()), len(started.Delta.Entries))
	}
	if _, err := registration.Reinstate(tm, "e4"); !errors.Is(err, tournament.ErrState) {
		t.Errorf("back after the start: %v, want ErrState", err)
	}
}

func TestEntryFaults(t *testing.T) {
	tm, err := tournament.New("t", "ada", tournamenttest.Settings(), tournamenttest.Checks, 0)
	if err != nil {
		t.Fatal(err)
	}
	tm = tournamenttest.Must(t)(registration.AddEntry(tm, tournament.Entry{ID: "a", Name: "A", Members: []string{"p"}},
		tournament.Shape{Members: 1}))
	for field, e := range map[string]tournament.Entry{
		"name":    {ID: "b", Members: []string{"q"}},
		"rating":  {ID: "b", Name: "B", Rating: -1},
		"members": {ID: "b", Name: "B", Members: []string{"p"}},
	} {
		var faults tournament.FieldErrors
		if _, err := registration.AddEntry(tm, e, tournament.Shape{Members: 1}); !errors.As(err, &faults) ||
			faults[0].Field != field {
			t.Errorf("%+v: %v, want a fault in %s", e, err, field)
		}
	}
	_, err = registration.AddEntry(tm, tournament.Entry{ID: "b", Name: "B", Members: []string{"q", "q"}},
		tournament.Shape{Members: 2})
	if !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("a team of one person: %v, want ErrInvalid", err)
	}
	_, err = registration.UpdateEntry(tm, tournament.Entry{ID: "nobody", Name: "B"}, tournament.Shape{Members: 1})
	if !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("an unknown entry: %v, want ErrNotFound", err)
	}
	// A withdrawn player may have been replaced: the player may not come back twice.
	tm = tournamenttest.Must(t)(registration.Withdraw(tm, "a"))
	tm = tournamenttest.Must(t)(registration.AddEntry(tm, tournament.Entry{ID: "b", Name: "B", Members: []string{"p"}},
		tournament.Shape{Members: 1}))
	if _, err := registration.Reinstate(tm, "a"); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("one player in two entries: %v, want ErrInvalid", err)
	}
}

func TestPairingsAreChecked(t *testing.T) {
	tm := tournamenttest.Running(t, "A", "B", "C")
	duel := func(board int, seats ...string) tournament.Pairing {
		return tournament.Pairing{Board: board, Seats: seats}
	}
	for name, pairings := range map[string][]tournament.Pairing{
		"no pairing":          nil,
		"a board left out":    {duel(2, "e1", "e2")},
		"an unknown entry":    {duel(1, "e1", "e9")},
		"somebody twice":      {duel(1, "e1", "e2"), duel(2, "e3", "e1")},
		"against oneself":     {duel(1, "e1", "e1")},
		"alone without a bye": {duel(1, "e1")},
		"two with a bye":      {{Board: 1, Seats: []string{"e1", "e2"}, Bye: tournament.ZeroPoint}},
		"nobody at the board": {duel(1)},
	} {
		if _, err := tm.AddRound(pairings); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
}

func TestByesAreWorthWhatTheyAre(t *testing.T) {
	tm := tournamenttest.Running(t, "A", "B", "C", "D")
	for i, bye := range []tournament.Bye{tournament.PairingAllocated, tournament.HalfPoint, tournament.FullPoint, tournament.ZeroPoint} {
		if got, want := tm.Points.ForBye(bye), []tournament.Points{10, 5, 10, 0}[i]; got != want {
			t.Errorf("%s is worth %s, want %s", bye, got, want)
		}
	}
	tm = tournamenttest.InRound(t, tm, tournament.Pairing{Board: 1, Seats: []string{"e1"}, Bye: tournament.HalfPoint},
		tournament.Pairing{Board: 2, Seats: []string{"e2"}, Bye: tournament.ZeroPoint})
	if tm.Rounds[0].Status != tournament.Complete {
		t.Errorf("a round of byes is %s, want complete", tm.Rounds[0].Status)
	}
	_, err := scoring.SetResult(tm, 1, 1, tournament.Verdict{Forfeit: true}, "x", "", 0)
	if !errors.Is(err, tournament.ErrState) {
		t.Errorf("a result for a bye: %v, want ErrState", err)
	}
	card := tm.Cards(1)[0].Cells[0]
	if card.Kind != tournament.Unpaired || card.Bye != tournament.HalfPoint || card.Points != 5 || card.Opponents != nil ||
		card.Seat != 0 {
		t.Errorf("the cell is %+v", card)
	}
}

// TestWithoutMembers: entries without players are played over the board; the server opens no game.
func TestWithoutMembers(t *testing.T) {
	tm := tournamenttest.Running(t, "A", "B")
	tm.Entries[1].Members = nil
	tm = tournamenttest.InRound(t, tm, tournament.Pairing{Board: 1, Seats: []string{"e1", "e2"}})
	if p := tm.Rounds[0].Pairings[0]; p.GameID != "" || p.Games != 0 {
		t.Errorf("game %q was planned", p.GameID)
	}
	if _, err := scoring.PlayAgain(tm, 1, 1, "g", "x", "", 0); !errors.Is(err, tournament.ErrState) {
		t.Errorf("a game for nobody: %v, want ErrState", err)
	}
}

func TestResultsAndTheirHistory(t *testing.T) {
	tm := tournamenttest.InRound(t, tournamenttest.Running(t, "A", "B"),
		tournament.Pairing{Board: 1, Seats: []string{"e1", "e2"}})
	win, _ := tournament.ParseVerdict("1-0")
	for _, place := range [][2]int{{0, 1}, {2, 1}, {1, 0}, {1, 2}} {
		if _, err := scoring.SetResult(tm, place[0], place[1], win, "x", "", 0); !errors.Is(err, tournament.ErrNotFound) {
			t.Errorf("round %d board %d: %v, want ErrNotFound", place[0], place[1], err)
		}
	}
	for _, v := range []tournament.Verdict{{}, {Ranks: []int{1}}, {Ranks: []int{1, 2, 3}}, {Ranks: []int{1, 1}, Forfeit: true}} {
		if _, err := scoring.SetResult(tm, 1, 1, v, "x", "", 0); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%+v: %v, want ErrInvalid", v, err)
		}
	}
	first, err := scoring.SetResult(tm, 1, 1, win, "x", "seen", 9)
	if err != nil || len(first.Delta.Rounds) != 1 || first.Rounds[0].Status != tournament.Complete || first.Delta.Changes[0].Before != nil {
		t.Fatalf("%+v, %v", first.Delta, err)
	}
	if again, err := scoring.SetResult(first.Tournament, 1, 1, win, "y", "seen", 10); again.Tournament != first.Tournament || !tournamenttest.Empty(again.Delta) ||
		err != nil {
		t.Errorf("the same result again: %+v, %v; want no change", again.Delta, err)
	}
	draw, _ := tournament.ParseVerdict("1/2-1/2")
	second, err := scoring.SetResult(first.Tournament, 1, 1, draw, "y", "scoresheets", 11)
	if err != nil || len(second.Delta.Pairings) != 1 || tournamenttest.Empty(second.Delta) {
		t.Fatalf("%+v, %v", second.Delta, err)
	}
	change := second.Delta.Changes[0]
	if change.By != "y" || change.At != 11 || change.Why != "scoresheets" || change.Before.Verdict().String() != "1-0" ||
		change.After.Verdict().String() != "1/2-1/2" {
		t.Errorf("the history says %+v", change)
	}
	open, err := scoring.PlayAgain(second.Tournament, 1, 1, "new", "y", "", 12)
	if err != nil || open.Rounds[0].Status != tournament.Published || len(open.Delta.Rounds) != 1 ||
		!scoring.Awaits(open.Tournament, 1, 1, "new") ||
		scoring.Awaits(open.Tournament, 1, 1, "g1") {
		t.Errorf("played anew: %+v, %v", open.Rounds[0], err)
	}
}

func TestVerdicts(t *testing.T) {
	for _, text := range []string{"1-0", "1/2-1/2", "0-1", "1/2-0", "0-1/2", "0-0", "+--", "--+", "---"} {
		if v, err := tournament.ParseVerdict(text); err != nil || v.String() != text {
			t.Errorf("%s comes back as %s, %v", text, v, err)
		}
	}
	for _, text := range []string{"", "1:0", "2-0", "1/2-1", "½-½"} {
		if _, err := tournament.ParseVerdict(text); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%q: %v, want ErrInvalid", text, err)
		}
	}
	for _, ranks := range [][]int{nil, {1}, {2, 2}, {0, 1}, {1, 3}, {1, 2, 4}} {
		if _, err := tournament.RankVerdict(ranks); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%v: %v, want ErrInvalid", ranks, err)
		}
	}
	for text, ranks := range map[string][]int{"1-0": {1, 2}, "1,1,3": {1, 1, 2}, "4,1,1,3": {3, 1, 1, 2}} {
		if v, err := tournament.RankVerdict(ranks); err != nil || v.String() != text {
			t.Errorf("%v prints as %s (%v), want %s", ranks, v, err, text)
		}
	}
}

func TestPointsByRank(t *testing.T) {
	football := tournament.PointSystem{Win: 30, Draw: 10, ForfeitWin: 20}
	tests := []struct {
		system tournament.PointSystem
		ranks  []int
		want   string
	}{
		{tournament.StandardPoints, []int{1, 2}, "[1 0]"},
		{tournament.StandardPoints, []int{1, 1}, "[0.5 0.5]"},
		{football, []int{2, 1}, "[0 3]"},
		{football, []int{1, 1}, "[1 1]"},
		{tournament.StandardPoints, []int{4, 2, 1, 3}, "[0 2 3 1]"},
		{tournament.StandardPoints, []int{1, 1, 3, 4}, "[2.5 2.5 1 0]"},
		{tournament.StandardPoints, []int{1, 2, 2, 2}, "[3 1 1 1]"},
		{tournament.StandardPoints, []int{1, 1, 1, 1, 5}, "[2.5 2.5 2.5 2.5 0]"},
	}
	for _, test := range tests {
		if got := fmt.Sprint(test.system.ForRanks(test.ranks)); got != test.want {
			t.Errorf("%v: %s, want %s", test.ranks, got, test.want)
		}
	}
	if got := fmt.Sprint(football.ForForfeit(2, []int{2, 1}), football.ForForfeit(2, nil)); got != "[0 2] [0 0]" {
		t.Errorf("forfeits: %s", got)
	}
	if got := fmt.Sprint(tournament.Points(-15), tournament.Points(30), tournament.Points(5)); got != "-1.5 3 0.5" {
		t.Errorf("points print as %s", got)
	}
}

func TestDeltasJoin(t *testing.T) {
	pair := func(round, board, games int) tournament.RoundPairing {
		return tournament.RoundPairing{Round: round, Pairing: tournament.Pairing{Board: board, Games: games}}
	}
	first := tournament.Delta{
		Entries: []tournament.Entry{
			{ID: "a", Name: "old"},
			{ID: "b"},
		}, Pairings: []tournament.RoundPairing{pair(1, 1, 1), pair(2, 1, 1)},
		Rounds: []tournament.Round{{Number: 3, Pairings: []tournament.Pairing{{Board: 1}, {Board: 2}}}},
	}
	second := tournament.Delta{
		Entries: []tournament.Entry{{ID: "a", Name: "new"}}, Pairings: []tournament.RoundPairing{pair(1, 1, 2), pair(3, 2, 7)},
		Rounds: []tournament.Round{{Number: 2, Pairings: []tournament.Pairing{{Board: 1, Games: 5}}}}, RemovedEntry: []string{"c"},
		Changes: []tournament.Change{{Round: 1}},
	}
	got := first.Then(second)
	want := tournament.Delta{
		Entries: []tournament.Entry{{ID: "b"}, {ID: "a", Name: "new"}}, Pairings: []tournament.RoundPairing{pair(1, 1, 2)},
		Rounds: []tournament.Round{
			{
				Number:   3,
				Pairings: []tournament.Pairing{{Board: 1}, {Board: 2, Games: 7}},
			}, {Number: 2, Pairings: []tournament.Pairing{{Board: 1, Games: 5}}},
		},
		RemovedEntry: []string{"c"}, Changes: []tournament.Change{{Round: 1}},
	}
	if tournamenttest.AsJSON(got) != tournamenttest.AsJSON(want) {
		t.Errorf("joined\n%s\nwant\n%s", tournamenttest.AsJSON(got), tournamenttest.AsJSON(want))
	}
	if first.Rounds[0].Pairings[1].Games != 0 {
		t.Error("joining changed the first delta")
	}
}

// TestPointsFollow: a bye and a forfeit are worth a win and a loss unless they are set.
func TestPointsFollow(t *testing.T) {
	p := func(tenths tournament.Points) *tournament.Points { return &tenths }
	football := tournament.StandardPoints.With(tournament.GivenPoints{Win: p(30), Draw: p(10)})
	if want := (tournament.PointSystem{Win: 30, Draw: 10, ForfeitWin: 30, Bye: 30}); football != want {
		t.Errorf("%+v, want %+v", football, want)
	}
	one := football.With(tournament.GivenPoints{Bye: p(10), Loss: p(5)})
	if want := (tournament.PointSystem{Win: 30, Draw: 10, Loss: 5, ForfeitWin: 30, ForfeitLoss: 5, Bye: 10}); one != want {
		t.Errorf("%+v, want %+v", one, want)
	}
	if two := one.With(tournament.GivenPoints{Win: p(20)}); two.ForfeitWin != 20 || two.Bye != 10 {
		t.Errorf("%+v: the forfeit win follows, the bye has its own value", two)
	}
}
