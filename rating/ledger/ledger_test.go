package ledger

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"quatuor/rating"
	"quatuor/rating/elo"
)

// duel is a rated game that the first player won.
func duel(id, winner, loser string) Finished {
	return Finished{
		GameID: id, Variant: "quixo/duel", List: "quixo-blitz", Rated: true, Players: []string{winner, loser},
		Sides: []int{1, 2}, Ranks: []int{1, 2}, Reason: "line", Plies: 20, FinishedAt: 1_700_000_000_000,
	}
}

// mixed returns a history of games with every case that the ledger must distinguish.
func mixed() []Finished {
	draw := duel("g3", "ada", "bob")
	draw.Ranks = []int{1, 1}
	unrated := duel("g4", "bob", "ada")
	unrated.Rated = false
	void := duel("g5", "bob", "ada")
	void.Ranks, void.Reason = nil, "replay"
	other := duel("g6", "bob", "ada")
	other.List = "quits-rapid"
	four := Finished{
		GameID: "g7", Variant: "quits/four", List: "quits-rapid", Rated: true, Players: []string{"ada", "bob", "cyd", "dan"},
		Sides: []int{1, 2, 3, 4}, Ranks: []int{2, 2, 1, 2}, Reason: "out", Plies: 60,
	}
	teams := four
	teams.GameID = "g8"
	teams.List = "quixo-blitz"
	teams.Sides = []int{1, 2, 1, 2}
	teams.Ranks = []int{2, 1, 2, 1}
	return []Finished{duel("g1", "ada", "bob"), duel("g2", "cyd", "ada"), draw, unrated, void, other, four, teams}
}

func catch(t rapid.TB, m *memory) int {
	t.Helper()
	n, err := New(m, elo.Club{}).CatchUp(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCatchUpWritesRows(t *testing.T) {
	m := newMemory(mixed()...)
	if n := catch(t, m); n != 8 || m.cursor != 8 {
		t.Fatalf("took %d games, cursor at %d; want 8", n, m.cursor)
	}
	var got []string
	for _, r := range m.rows {
		got = append(got, fmt.Sprintf("%s %s %s %.1f%+.1f", r.GameID, r.List, r.PlayerID, r.Before, r.Change))
	}
	want := []string{
		"g1 quixo-blitz ada 1500.0+20.0", "g1 quixo-blitz bob 1500.0-20.0",
		"g2 quixo-blitz cyd 1500.0+21.2", "g2 quixo-blitz ada 1520.0-21.2",
		"g3 quixo-blitz ada 1498.8-1.1", "g3 quixo-blitz bob 1480.0+1.1",
		"g6 quits-rapid bob 1500.0+20.0", "g6 quits-rapid ada 1500.0-20.0",
		"g7 quits-rapid ada 1480.0-5.1", "g7 quits-rapid bob 1520.0-8.2",
		"g7 quits-rapid cyd 1500.0+20.0", "g7 quits-rapid dan 1500.0-6.7",
		"g8 quixo-blitz ada 1497.8-21.1", "g8 quixo-blitz bob 1481.1+21.1",
		"g8 quixo-blitz cyd 1521.2-21.1", "g8 quixo-blitz dan 1500.0+21.1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	first := Row{
		GameID: "g1", List: "quixo-blitz", PlayerID: "ada", Seat: 1, Seq: 1, System: "elo-club", Before: 1500, After: 1520,
		Change: 20, Expected: 0.5, Score: 1, GamesAfter: 1, K: 40, At: 1_700_000_000_000,
	}
	if m.rows[0] != first {
		t.Errorf("got %+v, want %+v", m.rows[0], first)
	}
	if n := catch(t, m); n != 0 || len(m.rows) != len(want) {
		t.Errorf("a second time it took %d games and there are %d rows", n, len(m.rows))
	}
}

func TestWhichGamesAreRated(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Finished)
		rated  bool
	}{
		{"a game won", func(*Finished) {}, true},
		{"a draw", func(f *Finished) { f.Ranks = []int{1, 1} }, true},
		{"lost on time", func(f *Finished) { f.Reason = "time" }, true},
		{"forfeit once both have moved", func(f *Finished) { f.Reason, f.Plies = "forfeit", 2 }, true},
		{"forfeit of one who never moved", func(f *Finished) { f.Reason, f.Plies = "forfeit", 1 }, false},
		{"time of one who never moved", func(f *Finished) { f.Reason, f.Plies = "time", 1 }, false},
		{"resignation after the first move", func(f *Finished) { f.Reason, f.Plies = "resignation", 1 }, true},
		{"forfeit before the first move", func(f *Finished) { f.Reason, f.Plies = "forfeit", 0 }, false},
		{"time before the first move", func(f *Finished) { f.Reason, f.Plies = "time", 0 }, false},
		{"unrated", func(f *Finished) { f.Rated = false }, false},
		{"no list", func(f *Finished) { f.List = "" }, false},
		{"void", func(f *Finished) { f.Ranks, f.Reason = nil, "replay" }, false},
		{"nobody on a seat", func(f *Finished) { f.Players = []string{"ada", ""} }, false},
		{"nobody at all", func(f *Finished) { f.Players = nil }, false},
		{"one player on both seats", func(f *Finished) { f.Players = []string{"ada", "ada"} }, false},
	}
	for _, tt := range tests {
		f := duel("g", "ada", "bob")
		tt.change(&f)
		m := newMemory(f)
		if n := catch(t, m); n != 1 || m.cursor != 1 || (len(m.rows) > 0) != tt.rated {
			t.Errorf("%s: %d taken, cursor at %d, rows %v", tt.name, n, m.cursor, m.rows)
		}
	}
}

