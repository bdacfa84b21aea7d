package table

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine"
	"quatuor/engine/sentence"
)

// evening is a set of tables with its journal, inside a synctest bubble where time is fake.
type evening struct {
	*Tables
	t       *testing.T
	journal *memory
	mu      sync.Mutex
	told    []string
	cancel  context.CancelFunc
	ended   chan struct{}
}

func (e *evening) GameChanged(s *Snapshot, news []Line) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, l := range news {
		e.told = append(e.told, string(l.Kind)+" "+l.Text)
	}
	if stored, _, _ := e.journal.Load(context.Background(), s.Game.ID); stored.Version < s.Game.Version {
		e.t.Errorf("told of version %d while only %d is stored", s.Game.Version, stored.Version)
	}
}

// start runs tables on a journal until stop or the end of the test.
func start(t *testing.T, journal *memory) *evening { return startAs(t, journal, "test", false) }

func startAs(t *testing.T, journal *memory, instance string, shared bool) *evening {
	e := &evening{t: t, journal: journal, ended: make(chan struct{})}
	c := Config{
		Storage: stored(journal), Notifier: e, Instance: instance, Shared: shared, Logger: slog.New(slog.DiscardHandler),
	}
	if shared {
		c.Peers = journal
	}
	e.Tables = New(c)
	if err := e.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e.cancel = cancel
	go func() {
		defer close(e.ended)
		_ = e.Run(ctx)
	}()
	return e
}

// stop ends the tables; whatever the test did, every row must then be what its log leads to.
func (e *evening) stop() {
	e.cancel()
	<-e.ended
	for _, id := range e.journal.ids() {
		game, lines, err := e.journal.Load(context.Background(), id)
		if err != nil {
			e.t.Error(err)
		}
		for _, fault := range Audit(game, lines) {
			e.t.Errorf("game %s: %s", id, fault)
		}
	}
}

func (e *evening) open(variant, control string) *Snapshot {
	e.t.Helper()
	games, err := e.Open(e.t.Context(), NewGame{
		Variant: variant, Players: []string{"ada", "bob"}, Controls: []string{control}, Start: true,
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return games[0]
}

func (e *evening) see(id string) *Snapshot {
	e.t.Helper()
	s, err := e.Snapshot(e.t.Context(), id)
	if err != nil {
		e.t.Fatal(err)
	}
	return s
}

func (e *evening) play(id string, seat int8, turn int, token string) (*Snapshot, error) {
	return e.Play(e.t.Context(), e.Arrive(id), Move{Act: Act{Game: id, Seat: seat, By: "x"}, Turn: turn, Token: token})
}

func (e *evening) mustPlay(id string, seat int8, turn int, token string) *Snapshot {
	e.t.Helper()
	s, err := e.play(id, seat, turn, token)
	if err != nil {
		e.t.Fatalf("%s: %v", token, err)
	}
	return s
}

func bubble(t *testing.T, f func(t *testing.T, e *evening)) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, newMemory())
		defer e.stop()
		f(t, e)
	})
}

// pass lets time of the bubble pass, while the goroutines of the tables go on.
func (e *evening) pass(d time.Duration) { time.Sleep(d) }

func TestFlagFallsByItself(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		g := e.open("quixo/duel", "60")
		time.Sleep(10 * time.Second)
		e.mustPlay(g.Game.ID, 1, 1, "a1-a5")
		deadline := e.now() + 60_000
		time.Sleep(60 * time.Second)
		synctest.Wait()
		if s := e.see(g.Game.ID); s.Game.Status != Running {
			t.Fatalf("the flag fell at its deadline instead of after it: %v", s.Game.Status)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		s := e.see(g.Game.ID)
		if s.Game.Outcome == nil || s.Game.Outcome.String() != "=1,2:time" || s.Game.FinishedAt != deadline {
			t.Fatalf("outcome %v at %d, want =1,2:time at %d", s.Game.Outcome, s.Game.FinishedAt, deadline)
		}
		if got := s.Clocks(e.now()); got[0].Remaining != 50_000 || got[1].Remaining != 0 || got[0].Running {
			t.Errorf("clocks after the end: %+v", got)
		}
		if n := e.journal.ends(); n != 1 {
			t.Errorf("%d outbox rows", n)
		}
	})
}

