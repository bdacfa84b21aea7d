package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"quatuor/engine"
	"quatuor/engine/chance"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament/club"
)

// openTo is a game by an account with an open seat.
func openTo(t *testing.T, id, by string) table.Game {
	t.Helper()
	g := newGame(t, id, "ann", "")
	g.CreatedBy = by
	g.Open = true
	g.Invited = g.Invited.With(2)
	g.Deadline = 3_601_000
	return g
}

// openGames tests the list of open games, and how many an account may have.
func openGames(t *testing.T, p Ports) {
	create := func(g table.Game) error { return p.Games.Create(t.Context(), []table.Game{g}) }
	for i := range table.MaxOpenGames {
		g := openTo(t, fmt.Sprint("g", i), "a")
		g.CreatedAt += int64(i)
		must(t, create(g))
	}
	refused(t, "one more", create(openTo(t, "more", "a")), table.ErrInvitations)
	must(t, create(openTo(t, "another's", "b")))
	must(t, create(invitation(t, "for bob alone", "a", "bob")))
	private := openTo(t, "private", "c")
	private.Code = "secret"
	must(t, create(private))
	other := openTo(t, "of another variant", "d")
	other.Variant = "quits/duel"
	must(t, create(other))
	must(t, p.Games.Append(t.Context(), abort(openTo(t, "g3", "a"), 3000)))
	must(t, create(openTo(t, "after one was broken off", "a")))
	listed := func(f table.Filter) (ids []string) {
		f.Invited, f.Listed = true, true
		page, _, err := p.Games.List(t.Context(), f, 50, "")
		must(t, err)
		for _, g := range page {
			ids = append(ids, g.ID)
		}
		slices.Sort(ids)
		return ids
	}
	p = p.Reopen(t)
	equal(t, "open games", listed(table.Filter{}), []string{
		"after one was broken off", "another's", "g0", "g1", "g2", "g4", "of another variant",
	})
	equal(t, "those of one variant", listed(table.Filter{Variant: "quits/duel"}), []string{"of another variant"})
	g, _, err := p.Games.Load(t.Context(), "private")
	must(t, err)
	if !g.Open || g.Code != "secret" {
		t.Errorf("%+v", g)
	}
}

// unplayed counts the games to the same player within an hour that were not played, whatever became of them.
func unplayed(t *testing.T, p Ports) {
	at := int64(1_790_000_000_000) // in 2026: more than 32 bits hold
	create := func(id string, later int64) error {
		g := invitation(t, id, "a", "bob")
		g.CreatedAt = at + later
		return p.Games.Create(t.Context(), []table.Game{g})
	}
	old := invitation(t, "long ago", "a", "bob")
	old.CreatedAt = at - table.UnplayedTime
	must(t, p.Games.Create(t.Context(), []table.Game{old}))
	must(t, p.Games.Append(t.Context(), abort(old, at)))
	for i := range table.MaxUnplayedTo {
		id := fmt.Sprint("g", i)
		must(t, create(id, int64(i)))
		g, _, err := p.Games.Load(t.Context(), id)
		must(t, err)
		must(t, p.Games.Append(t.Context(), abort(g, at+int64(i))))
	}
	refused(t, "one more", create("more", 100), table.ErrInvitations)
	must(t, create("an hour later", table.UnplayedTime))
	played := invitation(t, "by another", "b", "bob")
	played.CreatedAt = at
	must(t, p.Games.Create(t.Context(), []table.Game{played}))
}