func TestGameThatIsNoneStopsTheLedger(t *testing.T) {
	for name, change := range map[string]func(*Finished){
		"one side":        func(f *Finished) { f.Sides = []int{1, 1} },
		"too few ranks":   func(f *Finished) { f.Ranks = []int{1} },
		"too many sides":  func(f *Finished) { f.Sides = []int{1, 2, 3} },
		"no seats' sides": func(f *Finished) { f.Sides = nil },
	} {
		broken := duel("broken", "ada", "bob")
		change(&broken)
		m := newMemory(duel("g1", "ada", "bob"), broken, duel("g2", "ada", "bob"))
		n, err := New(m, elo.Club{}).CatchUp(context.Background())
		if !errors.Is(err, rating.ErrSeats) || !strings.Contains(err.Error(), "broken") || n != 0 || m.cursor != 0 {
			t.Errorf("%s: %d taken, %v", name, n, err)
		}
		m.cursor = 3
		if _, err := New(m, elo.Club{}).Recompute(context.Background()); !errors.Is(err, rating.ErrSeats) {
			t.Errorf("%s: recomputed with %v", name, err)
		}
	}
}

func TestGivenRatingsAreTheStart(t *testing.T) {
	m := newMemory(duel("g1", "ada", "bob"))
	m.given[place{"quixo-blitz", "ada"}] = rating.Rating{Value: 1700}
	m.given[place{"quits-rapid", "bob"}] = rating.Rating{Value: 1900}
	catch(t, m)
	if a, b := m.rows[0], m.rows[1]; a.Before != 1700 || b.Before != 1500 || a.GamesAfter != 1 {
		t.Fatalf("got %+v and %+v", a, b)
	}
	same := slices.Clone(m.rows)
	if _, err := New(m, elo.Club{}).Recompute(context.Background()); err != nil || !slices.Equal(m.rows, same) {
		t.Errorf("recomputed: %v, %+v", err, m.rows)
	}
	if report, err := New(m, elo.Club{}).Verify(context.Background()); err != nil || !report.OK() {
		t.Errorf("verified: %+v, %v", report, err)
	}
}