func TestArrivalDecidesNotProcessing(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		g := e.open("quixo/duel", "60")
		time.Sleep(60 * time.Second)
		inTime := e.Arrive(g.Game.ID) // exactly at the deadline
		time.Sleep(5 * time.Second)   // the request waits for something, long past the deadline
		synctest.Wait()
		s, err := e.Play(t.Context(), inTime, Move{Act: Act{Game: g.Game.ID, Seat: 1}, Turn: 1, Token: "a1-a5"})
		if err != nil {
			t.Fatal(err)
		}
		if s.Game.Status != Running || s.Lines[1].Elapsed != 60_000 || s.Lines[1].Remaining != 0 {
			t.Fatalf("the move counts at its arrival: %+v", s.Lines[1])
		}
	})
}

func TestLateMoveNeverCounts(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		g := e.open("quixo/duel", "60")
		time.Sleep(60*time.Second + time.Millisecond)
		late := e.Arrive(g.Game.ID)
		_, err := e.Play(t.Context(), late, Move{Act: Act{Game: g.Game.ID, Seat: 1}, Turn: 1, Token: "a1-a5"})
		if !errors.Is(err, ErrFlagFallen) {
			t.Fatalf("err = %v, want ErrFlagFallen", err)
		}
		if s := e.see(g.Game.ID); s.Game.Outcome.String() != "=2,1:time" {
			t.Fatalf("outcome %v", s.Game.Outcome)
		}
		if _, err := e.play(g.Game.ID, 2, 1, "a1-a5"); !errors.Is(err, ErrGameOver) {
			t.Errorf("the other seat is told %v, want ErrGameOver", err)
		}
	})
}

func TestSameMoveTwice(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		g := e.open("quixo/duel", "60+5")
		e.mustPlay(g.Game.ID, 1, 1, "a1-a5")
		s := e.mustPlay(g.Game.ID, 1, 1, "a1-a5")
		if s.Game.Plies != 1 || e.journal.appends != 2 { // start and move
			t.Fatalf("%d plies in %d appends", s.Game.Plies, e.journal.appends)
		}
		for _, c := range []struct {
			turn  int
			token string
			want  error
		}{
			{1, "b1-b5", ErrStaleTurn},
			{3, "b1-b5", ErrStaleTurn},
			{2, "b1-b5", engine.ErrTurn},
			{2, "z9", engine.ErrNotation},
		} {
			if _, err := e.play(g.Game.ID, 1, c.turn, c.token); !errors.Is(err, c.want) {
				t.Errorf("turn %d %s: %v, want %v", c.turn, c.token, err, c.want)
			}
		}
		if _, err := e.play(g.Game.ID, 2, 2, "c3-c5"); !errors.Is(err, engine.ErrIllegal) {
			t.Errorf("a cube from the middle: %v", err)
		}
	})
}

func TestRefusedMoveCostsOnlyTime(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		g := e.open("quits/duel", "60+5")
		time.Sleep(20 * time.Second)
		if _, err := e.play(g.Game.ID, 1, 1, "a2-a4"); !errors.Is(err, engine.ErrIllegal) {
			t.Fatal(err)
		}
		clocks := e.see(g.Game.ID).Clocks(e.now())
		if clocks[0].Remaining != 40_000 || clocks[1].Remaining != 60_000 {
			t.Errorf("clocks %+v", clocks)
		}
		if s := e.see(g.Game.ID); s.Game.Version != 1 || s.Game.Plies != 0 {
			t.Errorf("version %d, plies %d", s.Game.Version, s.Game.Plies)
		}
	})
}

// TestAnotherProcessWasFaster lets a step be stored behind the tables' back between judging and storing.
func TestAnotherProcessWasFaster(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		g := e.open("quixo/duel", "60")
		other := New(Config{Storage: stored(e.journal)})
		e.journal.before = func(Step) {
			e.journal.before = nil
			_, err := other.Play(t.Context(), other.Arrive(g.Game.ID), Move{
				Act: Act{Game: g.Game.ID, Seat: 1}, Turn: 1, Token: "b1-b5",
			})
			if err != nil {
				t.Error(err)
			}
		}
		if _, err := e.play(g.Game.ID, 1, 1, "a1-a5"); !errors.Is(err, ErrStaleTurn) {
			t.Fatalf("err = %v, want ErrStaleTurn: the other move came first", err)
		}
		s := e.see(g.Game.ID)
		if s.Game.Plies != 1 || s.Lines[1].Text != "b1-b5" {
			t.Fatalf("log %+v", s.Lines)
		}
	})
}

func TestNothingIsPublishedBeforeItIsStored(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		g := e.open("quixo/duel", "60")
		e.journal.fail(errors.New("disk full"))
		if _, err := e.play(g.Game.ID, 1, 1, "a1-a5"); err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Fatalf("err = %v", err)
		}
		if len(e.told) != 1 {
			t.Errorf("told %v", e.told)
		}
		e.journal.fail(nil)
		if s := e.mustPlay(g.Game.ID, 1, 1, "b1-b5"); s.Game.Plies != 1 {
			t.Errorf("plies %d", s.Game.Plies)
		}
	})
}

