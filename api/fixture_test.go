package api_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/kit"
	games "quatuor/api/pages/play"
	"quatuor/api/pages/tournaments"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/store"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/pairing/roundrobin"
)

// fixture is the service with its pages for a small club: players p1 to p8 with accounts of the same ids, of which p8
// organises, and one without an account. Its clock stands until a test lets time pass, and moves and seeds are drawn
// from a fixed source, so that pages are always the same.
type fixture struct {
	*service
	chance   *rand.Rand
	sessions map[string]person
}

var memberNames = []string{
	"Ada Lovelace", "Charles Babbage", "Émilie du Châtelet", "Sofja Kowalewskaja", "Srinivasa Ramanujan",
	"Maria-Magdalena von Waldenburg-Zeil", "Paul Erdős", "Emmy Noether",
}

// newFixture makes the club without any game.
func newFixture(t testing.TB, change ...func(*configuration)) *fixture {
	t.Helper()
	f := beginFixture(t, time.Date(2026, 11, 17, 18, 30, 0, 0, time.UTC), nil, change...)
	for i, name := range memberNames {
		id, role := fmt.Sprintf("p%d", i+1), account.RolePlayer
		if id == "p8" {
			role = account.RoleOrganiser
		}
		f.do(f.db.People().CreateAccount(t.Context(), account.Account{
			ID: id, Login: "login-of-" + id, Role: role, CreatedAt: f.ms(),
		}, &club.Player{
			ID: id, Name: name, Club: []string{"Tuesday Club", "Les Quatre Coins"}[i%2], Version: 1, CreatedAt: f.ms(),
		}))
	}
	f.do(f.db.People().CreatePlayer(t.Context(), club.Player{ID: "new", Name: "Newcomer", Version: 1, CreatedAt: f.ms()}))
	return f
}

// furnished is the database of the furnished club, made once, and the time then.
var furnished struct {
	sync.Once
	database []byte
	at       time.Time
}

// newFurnished makes the club with tournaments in every stage, and games of every variant, running and over.
func newFurnished(t testing.TB, change ...func(*configuration)) *fixture {
	t.Helper()
	furnished.Do(func() {
		f := newFixture(t).furnish()
		file := filepath.Join(t.TempDir(), "furnished.db")
		f.do(store.BackupDir(t.Context(), f.folder, file))
		database, err := os.ReadFile(file)
		f.do(err)
		furnished.database, furnished.at = database, f.now()
	})
	return beginFixture(t, furnished.at, furnished.database, change...)
}

func beginFixture(t testing.TB, at time.Time, database []byte, change ...func(*configuration)) *fixture {
	t.Helper()
	f := &fixture{chance: rand.New(rand.NewPCG(7, 11)), sessions: map[string]person{}}
	f.service = newService(t, append([]func(*configuration){withRealPages, func(c *configuration) {
		c.clock, c.seed, c.stored = func() time.Time { return at }, f.seed, database
	}}, change...)...)
	return f
}

func (f *fixture) seed() (seed [32]byte) {
	for i := range seed {
		seed[i] = byte(f.chance.Uint32())
	}
	return seed
}

func (f *fixture) ms() int64 { return f.now().UnixMilli() }