func TestADoubleDeliveryCountsOnce(t *testing.T) {
	once := newMemory(mixed()...)
	catch(t, once)

	games := mixed()
	within := newMemory(append(games[:2:2], games...)...)
	catch(t, within)
	later := newMemory(games...)
	catch(t, later)
	later.finish(games[1])
	later.finish(games[7])
	if n := catch(t, later); n != 2 || later.cursor != 10 {
		t.Errorf("took %d, cursor at %d", n, later.cursor)
	}
	for name, m := range map[string]*memory{"within a batch": within, "in a later batch": later} {
		if len(m.rows) != len(once.rows) || fmt.Sprint(m.now()) != fmt.Sprint(once.now()) {
			t.Errorf("%s: %d rows and %v, want %d and %v", name, len(m.rows), m.now(), len(once.rows), once.now())
		}
		if report, err := New(m, elo.Club{}).Verify(context.Background()); err != nil || !report.OK() {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
}

// TestCrashes: whether a crash comes before or after the commit, the result in the end is the same.
func TestCrashes(t *testing.T) {
	clean := newMemory(many(700)...)
	catch(t, clean)
	for call := 1; call <= 3; call++ {
		crash := func(n int) error {
			if n == call {
				return errCrash
			}
			return nil
		}
		for name, arm := range map[string]func(*memory){
			"before": func(m *memory) { m.beforeCommit = crash },
			"after":  func(m *memory) { m.afterCommit = crash },
		} {
			m := newMemory(many(700)...)
			arm(m)
			if _, err := New(m, elo.Club{}).CatchUp(context.Background()); !errors.Is(err, errCrash) {
				t.Fatalf("%s commit %d: %v", name, call, err)
			}
			catch(t, m)
			if !slices.Equal(m.rows, clean.rows) || m.cursor != clean.cursor {
				t.Errorf("%s commit %d: %d rows, cursor at %d; want %d, %d", name, call, len(m.rows), m.cursor,
					len(clean.rows), clean.cursor)
			}
		}
	}
}

// many returns a history between eight players that is always the same.
func many(n int) []Finished {
	players := strings.Fields("ada bob cyd dan eve fay gus hal")
	games := make([]Finished, n)
	for i := range games {
		games[i] = duel(fmt.Sprintf("g%d", i), players[i*i%8], players[(i*i+1+i%7)%8])
		if i%5 == 0 {
			games[i].Ranks = []int{1, 1}
		}
	}
	return games
}

// TestLedgersAtOnce: several ledgers on a store, as of several processes, count nothing twice.
func TestLedgersAtOnce(t *testing.T) {
	clean := newMemory(many(2000)...)
	catch(t, clean)
	m := newMemory(many(2000)...)
	var wg sync.WaitGroup
	errs := make(chan error, 8)
	for range 4 {
		l := New(m, elo.Club{})
		for range 2 {
			wg.Go(func() {
				_, err := l.CatchUp(context.Background())
				errs <- err
			})
		}
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(m.rows, clean.rows) {
		t.Errorf("%d rows, want the %d of one ledger alone", len(m.rows), len(clean.rows))
	}
}

func TestBehindIsReadAgain(t *testing.T) {
	clean := newMemory(many(600)...)
	catch(t, clean)
	m := newMemory(many(600)...)
	m.beforeCommit = func(call int) error {
		if call == 1 { // between this ledger's reading and its commit, another takes everything
			catch(t, m)
		}
		return nil
	}
	if n := catch(t, m); n != 0 || !slices.Equal(m.rows, clean.rows) {
		t.Errorf("took %d that another had taken; %d rows, want %d", n, len(m.rows), len(clean.rows))
	}
}

func TestAStoreThatIsAlwaysBehindIsGivenUp(t *testing.T) {
	m := newMemory(many(3)...)
	m.beforeCommit = func(int) error { return ErrBehind }
	if _, err := New(m, elo.Club{}).CatchUp(context.Background()); !errors.Is(err, ErrBehind) || m.calls != 2 {
		t.Errorf("caught up with %v after %d attempts", err, m.calls)
	}
	m.cursor = 3
	if _, err := New(m, elo.Club{}).Recompute(context.Background()); !errors.Is(err, ErrBehind) {
		t.Errorf("recomputed with %v", err)
	}
}

func TestCatchUpStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := newMemory(many(600)...)
	m.afterCommit = func(int) error { cancel(); return nil }
	n, err := New(m, elo.Club{}).CatchUp(ctx)
	if !errors.Is(err, context.Canceled) || n != batch || m.cursor != batch {
		t.Errorf("took %d, cursor at %d, %v", n, m.cursor, err)
	}
}

func TestListID(t *testing.T) {
	if got := ListID("quixo", "blitz"); got != "quixo-blitz" {
		t.Errorf("got %q", got)
	}
}

// drawHistory draws games of one to four sides between few players in two lists.
func drawHistory(t *rapid.T) []Finished {
	players := strings.Fields("ada bob cyd dan eve fay")
	var games []Finished
	for i := range rapid.IntRange(0, 60).Draw(t, "games") {
		seats := rapid.IntRange(2, 4).Draw(t, "seats")
		f := Finished{
			GameID: fmt.Sprintf("g%d", i), List: rapid.SampledFrom([]string{"quixo-blitz", "quits-rapid"}).Draw(t, "list"),
			Rated: rapid.IntRange(0, 9).Draw(t, "rated") > 0, Plies: rapid.IntRange(0, 9).Draw(t, "plies"),
			Players: rapid.Permutation(players).Draw(t, "players")[:seats],
		}
		for seat := range seats {
			f.Sides = append(f.Sides, seat+1)
			f.Ranks = append(f.Ranks, rapid.IntRange(1, seats).Draw(t, "rank"))
		}
		games = append(games, f)
		if rapid.IntRange(0, 9).Draw(t, "told twice") == 0 {
			games = append(games, games[rapid.IntRange(0, len(games)-1).Draw(t, "which")])
		}
	}
	return games
}

// TestRecomputingGivesTheSameDigits: however the games came in, with crashes or without, a recomputation changes not a
// bit, and every row goes on from where the player's row before it ended.
func TestRecomputingGivesTheSameDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		games := drawHistory(t)
		m := newMemory()
		for len(games) > 0 {
			n := rapid.IntRange(1, len(games)).Draw(t, "finish")
			for _, f := range games[:n] {
				m.finish(f)
			}
			games = games[n:]
			how := rapid.IntRange(0, 2).Draw(t, "crash")
			m.beforeCommit, m.afterCommit = crashIf(how == 1), crashIf(how == 2)
			if _, err := New(m, elo.Club{}).CatchUp(context.Background()); err != nil && !errors.Is(err, errCrash) {
				t.Fatal(err)
			}
			m.beforeCommit, m.afterCommit = nil, nil
		}
		catch(t, m)
		last := map[place]rating.Rating{}
		for _, r := range m.rows {
			before, found := last[place{r.List, r.PlayerID}]
			if !found {
				before = elo.Club{}.Start()
			}
			if r.Before != before.Value || r.GamesAfter != before.Games+1 || r.After != r.Before+r.Change {
				t.Fatalf("%+v does not follow %+v", r, before)
			}
			last[place{r.List, r.PlayerID}] = r.Rating()
		}
		same := slices.Clone(m.rows)
		report, err := New(m, elo.Club{}).Recompute(context.Background())
		if err != nil || report.Rows != len(same) || !report.OK() || !slices.Equal(m.rows, same) {
			t.Fatalf("%+v, %v:\n%+v\nwere\n%+v", report, err, m.rows, same)
		}
	})
}