// TestFlagSurvivesFailingStore keeps the deadline armed while the journal refuses.
func TestFlagSurvivesFailingStore(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		g := e.open("quixo/duel", "60")
		deadline := e.now() + 60_000
		e.journal.fail(errors.New("disk full"))
		time.Sleep(70 * time.Second)
		e.journal.fail(nil)
		time.Sleep(time.Second)
		synctest.Wait()
		if s := e.see(g.Game.ID); s.Game.Status != Finished || s.Game.FinishedAt != deadline {
			t.Fatalf("status %v, finished at %d, want %d", s.Game.Status, s.Game.FinishedAt, deadline)
		}
	})
}

func TestOutageIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		running, falling := e.open("quixo/duel", "60"), e.open("quixo/duel", "25.5")
		time.Sleep(25 * time.Second)
		before := e.now()
		e.stop() // heartbeat at 25 s
		time.Sleep(10 * time.Minute)
		again := start(t, journal)
		defer again.stop()
		s := again.see(running.Game.ID)
		if got := s.Clocks(again.now())[0].Remaining; got != 35_000 {
			t.Errorf("remaining %d, want 35000", got)
		}
		last := s.Lines[len(s.Lines)-1]
		if last.Kind != LineOutage || last.Text != "600000" || last.At != before+600_000 {
			t.Errorf("last line %+v", last)
		}
		time.Sleep(501 * time.Millisecond)
		synctest.Wait()
		if s := again.see(falling.Game.ID); s.Game.Outcome == nil || s.Game.FinishedAt != before+600_500 {
			t.Errorf("the other game should have been lost half a second after the outage: %+v", s.Game)
		}
	})
}

// TestDeadlineBeforeTheOutage records a flag that fell while the server still lived.
func TestDeadlineBeforeTheOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		g := e.open("quixo/duel", "60")
		e.stop()
		deadline := g.Game.Deadline
		_ = journal.Beat(t.Context(), "test", deadline+1)
		time.Sleep(time.Hour)
		again := start(t, journal)
		defer again.stop()
		if s := again.see(g.Game.ID); s.Game.Outcome == nil || s.Game.FinishedAt != deadline {
			t.Errorf("status %v finished at %d, want %d", s.Game.Status, s.Game.FinishedAt, deadline)
		}
	})
}

func TestDrawOffers(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.open("quixo/duel", "60").Game.ID
		act := func(f func(context.Context, *Arrival, Act) (*Snapshot, error), seat int8) (*Snapshot, error) {
			return f(t.Context(), e.Arrive(id), Act{Game: id, Seat: seat})
		}
		if _, err := act(e.Accept, 2); !errors.Is(err, ErrNoOffer) {
			t.Errorf("accepting without an offer: %v", err)
		}
		if s, err := act(e.Offer, 1); err != nil || s.Game.Offer != 1 {
			t.Fatalf("offer: %v", err)
		}
		if _, err := act(e.Accept, 1); !errors.Is(err, ErrNoOffer) {
			t.Errorf("accepting one's own offer: %v", err)
		}
		if s, err := act(e.Decline, 2); err != nil || s.Game.Offer != 0 {
			t.Fatalf("decline: %v", err)
		}
		if _, err := act(e.Offer, 1); !errors.Is(err, engine.ErrIllegal) {
			t.Errorf("a second offer before the other side moved: %v", err)
		}
		e.mustPlay(id, 1, 1, "a1-a5")
		e.mustPlay(id, 2, 2, "b1-b5")
		if _, err := act(e.Offer, 1); err != nil {
			t.Fatal(err)
		}
		e.mustPlay(id, 1, 3, "c1-c5")
		if s := e.see(id); s.Game.Offer != 1 {
			t.Error("the offerer's own move withdrew the offer")
		}
		s, err := act(e.Offer, 2) // offering back accepts
		if err != nil || s.Game.Outcome.String() != "=1,1:agreement" {
			t.Fatalf("%v, %v", s.Game.Outcome, err)
		}
	})
}

func TestNoDrawByAgreementInQuiwin(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.open("quiwin/duel", "60").Game.ID
		if _, err := e.Offer(t.Context(), e.Arrive(id), Act{Game: id, Seat: 1}); !errors.Is(err, engine.ErrIllegal) {
			t.Errorf("err = %v", err)
		}
	})
}