// do fails the test with an error.
func (f *fixture) do(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// as returns a session of an account, "" for the public.
func (f *fixture) as(id string) person {
	f.t.Helper()
	if _, open := f.sessions[id]; !open && id != "" {
		f.sessions[id] = person{s: f.service, account: id}.again()
	}
	return person{f.service, f.sessions[id].token, "", id, id}
}

// get requests a page as an account.
func (f *fixture) get(path, as string, headers ...header) *answer {
	f.t.Helper()
	return f.as(as).get("/"+path, append(headers, header{"Accept", "text/html"})...)
}

// page returns a page that must exist.
func (f *fixture) page(path, as string, headers ...header) string {
	f.t.Helper()
	return string(f.get(path, as, headers...).want(f.t, http.StatusOK).raw)
}

// post sends a form as an account.
func (f *fixture) post(path, as string, form url.Values) *answer {
	f.t.Helper()
	return f.as(as).form(path, form, header{"Accept", "text/html"})
}

// rooms returns the pages of games and those of tournaments.
func (f *fixture) rooms() (*games.Pages, *tournaments.Pages) {
	room := games.New(f.pages.Kit, ttlcache.New[kit.PictureKey, []byte](1, time.Hour, f.pages.Now))
	return room, tournaments.New(f.pages.Kit, room, entries.New(f.pages.Kit))
}

// game returns a stored game.
func (f *fixture) game(id string) *table.Snapshot {
	f.t.Helper()
	s, err := f.tables.Snapshot(f.t.Context(), id)
	f.do(err)
	return s
}

// tournament returns a stored tournament.
func (f *fixture) tournament(id string) *tournament.Tournament {
	f.t.Helper()
	t, err := f.db.Tournaments().Load(f.t.Context(), id)
	f.do(err)
	return t
}

// put stores a tournament as it is, whatever the stored one was.
func (f *fixture) put(t *tournament.Tournament) {
	f.t.Helper()
	before, err := f.db.Tournaments().Load(f.t.Context(), t.ID)
	if errors.Is(err, tournament.ErrNotFound) {
		f.do(f.db.Tournaments().Create(f.t.Context(), t))
		return
	}
	f.do(err)
	f.save(before, t, tournament.Delta{Entries: t.Entries, Rounds: t.Rounds})
}

// change stores a tournament with what a test changes about it.
func (f *fixture) change(id string, edit func(t *tournament.Tournament)) {
	f.t.Helper()
	next := *f.tournament(id)
	next.Entries, next.Rounds = slices.Clone(next.Entries), slices.Clone(next.Rounds)
	edit(&next)
	f.put(&next)
}

// record stores what was done with the ladder.
func (f *fixture) record(changes []tournament.Change, acts ...tournament.Act) {
	f.t.Helper()
	before := f.tournament("ladder")
	next := *before
	for i := range acts {
		acts[i].Version = before.Version + int64(i) + 1
	}
	f.save(before, &next, tournament.Delta{Changes: changes, Acts: acts})
}

// save stores the change of a tournament.
func (f *fixture) save(before, next *tournament.Tournament, delta tournament.Delta) {
	f.t.Helper()
	next.Succeed(before, delta)
	f.do(f.db.Tournaments().Save(f.t.Context(), next, before.Version, delta))
}

// variants are those of the club's casual games, with the number of moves made in the running ones.
var variants = []struct {
	variant      string
	seats, moves int
}{
	{"quixo/teams", 4, 15},
	{"quits/duel", 2, 12},
	{"quits/four", 4, 17},
	{"quivive/duel", 2, 24},
	{"quivive/melee", 5, 29},
	{"quiwin/duel", 2, 13},
}

// furnish fills the club: tournaments in every stage, and games of every variant, running and over.
func (f *fixture) furnish() *fixture {
	f.t.Helper()
	f.event("autumn", "Autumn Cup", 5, 5, false)
	f.as("p8").post("/tournaments/autumn/finish", nil).want(f.t, http.StatusOK)
	f.put(&tournament.Tournament{
		ID: "winter", Name: "Winter Quits", Variant: "quits/duel", Format: tournament.Swiss, RoundCount: 5,
		TimeControl: "600y5x30", Status: tournament.Open, StartsAt: f.ms() + 9*24*3600*1000, Organiser: "p8",
		Entries: f.tournament("autumn").Entries[:3],
	})
	f.put(&tournament.Tournament{
		ID: "secret", Name: "Surprise Open", Variant: "quixo/duel", Format: tournament.Swiss, TimeControl: "none",
		Status: tournament.Draft, Organiser: "p8",
	})
	for i, rules := range catalog.All() {
		info := rules.Info()
		over := nameOf(info.ID) + "-over"
		f.open(table.NewGame{ID: over, Variant: info.ID, Players: f.some(i, slices.Max(info.Seats)), Rated: true})
		f.ended(over)
	}
	f.open(table.NewGame{ID: "left", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Controls: []string{"60y3x10"}})
	f.play("left", 5)
	f.act("left", 2, f.tables.Offer)
	f.act("left", 1, f.tables.Decline)
	f.act("left", 1, f.tables.Resign)
	f.event("tuesday", "Tuesday Evening Quixo", 8, 2, true)
	f.change("tuesday", func(t *tournament.Tournament) {
		general := []tournament.Prize{{Amount: 30000, Text: "a cup"}, {Amount: 30000}, {Amount: 30000}, {Amount: 30000}}
		t.Prizes = tournament.Prizes{Sharing: "hort", Categories: []tournament.PrizeCategory{
			{Name: "General", Prizes: general},
			{Name: "Youth", Prizes: []tournament.Prize{{Amount: 5000}}, AgeTo: 18, RatingTo: 1800, Unrated: true},
			{Name: "Club", Prizes: []tournament.Prize{{Text: "a plate"}}, Clubs: []string{"Tuesday Club"}},
		}}
	})
	for i, v := range variants {
		f.open(table.NewGame{ID: nameOf(v.variant), Variant: v.variant, Players: f.some(i, v.seats), Rated: true})
		f.play(nameOf(v.variant), v.moves)
	}
	f.odd()
	return f
}

// odd adds rare cases: games without end, byes of all kinds, forfeits, an unpublished round, tables of four.
func (f *fixture) odd() {
	f.t.Helper()
	for _, id := range []string{"broken", "waiting"} {
		_, err := f.tables.Open(f.t.Context(), table.NewGame{
			ID: id, Variant: "quixo/duel", Players: []string{"p1", "p2"}, Controls: []string{"none"},
		})
		f.do(err)
	}
	f.abort("broken")
	entries := f.tournament("tuesday").Entries
	points := tournament.StandardPoints
	won := &tournament.Result{Ranks: []int{1, 2}, Points: points.ForRanks([]int{1, 2}), Source: tournament.ByArbiter}
	forfeit := &tournament.Result{
		Ranks: []int{1, 2}, Points: []tournament.Points{10, 0}, Forfeit: true, Source: tournament.ByArbiter,
	}
	bye := func(board int, entry string, kind tournament.Bye) tournament.Pairing {
		return tournament.Pairing{
			Board: board, Seats: []string{entry}, Bye: kind,
			Result: &tournament.Result{Points: []tournament.Points{points.ForBye(kind)}},
		}
	}
	ladder := &tournament.Tournament{
		ID: "ladder", Name: "Ladder", Variant: "quits/duel", Format: tournament.Swiss, RoundCount: 3, TimeControl: "none",
		TieBreaks: []string{"WIN"}, Points: points, Status: tournament.Running, Organiser: "p8", Entries: entries[:5],
		CreatedAt: f.ms(),
		Rounds: []tournament.Round{
			{Number: 1, Status: tournament.Complete, Pairings: []tournament.Pairing{
				{Board: 1, Seats: []string{"ep1", "ep2"}, Result: won},
				{Board: 2, Seats: []string{"ep3", "ep4"}, Result: won},
				bye(3, "ep5", tournament.HalfPoint),
			}},
			{Number: 2, Status: tournament.Published, Pairings: []tournament.Pairing{
				{Board: 1, Seats: []string{"ep1", "ep3"}, Adjourned: "Friday at 8"},
				{Board: 2, Seats: []string{"ep4", "ep5"}, Result: forfeit},
				bye(3, "ep2", tournament.FullPoint),
			}},
			{Number: 3, Status: tournament.Paired, Pairings: []tournament.Pairing{
				{Board: 1, Seats: []string{"ep1", "ep2"}},
				{Board: 2, Seats: []string{"ep3", "ep5"}},
				bye(3, "ep4", tournament.ZeroPoint),
			}},
		},
	}
	lost := &tournament.Result{Ranks: []int{2, 1}, Points: points.ForRanks([]int{2, 1}), Source: tournament.ByArbiter}
	f.put(ladder)
	corrected := tournament.Change{
		Round: 1, Board: 1, Before: lost, After: won, By: "p8", At: f.ms(), Why: "written down wrongly",
	}
	f.record(
		[]tournament.Change{
			{Round: 1, Board: 1, After: lost, By: "p8", At: f.ms()},
			corrected,
			{Round: 3, Board: 1, After: won, By: "p8", At: f.ms(), Why: "of a round that was deleted"},
		},
		tournament.Act{Kind: tournament.ActRegister, By: "gone", At: f.ms(), Entry: "ep4"},
		corrected.Act(),
		tournament.Act{Kind: tournament.ActDraw, By: "p8", At: f.ms(), Round: 3},
		tournament.Act{Kind: tournament.ActEdit, By: "p8", At: f.ms(), Round: 3, Why: "they are brothers"},
	)
	ranks := []int{2, 1, 4, 3}
	f.put(&tournament.Tournament{
		ID: "tables", Name: "Round the table", Variant: "quits/four",
		Format: tournament.TableSwiss, RoundCount: 2, TimeControl: "60",
		Rules:     tournament.PairingRules{Tables: tournament.TableRules{Sizes: tournament.SizesOf(4), Preferred: 4}},
		TieBreaks: []string{"WIN"}, Points: points, Status: tournament.Running, Organiser: "p8", Entries: entries[:4],
		Rounds: []tournament.Round{{Number: 1, Status: tournament.Complete, Pairings: []tournament.Pairing{{
			Board: 1, Seats: []string{"ep1", "ep2", "ep3", "ep4"},
			Result: &tournament.Result{Ranks: ranks, Points: points.ForRanks(ranks), Source: tournament.ByServer},
		}}}},
	})
}

// abort breaks a game off.
func (f *fixture) abort(id string) {
	f.t.Helper()
	_, err := f.tables.Abort(f.t.Context(), id, "p8", sentence.Typed("wrong players"))
	f.do(err)
}

func nameOf(variant string) string { return strings.ReplaceAll(variant, "/", "-") }

// some returns so many players, beginning anywhere.
func (f *fixture) some(from, count int) []string {
	var ids []string
	for i := range count {
		ids = append(ids, fmt.Sprintf("p%d", (from+i)%len(memberNames)+1))
	}
	return ids
}

// open starts a game.
func (f *fixture) open(g table.NewGame) *table.Snapshot {
	f.t.Helper()
	g.Start = true
	if g.Controls == nil {
		g.Controls = []string{"300+3"}
	}
	s, err := f.tables.Open(f.t.Context(), g)
	f.do(err)
	return s[0]
}

// play makes up to so many random moves.
func (f *fixture) play(id string, moves int) *table.Snapshot {
	f.t.Helper()
	s := f.game(id)
	for range moves {
		pending := s.Match.Pending()
		if pending.Over() {
			break
		}
		f.pass(time.Duration(300+f.chance.IntN(3500)) * time.Millisecond)
		seat := pending.Awaited[f.chance.IntN(len(pending.Awaited))]
		legal := s.Match.State().Legal(seat)
		s = f.move(s, seat, string(legal[f.chance.IntN(len(legal))]))
	}
	return s
}

// move makes a move in a game as it stands.
func (f *fixture) move(s *table.Snapshot, seat engine.Seat, token string) *table.Snapshot {
	f.t.Helper()
	a := f.tables.Arrive(s.Game.ID)
	defer a.Done()
	next, err := f.tables.Play(f.t.Context(), a, table.Move{
		Act: table.Act{Game: s.Game.ID, Seat: int8(seat)}, Turn: s.Match.Turn(), Token: token,
	})
	f.do(err)
	return next
}

// act does something else than a move, such as resigning.
func (f *fixture) act(id string, seat int8, do func(context.Context, *table.Arrival, table.Act) (*table.Snapshot, error)) {
	f.t.Helper()
	f.pass(5 * time.Second)
	a := f.tables.Arrive(id)
	defer a.Done()
	_, err := do(f.t.Context(), a, table.Act{Game: id, Seat: seat})
	f.do(err)
}

// ended plays a game to its end.
func (f *fixture) ended(id string) *table.Snapshot { return f.play(id, 1000) }

// event makes a round-robin of the first n players with some rounds played and, if open is set, one more in play.
func (f *fixture) event(id, name string, n, played int, open bool) {
	f.t.Helper()
	t := &tournament.Tournament{
		ID: id, Name: name, Variant: "quixo/duel", Format: tournament.RoundRobin, RoundCount: roundrobin.Rounds(n, false),
		TimeControl: "300+3", TieBreaks: []string{"DE", "SB", "WIN"}, Points: tournament.StandardPoints, Rated: true,
		Status: tournament.Running, Organiser: "p8", CreatedAt: f.ms(), StartedAt: f.ms(),
	}
	for i := range n {
		who, err := f.db.People().Player(f.t.Context(), fmt.Sprintf("p%d", i+1))
		f.do(err)
		t.Entries = append(t.Entries, tournament.Entry{
			ID: "e" + who.ID, Number: i + 1, Name: who.Name, Members: []string{who.ID}, Rating: 1500, Club: who.Club,
			Status: tournament.Confirmed,
		})
	}
	f.put(t)
	for r := 1; r <= played; r++ {
		f.round(id, n, r, n)
		f.pass(7 * 24 * time.Hour)
	}
	if open {
		f.round(id, n, played+1, 1)
	}
}

// round publishes a round and plays a few moves of its games, then so many are resigned.
func (f *fixture) round(id string, n, number, finished int) {
	f.t.Helper()
	round := tournament.Round{Number: number, Status: tournament.Published, PublishedAt: f.ms()}
	for i, g := range roundrobin.Round(n, false, number) {
		p := tournament.Pairing{Board: i + 1, Games: 1, GameID: fmt.Sprintf("%s-%d-%d", id, number, i+1)}
		for _, seat := range []int{g.White, g.Black} {
			if seat != 0 {
				p.Seats = append(p.Seats, fmt.Sprint("ep", seat))
			}
		}
		if len(p.Seats) == 1 {
			p.Bye, p.Games, p.GameID = tournament.PairingAllocated, 0, ""
			p.Result = &tournament.Result{Points: []tournament.Points{10}}
		}
		round.Pairings = append(round.Pairings, p)
	}
	f.change(id, func(t *tournament.Tournament) { t.Rounds = append(t.Rounds, round) })
	for i, p := range round.Pairings {
		if p.GameID == "" {
			continue
		}
		f.open(table.NewGame{
			ID: p.GameID, Variant: "quixo/duel", Rated: true, Players: []string{p.Seats[0][1:], p.Seats[1][1:]},
			Tournament: &table.Place{ID: id, Round: number, Board: p.Board},
		})
		if f.play(p.GameID, 9+4*i); i < finished {
			f.act(p.GameID, int8(1+(number+i)%2), f.tables.Resign)
		}
	}
}
