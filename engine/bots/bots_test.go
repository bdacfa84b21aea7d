package bots

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/chance"
	"quatuor/engine/player"
	"quatuor/engine/table"
	"quatuor/store"
	"quatuor/store/dbtest"
	"quatuor/tournament"
)

// hall is a set of tables on a database, with its bots, that notifies a test of every step.
type hall struct {
	*table.Tables
	t     *testing.T
	db    *store.Store
	told  chan string // ids of games that have changed
	stop  func()
	moved chan int // levels
}

// GameChanged notifies the test; a step without room in the channel is followed by others.
func (h *hall) GameChanged(s *table.Snapshot, _ []table.Line) {
	select {
	case h.told <- s.Game.ID:
	default:
	}
}

// fanout notifies several bots of every step.
type fanout []table.Notifier

func (all fanout) GameChanged(s *table.Snapshot, news []table.Line) {
	for _, one := range all {
		one.GameChanged(s, news)
	}
}

// folder returns a folder with an empty database.
func folder(t *testing.T) string {
	t.Helper()
	return dbtest.Folder(t, func(dir string) error {
		db, err := store.Open(context.Background(), store.Config{Dir: dir})
		if err != nil {
			return err
		}
		return db.Close()
	})
}

// open runs tables on a folder with several sets of bots, as several processes have them.
func open(t *testing.T, dir string, sets int) *hall {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	h := &hall{t: t, db: db, told: make(chan string, 1), moved: make(chan int, 1000)}
	notifiers, all := fanout{h}, make([]*Bots, sets)
	for i := range all {
		all[i] = New(Config{
			Games: db.Games(), Nodes: 100, Workers: 2, Logger: slog.New(slog.DiscardHandler),
			Moved: func(level int, _ time.Duration) {
				h.moved <- level
			},
		})
		notifiers = append(notifiers, all[i])
	}
	h.Tables = table.New(table.Config{
		Storage: db.Games().Storage(), Notifier: notifiers, Logger: slog.New(slog.DiscardHandler),
	})
	if err := h.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = h.Run(ctx) })
	for _, b := range all {
		running.Go(func() { b.Run(ctx, h.Tables) })
	}
	h.stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(h.stop)
	return h
}

// newGame opens a game of a person at the first seat with bots at the others.
func (h *hall) newGame(variant string, seats int, change func(*table.NewGame)) string {
	h.t.Helper()
	w := table.NewGame{Variant: variant, Players: []string{"ada"}, Controls: []string{"none"}, Start: true}
	for n := 1; n < seats; n++ {
		w.Players = append(w.Players, table.BotID(1+n%table.MaxBotLevel))
	}
	if change != nil {
		change(&w)
	}
	games, err := h.Open(h.t.Context(), w)
	if err != nil {
		h.t.Fatalf("%s: %v", variant, err)
	}
	return games[0].Game.ID
}

// until waits until a game is as it should be.
func (h *hall) until(game, what string, is func(*table.Snapshot) bool) *table.Snapshot {
	h.t.Helper()
	limit := time.After(2 * time.Minute)
	for {
		s, err := h.Snapshot(h.t.Context(), game)
		if err != nil {
			h.t.Fatal(err)
		}
		if is(s) {
			return s
		}
		select {
		case <-h.told:
		case <-time.After(20 * time.Millisecond): // the notification of another game may have taken the place
		case <-limit:
			h.t.Fatalf("never %s: %s, awaited %v after %d lines", what, s.Game.Status, s.Game.Awaited, len(s.Lines))
		}
	}
}

// person plays the first legal moves of a seat until the game is over.
func (h *hall) person(game string, seat engine.Seat) *table.Snapshot {
	h.t.Helper()
	for {
		s := h.until(game, "the person's turn", func(s *table.Snapshot) bool {
			return s.Game.Status.Over() || s.Match != nil && s.Match.Pending().Awaits(seat)
		})
		if s.Game.Status.Over() {
			return s
		}
		h.play(s, seat)
	}
}

func (h *hall) play(s *table.Snapshot, seat engine.Seat) {
	h.t.Helper()
	moves := s.Match.State().Legal(seat)
	move := moves[s.Match.Plies()%len(moves)]
	_, err := h.Play(h.t.Context(), h.Arrive(s.Game.ID), table.Move{
		Act: table.Act{Game: s.Game.ID, Seat: int8(seat), By: "account"}, Turn: s.Match.Turn(), Token: string(move),
	})
	if err != nil {
		h.t.Fatalf("the person's move %s: %v", move, err)
	}
}