// TestSealedChoiceStaysSealed looks at a chosen tile with every pair of eyes.
func TestSealedChoiceStaysSealed(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.open("quiwin/duel", "60").Game.ID
		tile := string(e.see(id).Project(engine.ViewerOf(1)).Legal[1][0])
		e.mustPlay(id, 1, 1, tile)
		s := e.see(id)
		if s.Match.Turn() != 1 {
			t.Errorf("turn %d: seats that choose at the same time share one", s.Match.Turn())
		}
		if got := s.Log(engine.ViewerOf(1))[1].Text; got != tile {
			t.Errorf("the chooser sees %q", got)
		}
		for _, v := range []engine.Viewer{{}, engine.ViewerOf(2)} {
			if got := s.Log(v)[1].Text; got != "" {
				t.Errorf("%v sees the sealed choice %q", v, got)
			}
			if p := s.Project(v); p.Position != "" || p.Seed != nil || len(p.Legal[1]) > 0 {
				t.Errorf("%v sees position %q, seed %v, legal %v", v, p.Position, p.Seed, p.Legal)
			}
		}
		if s, err := e.Abort(t.Context(), id, "x", sentence.Typed("test")); err != nil || s.Project(engine.Viewer{}).
			Seed != nil {
			t.Errorf("an aborted game revealed its seed (%v)", err)
		}
	})
}

func TestResignAndAbort(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.open("quivive/duel", "60").Game.ID
		s, err := e.Resign(t.Context(), e.Arrive(id), Act{Game: id, Seat: 2})
		if err != nil || s.Game.Outcome.String() != "=1,2:resignation" {
			t.Fatalf("%v %v", s, err)
		}
		if again, err := e.Resign(t.Context(), e.Arrive(id), Act{Game: id, Seat: 2}); err != nil ||
			again.Game.Version != s.Game.Version {
			t.Errorf("resigning a second time: %+v, %v", again, err)
		}
		if _, err := e.Resign(t.Context(), e.Arrive(id), Act{Game: id, Seat: 1}); !errors.Is(err, ErrGameOver) {
			t.Errorf("resigning a finished game: %v", err)
		}
		if _, err := e.Abort(t.Context(), id, "x", sentence.Typed("too late")); !errors.Is(err, ErrGameOver) {
			t.Errorf("aborting a finished game: %v", err)
		}
	})
}

// TestResignAgainAfterATakeback lets a seat of four resign twice, and again after an arbiter has taken that back.
func TestResignAgainAfterATakeback(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.openGame(NewGame{
			Variant: "quits/four", Players: []string{"ada", "bob", "cyd", "dan"},
			Controls: []string{"60"}, Start: true,
		}).Game.ID
		resign := func() *Snapshot {
			t.Helper()
			return must(t)(e.Resign(t.Context(), e.Arrive(id), Act{Game: id, Seat: 2}))
		}
		s := e.playAny(id, 1)
		first := resign()
		if again := resign(); again.Game.Version != first.Game.Version || first.Game.Version != s.Game.Version+1 {
			t.Errorf("version %d, then %d after resigning, then %d", s.Game.Version, first.Game.Version, again.Game.Version)
		}
		back := must(t)(e.TakeBack(t.Context(), e.Arrive(id), ruling, first.Match.Turn(), 1))
		if third := resign(); third.Game.Version != back.Game.Version+1 {
			t.Errorf("after the takeback resigning makes version %d of %d", third.Game.Version, back.Game.Version)
		}
	})
}

func TestOpenRefusesWhatCannotBePlayed(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		good := NewGame{Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{"60"}, Rated: true}
		for name, spoil := range map[string]func(*NewGame){
			"variant":  func(g *NewGame) { g.Variant = "chess" },
			"seats":    func(g *NewGame) { g.Seats = 3 },
			"control":  func(g *NewGame) { g.Controls = []string{"soon"} },
			"controls": func(g *NewGame) { g.Controls = []string{"60", "60", "60"} },
			"option":   func(g *NewGame) { g.Options = map[string]string{"steps": "forward"} },
			"empty":    func(g *NewGame) { g.Players = []string{"ada", ""} },
			"same":     func(g *NewGame) { g.Players = []string{"ada", "ada"} },
		} {
			g := good
			spoil(&g)
			if _, err := e.Open(t.Context(), g); !errors.Is(err, ErrSetup) {
				t.Errorf("%s: %v, want ErrSetup", name, err)
			}
		}
		if len(e.journal.games) != 0 {
			t.Errorf("%d games were stored", len(e.journal.games))
		}
		good.ID = "fixed"
		for range 2 {
			if _, err := e.Open(t.Context(), good); err != nil {
				t.Fatal(err)
			}
		}
		if len(e.journal.games) != 1 {
			t.Errorf("opening twice stored %d games", len(e.journal.games))
		}
	})
}
