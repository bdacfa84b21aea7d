package director

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/arena"
	"quatuor/tournament/standings"
)

// fight is an arena on the memory, with a clock that the test moves.
type fight struct {
	*memory
	t       *testing.T
	d       *Director
	ids     *counter
	id      string
	at      time.Time
	beats   map[string]int64
	playing map[string]bool // in other games, by player
	moves   map[string][]int
	berserk map[string][]int
}

func (h *fight) Arenas(context.Context) (ids []string, err error) {
	all, _ := h.Running(context.Background())
	for _, id := range all {
		if load(h.t, h.memory, id).Format == tournament.Arena {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

func (h *fight) ArenaBeat(_ context.Context, id string) (int64, error) { return h.beats[id], nil }

func (h *fight) BeatArena(_ context.Context, id string, at int64) error {
	return h.write("beat", func() error { h.beats[id] = at; return nil })
}

func (h *fight) Playing(context.Context, []string) (map[string]bool, error) { return h.playing, nil }

func (h *fight) Played(_ context.Context, game string) (moves, berserk []int, err error) {
	if h.moves[game] == nil {
		return []int{10, 10}, h.berserk[game], nil
	}
	return h.moves[game], h.berserk[game], nil
}

func arenaSettings() tournament.Settings {
	s := duelSettings()
	s.SetFormat(tournament.Arena)
	s.Rules.Arena.Length = 10
	return s
}

// director makes a director, like another process or this process after a restart.
func (h *fight) director() *Director {
	d := newDirector(h.memory, h.ids)
	d.Arenas, d.Now = h, func() time.Time { return h.at }
	d.Base = func(string) (int64, bool) { return 300, true }
	return d
}

func newFight(t *testing.T, players int) *fight {
	h := &fight{
		memory: newMemory(), t: t, ids: &counter{}, at: testTime, beats: map[string]int64{}, playing: map[string]bool{},
		moves: map[string][]int{}, berserk: map[string][]int{},
	}
	h.d = h.director()
	h.id = started(t, h.d, arenaSettings(), players).ID
	for i := range players {
		h.join(i + 1)
	}
	return h
}

func (h *fight) join(n int) *tournament.Tournament {
	h.t.Helper()
	player := fmt.Sprint("p", n)
	t, err := h.d.JoinArena(context.Background(), h.id, tournament.Entry{Name: player, Members: []string{player}},
		Order{By: player})
	if err != nil {
		h.t.Fatal(err)
	}
	return t
}

// pass lets time pass in ticks.
func (h *fight) pass(d time.Duration) *tournament.Tournament {
	h.t.Helper()
	for end := h.at.Add(d); h.at.Before(end); {
		h.at = h.at.Add(5 * time.Second)
		h.tick()
	}
	return load(h.t, h.memory, h.id)
}

func (h *fight) tick() {
	h.t.Helper()
	if err := h.d.TickArenas(context.Background()); err != nil {
		h.t.Fatal(err)
	}
}

// over ends a game now.
func (h *fight) over(game string, ranks ...int) *tournament.Tournament {
	h.t.Helper()
	h.end(h.t, game, ranks...)
	h.outbox[len(h.outbox)-1].At = h.at.UnixMilli()
	catch(h.t, h.d)
	return load(h.t, h.memory, h.id)
}

func (h *fight) entry(player string) tournament.Entry {
	t := load(h.t, h.memory, h.id)
	i := slices.IndexFunc(t.Entries, func(e tournament.Entry) bool { return slices.Contains(e.Members, player) })
	return t.Entries[i]
}

// TestAnArenaGoesOnByItself pairs, counts and pairs again.
func TestAnArenaGoesOnByItself(t *testing.T) {
	h := newFight(t, 4)
	tm := h.pass(5 * time.Second)
	if n := len(tm.Rounds[0].Pairings); n != 2 || len(h.running()) != 2 {
		t.Fatalf("%d pairings and %d games after the first tick, want 2", n, len(h.running()))
	}
	first := h.running()[0]
	h.berserk[first.GameID] = []int{1}
	tm = h.over(first.GameID, 1, 2)
	if got := h.entry(first.Players[0]).Waiting; got != h.at.UnixMilli() {
		t.Errorf("the winner waits since %d, want %d", got, h.at.UnixMilli())
	}
	table, err := standings.After(tm, 0)
	if err != nil || table.Rows[0].Points != 30 || table.Rows[0].Entry.Members[0] != first.Players[0] {
		t.Fatalf("standings %+v, %v; want the winner with 3 points first", table, err)
	}
	tm = h.pass(5 * time.Second)
	if len(tm.Rounds[0].Pairings) != 3 { // half of the arena waits
		t.Fatalf("%d pairings, want the two that are free to be paired", len(tm.Rounds[0].Pairings))
	}
	again := tm.Rounds[0].Pairings[2]
	if again.Seats[0] != tm.Rounds[0].Pairings[0].Seats[1] {
		t.Error("who was first is first again")
	}
	cards := tm.Cards(1)
	if len(cards[0].Cells) != 2 {
		t.Errorf("cards of %d cells, want one for each game of an entry", len(cards[0].Cells))
	}
}

// TestWhoMadeNoMoveIsAway takes the loser off; the winner has a forfeit.
func TestWhoMadeNoMoveIsAway(t *testing.T) {
	h := newFight(t, 2)
	h.pass(5 * time.Second)
	game := h.running()[0]
	h.moves[game.GameID] = []int{1, 0}
	tm := h.over(game.GameID, 1, 2)
	if p := tm.Rounds[0].Pairings[0]; !p.Result.Forfeit || h.entry(game.Players[1]).Waiting != 0 ||
		h.entry(game.Players[0]).Waiting == 0 {
		t.Errorf("result %+v; want a forfeit, and the loser away", p.Result)
	}
	if g := arena.Of(tm).Games[0]; g.Moves == nil || *g.Moves != 0 {
		t.Errorf("game %+v, want a forfeit", g)
	}
}

// TestAnOutageIsGivenBackOnce stops the service in the middle of an arena, with crashes at every write.
func TestAnOutageIsGivenBackOnce(t *testing.T) {
	h := newFight(t, 4)
	tm := h.pass(time.Minute)
	end := arena.EndsAt(tm)
	games := len(h.running())
	away := 3 * time.Minute
	h.at = h.at.Add(away)
	crash := errors.New("crash")
	for n := 1; ; n++ { // die before, and after, each of the writes
		left := n
		h.step = func(string) error {
			left--
			if left == 0 {
				return crash
			}
			return nil
		}
		h.d = h.director()
		err := errors.Join(h.d.Resume(context.Background()), h.d.TickArenas(context.Background()))
		if left > 0 && err == nil {
			break
		}
	}
	h.step = func(string) error { return nil }
	tm = load(t, h.memory, h.id)
	if got := arena.EndsAt(tm) - end; got != away.Milliseconds() {
		t.Errorf("%d ms given back, want %d", got, away.Milliseconds())
	}
	if len(h.running()) != games {
		t.Errorf("%d games, want the %d of before", len(h.running()), games)
	}
	tm = h.pass(5 * time.Second)
	if arena.EndsAt(tm)-end != away.Milliseconds() {
		t.Error("it was given back twice")
	}
}

// TestAnOutageWithinTheGrace credits an outage to running games: a game counts whether it ends before or after the
// first tick, and a game still open after the grace is void. Players are not paired again.
func TestAnOutageWithinTheGrace(t *testing.T) {
	h := newFight(t, 6)
	tm := h.pass(10*time.Minute + 4*time.Minute) // 1 minute of 5 is left
	end, closes := arena.EndsAt(tm), arena.ClosesAt(tm)
	games := h.running()
	away := 20 * time.Minute
	h.at = h.at.Add(away)
	h.d = h.director()
	tm = h.over(games[0].GameID, 1, 2)
	if tm.Rounds[0].Pairings[0].Result.Void() {
		t.Error("a game that ended right after the outage is void")
	}
	h.tick()
	tm = load(t, h.memory, h.id)
	if arena.EndsAt(tm) != end || arena.ClosesAt(tm) != closes+away.Milliseconds() {
		t.Errorf("the end moved by %d ms, and the close by %d; want 0 and %d", arena.EndsAt(tm)-end, arena.ClosesAt(tm)-closes, away.Milliseconds())
	}
	h.pass(50 * time.Second)
	h.over(games[1].GameID, 1, 2)
	tm = h.pass(5 * time.Second)
	if tm.Status != tournament.Running || len(tm.Rounds[0].Pairings) != 3 {
		t.Fatalf("%s with %d pairings within the grace", tm.Status, len(tm.Rounds[0].Pairings))
	}
	tm = h.pass(10 * time.Second)
	var void []bool
	for _, p := range tm.Rounds[0].Pairings {
		void = append(void, p.Result.Void())
	}
	if tm.Status != tournament.Finished || !slices.Equal(void, []bool{false, false, true}) {
		t.Errorf("%s, games void %v; want the last alone", tm.Status, void)
	}
}

// TestTwoProcessesPairOnce lets two that take themselves for the owner tick at the same time.
func TestTwoProcessesPairOnce(t *testing.T) {
	h := newFight(t, 8)
	h.at = h.at.Add(5 * time.Second)
	one, other := h.director(), h.director()
	done := make(chan error)
	for _, d := range []*Director{one, other} {
		go func() { done <- d.TickArenas(context.Background()) }()
	}
	if err := errors.Join(<-done, <-done); err != nil {
		t.Fatal(err)
	}
	if n := len(load(t, h.memory, h.id).Rounds[0].Pairings); n != 4 {
		t.Errorf("%d pairings, want 4", n)
	}
}

// TestAnArenaEnds lets the last games finish within the grace, and not after it.
func TestAnArenaEnds(t *testing.T) {
	h := newFight(t, 4)
	tm := h.pass(10 * time.Minute) // games go on and on
	first, second := h.running()[0], h.running()[1]
	if tm.Status != tournament.Running || h.d.now() != arena.EndsAt(tm) {
		t.Fatalf("%s at its end", tm.Status)
	}
	h.over(first.GameID, 1, 2)
	tm = h.pass(time.Minute)
	if len(tm.Rounds[0].Pairings) != 2 {
		t.Fatalf("%d pairings; nobody is paired after the end", len(tm.Rounds[0].Pairings))
	}
	if _, err := h.d.JoinArena(context.Background(), h.id, tournament.Entry{Name: "late", Members: []string{"late"}},
		organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("joining after the end: %v", err)
	}
	tm = h.pass(4*time.Minute + 5*time.Second)
	if tm.Status != tournament.Finished || tm.Rounds[0].Status != tournament.Complete || len(h.running()) != 0 {
		t.Fatalf("%s, round %s, %d games; want it finished", tm.Status, tm.Rounds[0].Status, len(h.running()))
	}
	board := slices.IndexFunc(tm.Rounds[0].Pairings, func(p tournament.Pairing) bool { return p.GameID == second.GameID })
	if !tm.Rounds[0].Pairings[board].Result.Void() || len(arena.Of(tm).Games) != 1 {
		t.Errorf("results %+v, want one that counts", tm.Rounds[0].Pairings)
	}
	// the arbiter's word recomputes
	tm, err := h.d.Do(context.Background(), h.id, SetResult(1, board+1, tournament.Verdict{Ranks: []int{1, 2}}, "seen"), organiser)
	if err != nil || len(arena.Of(tm).Games) != 2 {
		t.Errorf("correction: %v", err)
	}
}

// TestAnArenaRefuses names what would stop or repeat games, and joins and leaves twice.
func TestAnArenaRefuses(t *testing.T) {
	h := newFight(t, 2)
	tm := h.pass(5 * time.Second)
	ctx := context.Background()
	for name, act := range map[string]func() (*tournament.Tournament, error){
		"another round": func() (*tournament.Tournament, error) { return h.d.Do(ctx, h.id, NextRound, organiser) },
		"play again":    func() (*tournament.Tournament, error) { return h.d.Do(ctx, h.id, PlayAgain(1, 1, "again"), organiser) },
		"adjourn":       func() (*tournament.Tournament, error) { return h.d.Adjourn(ctx, h.id, 1, 1, "later", organiser) },
		"drop":          func() (*tournament.Tournament, error) { return h.d.Do(ctx, h.id, DropRound(1), organiser) },
		"to the hall": func() (*tournament.Tournament, error) {
			return h.d.Do(ctx, h.id, SetVenue(1, 1, tournament.InHall, ""), organiser)
		},
		"check-in": func() (*tournament.Tournament, error) { return h.d.Do(ctx, h.id, OpenCheckIn(false), organiser) },
		"finish":   func() (*tournament.Tournament, error) { return h.d.Do(ctx, h.id, Finish, organiser) },
	} {
		if _, err := act(); !errors.Is(err, tournament.ErrState) {
			t.Errorf("%s: %v", name, err)
		}
	}
	e := h.entry("p1")
	if got := h.join(1); got.Version != tm.Version {
		t.Error("joining twice changed something")
	}
	left, err := h.d.SetWaiting(ctx, h.id, e.ID, false, organiser)
	if err != nil {
		t.Fatal(err)
	}
	if twice, err := h.d.SetWaiting(ctx, h.id, e.ID, false, organiser); err != nil || twice.Version != left.Version {
		t.Errorf("leaving twice: %v", err)
	}
	h.over(h.running()[0].GameID, 1, 1)
	if h.entry("p1").Waiting != 0 || h.entry("p2").Waiting == 0 {
		t.Error("who left waits again after the game, or the other does not")
	}
	if !reflect.DeepEqual(arenaSettings().Rules.Arena, tm.Settings().Rules.Arena) && tm.Rules.Arena.Grace != 300 {
		t.Errorf("rules %+v", tm.Rules.Arena)
	}
}

// gamesSeen is a notifier that demands each game of an arena to be there when its pairing is published.
type gamesSeen struct {
	*fight
	pairings int
}

func (s *gamesSeen) TournamentChanged(t *tournament.Tournament, what Topic, _ Audience) {
	if what != TopicPairings {
		return
	}
	for _, p := range t.Rounds[0].Pairings {
		s.pairings++
		s.mu.Lock()
		if s.games[p.GameID] == nil {
			s.t.Errorf("the pairing of board %d is published, and game %s is not there", p.Board, p.GameID)
		}
		s.mu.Unlock()
	}
}

// TestAnArenaShowsGamesThatAreThere: a pairing is published only after its game is open.
func TestAnArenaShowsGamesThatAreThere(t *testing.T) {
	h := newFight(t, 4)
	seen := &gamesSeen{fight: h}
	h.d.Notifier = seen
	h.pass(5 * time.Second)
	h.over(h.running()[0].GameID, 1, 2)
	h.pass(5 * time.Second)
	if seen.pairings == 0 {
		t.Error("nobody was told of a pairing")
	}
}