// seatRace lets players take the last seats of games at the same moment, on two sets of tables, while others leave and
// the creator breaks it off.
func seatRace(t *testing.T, p Ports) {
	tables := []*table.Tables{
		table.New(table.Config{Storage: p.Games.Storage(), Instance: "one", Shared: true}), table.New(table.Config{
			Storage: p.Games.Storage(), Instance: "two", Shared: true,
		}),
	}
	for n := range 12 {
		opened, err := tables[0].Open(t.Context(), table.NewGame{
			Variant: "quivive/melee", Players: []string{"ann", "", ""}, Controls: []string{"300"}, Open: true, Start: true,
			CreatedBy: fmt.Sprint("host", n),
		})
		must(t, err)
		id := opened[0].Game.ID
		sit := func(on int, who string) error {
			_, err := tables[on].Sit(t.Context(), tables[on].Arrive(id), table.Sitting{By: who, Player: who})
			return err
		}
		leave := func(on int, by, who string) error {
			_, err := tables[on].LeaveSeat(t.Context(), tables[on].Arrive(id), by, who, sentence.Typed("no"))
			return err
		}
		must(t, sit(0, "bob"))
		acts := []func() error{
			func() error { return sit(0, "cid") }, func() error { return sit(1, "dan") }, func() error { return sit(1, "eve") },
			func() error { return leave(1, "bob", "bob") }, func() error { return leave(0, fmt.Sprint("host", n), "ann") },
		}[:3+n%3]
		answers := make([]error, len(acts))
		var group sync.WaitGroup
		for i, act := range acts {
			group.Go(func() { answers[i] = act() })
		}
		group.Wait()
		for i, err := range answers {
			for _, known := range []error{table.ErrSeatTaken, table.ErrGameOver, table.ErrNoInvitation, table.ErrConflict} {
				if errors.Is(err, known) {
					err = nil
				}
			}
			if err != nil {
				t.Errorf("act %d: %v", i, err)
			}
		}
		checkSeats(t, p, id)
	}
}

// checkSeats checks that a game began at most once, whole, or was broken off, and that each player finds it.
func checkSeats(t *testing.T, p Ports, id string) {
	t.Helper()
	g, lines, err := p.Games.Load(t.Context(), id)
	must(t, err)
	count := map[table.LineKind]int{}
	for _, l := range lines {
		count[l.Kind]++
	}
	open := len(g.OpenSeats())
	if count[table.LineStart]+count[table.LineAbort] > 1 || (count[table.LineStart] == 1) != (g.Status == table.Running) ||
		g.Status == table.Running && (open > 0 || g.Invited != 0) || g.Status == table.Waiting && open == 0 {
		t.Errorf("%v: %s with %v", count, g.Status, g.Players)
	}
	if faults := table.Audit(g, lines); faults != nil {
		t.Error(faults)
	}
	seen := map[string]bool{}
	for _, who := range g.Players {
		if who != "" && seen[who] {
			t.Errorf("%s sits at two seats: %v", who, g.Players)
		}
		seen[who] = true
	}
	for _, who := range []string{"ann", "bob", "cid", "dan", "eve"} {
		page, _, err := p.Games.List(t.Context(), table.Filter{Player: who}, 50, "")
		must(t, err)
		found := slices.ContainsFunc(page, func(g table.Game) bool { return g.ID == id })
		if found != seen[who] {
			t.Errorf("%s finds the game: %t, with %v", who, found, g.Players)
		}
	}
}

// blocks tests the list of blocks, through merges, too.
func blocks(t *testing.T, p Ports) {
	for _, id := range []string{"ann", "bob", "cid", "dan"} {
		must(t, p.Players.CreatePlayer(t.Context(), club.Player{ID: id, Name: id}))
	}
	block := func(who, whom string, at int64) error {
		return p.Players.Block(t.Context(), club.Block{Player: who, Blocked: whom, At: at})
	}
	must(t, block("ann", "bob", 1))
	must(t, block("ann", "bob", 2))
	must(t, block("ann", "cid", 3))
	must(t, block("cid", "bob", 4))
	must(t, block("bob", "dan", 5))
	refused(t, "a player that there is not", block("ann", "nobody", 6), club.ErrNotFound)
	p = p.Reopen(t)
	list := func(who string) []club.Block {
		found, err := p.Players.Blocks(t.Context(), who)
		must(t, err)
		return found
	}
	equal(t, "ann's", list("ann"), []club.Block{
		{Player: "ann", Blocked: "cid", At: 3}, {Player: "ann", Blocked: "bob", At: 1},
	})
	by, err := p.Players.BlockedBy(t.Context(), []string{"ann", "bob", "cid", "dan"}, "bob")
	must(t, err)
	equal(t, "who has blocked bob", by, map[string]bool{"ann": true, "cid": true})
	opponents, err := p.Players.Opponents(t.Context(), []string{"ann", "dan", "nobody"}, "bob")
	must(t, err)
	for _, id := range []string{"ann", "dan"} {
		player, err := p.Players.Player(t.Context(), id)
		must(t, err)
		equal(t, id+" as bob's opponent", opponents[id], club.Opponent{Player: player, Blocks: id == "ann"})
	}
	equal(t, "opponents", len(opponents), 2)
	must(t, p.Players.Unblock(t.Context(), "cid", "bob"))
	must(t, p.Players.Unblock(t.Context(), "cid", "bob"))
	must(t, p.Players.MergePlayers(t.Context(), club.Merge{Keep: "cid", Gone: "bob", By: "a", At: 9},
		func(context.Context, ledger.Store) error { return nil }))
	opponents, err = p.Players.Opponents(t.Context(), []string{"bob"}, "ann")
	must(t, err)
	equal(t, "bob who is cid", opponents["bob"].ID, "cid")
	equal(t, "ann's after bob went into cid", list("ann"), []club.Block{{Player: "ann", Blocked: "cid", At: 3}})
	equal(t, "cid's", list("cid"), []club.Block{{Player: "cid", Blocked: "dan", At: 5}})
	must(t, p.Players.MergePlayers(t.Context(), club.Merge{Keep: "cid", Gone: "dan", By: "a", At: 9},
		func(context.Context, ledger.Store) error { return nil }))
	equal(t, "who blocks themselves after a merge", list("cid"), []club.Block{})
}