func crashIf(yes bool) func(int) error {
	if !yes {
		return nil
	}
	return func(int) error { return errCrash }
}

func TestRecomputeAfterACorrection(t *testing.T) {
	games := many(300)
	m := newMemory(games...)
	catch(t, m)
	games[150].Ranks = []int{2, 1}
	right := newMemory(games...)
	catch(t, right)
	if slices.Equal(m.rows, right.rows) {
		t.Fatal("the correction makes no difference")
	}
	m.outbox[150].Ranks = []int{2, 1}
	report, err := New(m, elo.Club{}).Recompute(context.Background())
	if err != nil || report.Rows != len(right.rows) || !slices.Equal(m.rows, right.rows) || m.cursor != 300 {
		t.Errorf("%+v, cursor at %d, %v", report, m.cursor, err)
	}
}

func TestVerify(t *testing.T) {
	tests := []struct {
		name            string
		spoil           func(*memory)
		wrong, standing int
	}{
		{"nothing", func(*memory) {}, 0, 0},
		{"the last bit of a rating", func(m *memory) { m.rows[7].After = math.Nextafter(m.rows[7].After, 0) }, 1, 0},
		{"a row is missing", func(m *memory) { m.rows = slices.Delete(m.rows, 3, 4) }, 1, 0},
		{"all rows are missing", func(m *memory) { m.rows = nil }, 40, 0},
		{"the last row is missing", func(m *memory) { m.rows = m.rows[:39] }, 1, 0},
		{"a row too many in the middle", func(m *memory) {
			extra := m.rows[9]
			extra.Seat = 3
			m.rows = slices.Insert(m.rows, 10, extra)
		}, 1, 0},
		{"a row too many at the end", func(m *memory) { m.rows = append(m.rows, Row{Seq: 99}) }, 1, 0},
		{"a standing", func(m *memory) {
			m.ratings[place{"quixo-blitz", "ada"}] = Standing{List: "quixo-blitz", PlayerID: "ada"}
		}, 0, 1},
		{"a standing of none", func(m *memory) {
			m.ratings[place{"quixo-blitz", "zoe"}] = Standing{"quixo-blitz", "zoe", rating.Rating{}, 1, 1}
		}, 0, 1},
		{"the sum of a list", func(m *memory) { m.sums["quixo-blitz"] = Sum{"quixo-blitz", 7, 1} }, 0, 1},
		{"the sum of no list", func(m *memory) { m.sums["quits-blitz"] = Sum{"quits-blitz", 7, 1} }, 0, 1},
		{"rows in each other's places", func(m *memory) {
			m.rows[4].GameID, m.rows[30].GameID = m.rows[30].GameID, m.rows[4].GameID
		}, 2, 0},
		{"a standing is missing", func(m *memory) { delete(m.ratings, place{"quixo-blitz", "ada"}) }, 0, 1},
	}
	right := newMemory(many(20)...)
	catch(t, right)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMemory(many(20)...)
			catch(t, m)
			tt.spoil(m)
			stored := len(m.rows)
			report, err := New(m, elo.Club{}).Verify(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if report.Games != 20 || report.Rated != 20 || report.Rows != 40 || report.Stored != stored {
				t.Errorf("got %+v", report)
			}
			if report.Wrong != tt.wrong || report.Standing+report.Sums != tt.standing ||
				len(report.First) != min(tt.wrong, shownDifferences) ||
				report.OK() != (tt.wrong+tt.standing == 0) {
				t.Errorf("got %+v, want %d rows and %d standings wrong", report, tt.wrong, tt.standing)
			}
			if _, err := New(m, elo.Club{}).Recompute(context.Background()); err != nil {
				t.Fatal(err)
			}
			if report, err := New(m, elo.Club{}).Verify(context.Background()); err != nil || !report.OK() ||
				!slices.Equal(m.rows, right.rows) {
				t.Errorf("after a recomputation: %+v, %v", report, err)
			}
		})
	}
}