// checkLog checks that every seat moved at most once a turn, that no bot left, and that the row follows from the log.
func checkLog(t *testing.T, s *table.Snapshot) {
	t.Helper()
	type choice struct {
		turn int
		seat int8
	}
	made := map[choice]int{}
	for _, l := range s.Lines {
		if l.Kind == table.LineMove {
			if made[choice{l.Turn, l.Seat}]++; made[choice{l.Turn, l.Seat}] > 1 {
				t.Errorf("%s: seat %d moved twice in turn %d", s.Game.Variant, l.Seat, l.Turn)
			}
		}
		if l.Kind == table.LineLeft {
			t.Errorf("%s: seat %d left: %s", s.Game.Variant, l.Seat, l.Text)
		}
	}
	for _, fault := range table.Audit(s.Game, s.Lines) {
		t.Errorf("%s: %s", s.Game.Variant, fault)
	}
}

// byItself has a game created by an account of its own, since an account may have few games with bots at a time.
func byItself(w *table.NewGame) { w.CreatedBy = fmt.Sprint(w.Variant, " for ", len(w.Players)) }

// TestWholeGames plays a game of every variant and number of seats, a person against bots of all levels, to its end;
// all at the same time.
func TestWholeGames(t *testing.T) {
	h := open(t, folder(t), 1)
	var wg sync.WaitGroup
	for _, rules := range catalog.All() {
		for _, seats := range rules.Info().Seats {
			id := h.newGame(rules.Info().ID, seats, byItself)
			wg.Go(func() {
				s := h.person(id, 1)
				if s.Game.Status != table.Finished {
					t.Errorf("%s with %d seats ended as %s", rules.Info().ID, seats, s.Game.Status)
				}
				checkLog(t, s)
			})
		}
	}
	wg.Wait()
	if len(h.moved) == 0 {
		t.Error("no move of a bot was counted")
	}
}

// TestSeveralProcesses has two sets of bots attend to the same game: each turn has a single move.
func TestSeveralProcesses(t *testing.T) {
	h := open(t, folder(t), 2)
	for _, variant := range []string{"quits/four", "quiwin/duel"} {
		seats := 2
		if variant == "quits/four" {
			seats = 4
		}
		checkLog(t, h.person(h.newGame(variant, seats, nil), 1))
	}
}