// blocksAreLimited blocks more players than allowed, at the same moment.
func blocksAreLimited(t *testing.T, p Ports) {
	var players []club.Player
	for i := range club.MaxBlocks + 5 {
		players = append(players, club.Player{ID: fmt.Sprintf("p%03d", i), Name: "P"})
	}
	must(t, p.Players.CreatePlayer(t.Context(), players...))
	var group sync.WaitGroup
	for i := range players[1:] {
		group.Go(func() {
			err := p.Players.Block(t.Context(), club.Block{Player: "p000", Blocked: players[i+1].ID, At: 1})
			if err != nil && !errors.Is(err, club.ErrBlocks) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	found, err := p.Players.Blocks(t.Context(), "p000")
	must(t, err)
	equal(t, "number of blocks", len(found), club.MaxBlocks)
}

// nonces lets the seats of a game add to its seed, with a restart before each of them: the acknowledged nonces
// determine the deal.
func nonces(t *testing.T, p Ports) {
	parts := []chance.Nonce{{1}, {2}}
	server := [32]byte{3}
	open := func() *table.Tables {
		return table.New(table.Config{Storage: p.Games.Storage(), NewSeed: func() [32]byte { return server }})
	}
	_, err := open().Open(t.Context(), table.NewGame{
		ID: "g", Variant: "quiwin/duel", Players: []string{"ann", "bob"}, Controls: []string{"60"}, Nonces: true, Start: true,
	})
	must(t, err)
	send := func(seat int, do func(*table.Tables, *table.Arrival, table.Nonce) (*table.Snapshot, error)) *table.Snapshot {
		t.Helper()
		p = p.Reopen(t)
		tables := open()
		n := table.Nonce{
			Act: table.Act{Game: "g", Seat: int8(seat)}, Nonce: parts[seat-1], Commitment: parts[seat-1].Commitment(),
		}
		s, err := do(tables, tables.Arrive("g"), n)
		must(t, err)
		return s
	}
	commit := func(tables *table.Tables, a *table.Arrival, n table.Nonce) (*table.Snapshot, error) {
		return tables.CommitNonce(t.Context(), a, n)
	}
	reveal := func(tables *table.Tables, a *table.Arrival, n table.Nonce) (*table.Snapshot, error) {
		return tables.SendNonce(t.Context(), a, n)
	}
	send(1, commit)
	send(2, commit)
	equal(t, "status before the last nonce", send(2, reveal).Game.Status, table.Waiting)
	dealt := send(1, reveal)
	equal(t, "status after the last nonce", dealt.Game.Status, table.Running)
	p = p.Reopen(t)
	s, err := open().Snapshot(t.Context(), "g")
	must(t, err)
	want := chance.GameSeed(engine.NewSeed(server), parts).Commitment()
	equal(t, "commitment of the game's seed", s.Project(engine.Viewer{}).Commitment, want)
	game, log, err := p.Games.Load(t.Context(), "g")
	must(t, err)
	equal(t, "faults of the stored game", len(table.Audit(game, log)), 0)
	loaded(t, p, dealt.Game, dealt.Lines...)
}