func TestVerifyNamesTheRow(t *testing.T) {
	m := newMemory(many(20)...)
	catch(t, m)
	m.rows[7].K = 99
	report, err := New(m, elo.Club{}).Verify(context.Background())
	if err != nil || len(report.First) != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	if d := report.First[0]; d.Got.K != 99 || d.Want.K != 40 || d.Got.GameID != "g3" || d.Want.GameID != "g3" {
		t.Errorf("want %+v, got %+v", d.Want, d.Got)
	}
}

// TestRepair corrects what is wrong in the given list, and writes nothing where nothing is.
func TestRepair(t *testing.T) {
	m := newMemory(many(20)...)
	catch(t, m)
	right := slices.Clone(m.rows)
	m.rows[7].After = math.Nextafter(m.rows[7].After, 0)
	m.ratings[place{"quixo-blitz", "ada"}] = Standing{List: "quixo-blitz", PlayerID: "ada"}
	wrong := slices.Clone(m.rows)
	l := New(m, elo.Club{})
	if report, err := l.Repair(context.Background(), "quits-blitz"); err != nil || !report.OK() || report.Rows != 0 ||
		!slices.Equal(m.rows, wrong) {
		t.Errorf("another list: %+v, %v", report, err)
	}
	report, err := l.Repair(context.Background(), "quixo-blitz")
	if err != nil || report.Wrong != 1 || report.Standing != 1 || report.Rows != 40 || !slices.Equal(m.rows, right) {
		t.Errorf("the list: %+v, %v", report, err)
	}
	if report, err := l.Repair(context.Background(), "quixo-blitz"); err != nil || !report.OK() {
		t.Errorf("once it is right: %+v, %v", report, err)
	}
}