// TestOwner has two sets of bots, as two processes have them. The owner of the game moves, notified or by a hint; the
// other set takes over when the game goes to it.
func TestOwner(t *testing.T) {
	h := open(t, folder(t), 0)
	id := h.newGame("quits/duel", 2, nil)
	var owner atomic.Int64
	var moved [2]atomic.Int64
	var sets [2]*Bots
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	for i := range sets {
		sets[i] = New(Config{
			Games: h.db.Games(), Nodes: 100, Workers: 1, Logger: slog.New(slog.DiscardHandler),
			Mine:  func(string) bool { return owner.Load() == int64(i) },
			Moved: func(int, time.Duration) { moved[i].Add(1) },
		})
		running.Go(func() { sets[i].Run(ctx, h.Tables) })
	}
	turn := func(tell func(s *table.Snapshot)) {
		t.Helper()
		s := h.until(id, "the person's turn", func(s *table.Snapshot) bool { return s.Match.Pending().Awaits(1) })
		h.play(s, 1)
		plies := s.Match.Plies()
		s, err := h.Snapshot(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		tell(s)
		h.until(id, "the bot's move", func(s *table.Snapshot) bool { return s.Match.Plies() == plies+2 })
	}
	told := func(s *table.Snapshot) {
		for _, b := range sets {
			b.GameChanged(s, nil)
		}
	}
	hinted := func(*table.Snapshot) {
		for _, b := range sets {
			b.ChangedElsewhere(h.Tables, id)
		}
	}
	turn(told)
	turn(hinted)
	turn(func(*table.Snapshot) { // the owner is killed before it hears of it
		owner.Store(1)
		sets[1].OwnersChanged()
	})
	turn(told)
	cancel()
	running.Wait()
	if one, two := moved[0].Load(), moved[1].Load(); one != 2 || two != 2 {
		t.Errorf("the first made %d moves, the second %d, want 2 each", one, two)
	}
}

// TestRestart stops everything after a person's move and starts it again: the bot moves without a notification.
func TestRestart(t *testing.T) {
	dir := folder(t)
	h := open(t, dir, 0) // no bots yet
	id := h.newGame("quivive/melee", 4, nil)
	s, err := h.Snapshot(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	h.play(s, 1)
	h.stop()

	h = open(t, dir, 1)
	s = h.until(id, "the bots' moves", func(s *table.Snapshot) bool { return s.Match.Pending().Awaits(1) })
	if s.Match.Plies() != 4 {
		t.Errorf("%d moves have been made, want one by each seat", s.Match.Plies())
	}
	h.stop()

	h = open(t, dir, 1) // in the middle of a game, again
	checkLog(t, h.person(id, 1))
}

// TestNonces plays a game with nonces of a person and a bot.
func TestNonces(t *testing.T) {
	h := open(t, folder(t), 1)
	id := h.newGame("quiwin/duel", 2, func(w *table.NewGame) { w.Nonces = true })
	nonce := chance.Nonce{1, 2, 3}
	n := table.Nonce{Act: table.Act{Game: id, Seat: 1}, Nonce: nonce, Commitment: nonce.Commitment()}
	if _, err := h.CommitNonce(t.Context(), h.Arrive(id), n); err != nil {
		t.Fatal(err)
	}
	h.until(id, "bound", func(s *table.Snapshot) bool {
		return slices.ContainsFunc(s.Lines, func(l table.Line) bool { return l.Kind == table.LineCommitment && l.Seat == 2 })
	})
	if _, err := h.SendNonce(t.Context(), h.Arrive(id), n); err != nil {
		t.Fatal(err)
	}
	s := h.person(id, 1)
	checkLog(t, s)
	if sent := slices.ContainsFunc(s.Lines, func(l table.Line) bool {
		return l.Kind == table.LineNonce &&
			l.Seat == 2
	}); !sent {
		t.Error("the bot has added nothing to the seed")
	}
}

// TestQuestions offers a draw, which the bot declines, and requests a takeback, which it grants.
func TestQuestions(t *testing.T) {
	h := open(t, folder(t), 1)
	id := h.newGame("quixo/duel", 2, func(w *table.NewGame) { w.Takebacks = true })
	s, err := h.Snapshot(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	h.play(s, 1)
	mine := func(s *table.Snapshot) bool { return s.Match.Pending().Awaits(1) }
	h.until(id, "the person's turn", mine)
	act := table.Act{Game: id, Seat: 1}
	if _, err := h.Offer(t.Context(), h.Arrive(id), act); err != nil {
		t.Fatal(err)
	}
	h.until(id, "declined", func(s *table.Snapshot) bool {
		return s.Lines[len(s.Lines)-1].Kind == table.LineDecline && s.Game.Offer == 0
	})
	if _, err := h.AskBack(t.Context(), h.Arrive(id), act); err != nil {
		t.Fatal(err)
	}
	s = h.until(id, "taken back", func(s *table.Snapshot) bool { return s.Match.Plies() == 0 })
	if !mine(s) {
		t.Errorf("after the takeback %v are awaited", s.Game.Awaited)
	}
	checkLog(t, h.person(id, 1))
}

// TestInATournament: the game waits for the person only, and the bot leaves the request for a takeback unanswered while
// it declines a draw.
func TestInATournament(t *testing.T) {
	h := open(t, folder(t), 1)
	if err := h.db.Tournaments().Create(t.Context(),
		&tournament.Tournament{ID: "cup", Name: "Cup", Status: tournament.Draft, Version: 1}); err != nil {
		t.Fatal(err)
	}
	id := h.newGame("quixo/duel", 2, func(w *table.NewGame) {
		w.Takebacks, w.Tournament = true, &table.Place{ID: "cup", Round: 1, Board: 1}
		w.StartsAt, w.Together = h.Time().Add(time.Hour).UnixMilli(), true
	})
	s, err := h.Snapshot(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if s.Game.Status != table.Waiting || s.Game.Invited != table.SeatSet(0).With(1) {
		t.Fatalf("the game is %s and waits for the seats %v", s.Game.Status, s.Game.Invited)
	}
	if _, err := h.AcceptInvitation(t.Context(), h.Arrive(id), "account", "ada"); err != nil {
		t.Fatal(err)
	}
	s = h.until(id, "running", func(s *table.Snapshot) bool { return s.Game.Status == table.Running })
	h.play(s, 1)
	h.until(id, "the person's turn", func(s *table.Snapshot) bool { return s.Match.Pending().Awaits(1) })
	act := table.Act{Game: id, Seat: 1}
	if _, err := h.AskBack(t.Context(), h.Arrive(id), act); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Offer(t.Context(), h.Arrive(id), act); err != nil {
		t.Fatal(err)
	}
	s = h.until(id, "declined", func(s *table.Snapshot) bool {
		return s.Lines[len(s.Lines)-1].Kind == table.LineDecline && s.Game.Offer == 0
	})
	if s.Match.Plies() != 2 {
		t.Errorf("%d moves stand after a bot was asked to take one back", s.Match.Plies())
	}
	checkLog(t, h.person(id, 1))
}

// TestPartnersAnswer leaves the question to the bot's human partner.
func TestPartnersAnswer(t *testing.T) {
	h := open(t, folder(t), 0)
	id := h.newGame("quixo/teams", 4, func(w *table.NewGame) { w.Players[1] = "bob" })
	if _, err := h.Offer(t.Context(), h.Arrive(id), table.Act{Game: id, Seat: 1}); err != nil {
		t.Fatal(err)
	}
	s, err := h.Snapshot(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if seat := answering(s, s.Game.Offer); seat != 0 {
		t.Errorf("seat %d answers for bob", seat)
	}
	alone := h.newGame("quixo/teams", 4, nil)
	if s, err = h.Snapshot(t.Context(), alone); err != nil {
		t.Fatal(err)
	}
	if seat := answering(s, 1); seat != 4 {
		t.Errorf("seat %d answers for the bots 2 and 4, want 4", seat)
	}
}

// broken is a state with a failing cursor.
type broken struct{}

func (broken) Cursor() engine.Cursor { panic("no cursor") }

// TestFaultCostsNoGame lets a bot fail: it makes the first legal move, and goes on.
func TestFaultCostsNoGame(t *testing.T) {
	var log strings.Builder
	b := New(Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	bot := player.New()
	seen := player.Seen{Variant: "quixo/duel", Seat: 1, Legal: []engine.Move{"a1-a5", "a1-e1"}, State: broken{}}
	if move := b.choose(bot, seen, 2, [32]byte{}, player.Budget{Nodes: 1}); move != "a1-a5" ||
		!strings.Contains(log.String(), "no cursor") {
		t.Errorf("move %q, log %q", move, &log)
	}
	seen.State = nil // nothing that a bot can play
	if move := b.choose(bot, seen, 2, [32]byte{}, player.Budget{Nodes: 1}); move != "a1-a5" {
		t.Errorf("move %q", move)
	}
}

// TestThink checks level 3's time of thought.
func TestThink(t *testing.T) {
	b := New(Config{Workers: 2})
	for _, tt := range []struct {
		left    time.Duration
		limited bool
		waiting int
		want    time.Duration
	}{
		{0, false, 0, DefaultThink},
		{time.Minute, true, 0, DefaultThink},
		{time.Second, true, 0, 50 * time.Millisecond},
		{time.Minute, true, 6, DefaultThink / 4},
		{time.Minute, true, 10_000, minThink},
		{20 * time.Millisecond, true, 10_000, time.Millisecond},
	} {
		if got := b.think(tt.left, tt.limited, tt.waiting); got != tt.want {
			t.Errorf("with %v left and %d games waiting: %v, want %v", tt.left, tt.waiting, got, tt.want)
		}
	}
}

// TestMostUrgentFirst takes the game with the earliest deadline, and none that another worker attends to.
func TestMostUrgentFirst(t *testing.T) {
	b := New(Config{Workers: 1})
	b.add("untimed", 0)
	b.add("later", 900)
	b.add("soon", 100)
	var order []string
	for range 3 {
		game, _ := b.next()
		order = append(order, game)
	}
	if want := []string{"soon", "later", "untimed"}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
	b.add("soon", 100)
	if game, _ := b.next(); game != "" {
		t.Errorf("%s is taken twice", game)
	}
	b.done("soon")
	if game, _ := b.next(); game != "soon" {
		t.Error("what came while a game was attended to is forgotten")
	}
}

// TestLevelsAgree checks that the levels of seats are those of players.
func TestLevelsAgree(t *testing.T) {
	if table.MaxBotLevel != player.MaxLevel || player.MinLevel != 1 {
		t.Errorf("levels of seats go to %d, of players from %d to %d", table.MaxBotLevel, player.MinLevel, player.MaxLevel)
	}
}
