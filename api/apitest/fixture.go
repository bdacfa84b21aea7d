package apitest

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

// Fixture is the service with its pages for a small club: players p1 to p8 with accounts of the same ids, p8 an
// organiser, and a player without an account. Its clock is stopped until a test lets time pass, and moves and seeds are
// drawn from a fixed source, so that pages are always the same.
type Fixture struct {
	*Service
	chance   *rand.Rand
	sessions map[string]Person
}

var memberNames = []string{
	"Ada Lovelace", "Charles Babbage", "Émilie du Châtelet", "Sofja Kowalewskaja", "Srinivasa Ramanujan",
	"Maria-Magdalena von Waldenburg-Zeil", "Paul Erdős", "Emmy Noether",
}

// NewFixture makes the club without any game.
func NewFixture(t testing.TB, change ...func(*Config)) *Fixture {
	t.Helper()
	f := beginFixture(t, time.Date(2026, 11, 17, 18, 30, 0, 0, time.UTC), nil, change...)
	for i, name := range memberNames {
		id, role := fmt.Sprintf("p%d", i+1), account.RolePlayer
		if id == "p8" {
			role = account.RoleOrganiser
		}
		f.Do(f.Store.People().CreateAccount(t.Context(), account.Account{
			ID: id, Login: "login-of-" + id, Role: role, CreatedAt: f.Millis(),
		}, &club.Player{
			ID: id, Name: name, Club: []string{"Tuesday Club", "Les Quatre Coins"}[i%2], Version: 1, CreatedAt: f.Millis(),
		}))
	}
	f.Do(f.Store.People().CreatePlayer(t.Context(),
		club.Player{ID: "new", Name: "Newcomer", Version: 1, CreatedAt: f.Millis()}))
	return f
}

// furnished is the database of the furnished club, made once, and the time then.
var furnished struct {
	sync.Once
	database []byte
	at       time.Time
}

// NewFurnished makes the club with tournaments in every stage, and games of every variant, running and over.
func NewFurnished(t testing.TB, change ...func(*Config)) *Fixture {
	t.Helper()
	furnished.Do(func() {
		f := NewFixture(t).furnish()
		file := filepath.Join(t.TempDir(), "furnished.db")
		f.Do(store.BackupDir(t.Context(), f.Folder, file))
		database, err := os.ReadFile(file)
		f.Do(err)
		furnished.database, furnished.at = database, f.Now()
	})
	return beginFixture(t, furnished.at, furnished.database, change...)
}

func beginFixture(t testing.TB, at time.Time, database []byte, change ...func(*Config)) *Fixture {
	t.Helper()
	f := &Fixture{chance: rand.New(rand.NewPCG(7, 11)), sessions: map[string]Person{}}
	f.Service = New(t, append([]func(*Config){WithPages, func(c *Config) {
		c.Clock = func() time.Time { return at }
		c.Seed = f.Seed
		c.stored = database
	}}, change...)...)
	return f
}

// Seed draws a seed from the fixed source.
func (f *Fixture) Seed() (seed [32]byte) {
	for i := range seed {
		seed[i] = byte(f.chance.Uint32())
	}
	return seed
}

// Millis returns the time of the service in milliseconds.
func (f *Fixture) Millis() int64 { return f.Now().UnixMilli() }

// Do fails the test with an error.
func (f *Fixture) Do(err error) {
	f.T.Helper()
	if err != nil {
		f.T.Fatal(err)
	}
}

// As returns a session of an account, "" for the public.
func (f *Fixture) As(id string) Person {
	f.T.Helper()
	if _, open := f.sessions[id]; !open && id != "" {
		f.sessions[id] = Person{Service: f.Service, Account: id}.Again()
	}
	return Person{f.Service, f.sessions[id].Token, "", id, id}
}

// Get requests a page as an account.
func (f *Fixture) Get(path, as string, headers ...Header) *Answer {
	f.T.Helper()
	return f.As(as).Get("/"+path, append(headers, Header{"Accept", "text/html"})...)
}

// Page returns a page that must exist.
func (f *Fixture) Page(path, as string, headers ...Header) string {
	f.T.Helper()
	return string(f.Get(path, as, headers...).Want(f.T, http.StatusOK).Raw)
}

// Post sends a form as an account.
func (f *Fixture) Post(path, as string, form url.Values) *Answer {
	f.T.Helper()
	return f.As(as).PostForm(path, form, Header{"Accept", "text/html"})
}

// Rooms returns the pages of games and those of tournaments.
func (f *Fixture) Rooms() (*games.Pages, *tournaments.Pages) {
	room := games.New(f.Pages.Kit, ttlcache.New[kit.PictureKey, []byte](1, time.Hour, f.Pages.Now))
	return room, tournaments.New(f.Pages.Kit, room, entries.New(f.Pages.Kit))
}

// Game returns a stored game.
func (f *Fixture) Game(id string) *table.Snapshot {
	f.T.Helper()
	s, err := f.Tables.Snapshot(f.T.Context(), id)
	f.Do(err)
	return s
}

// Tournament returns a stored tournament.
func (f *Fixture) Tournament(id string) *tournament.Tournament {
	f.T.Helper()
	t, err := f.Store.Tournaments().Load(f.T.Context(), id)
	f.Do(err)
	return t
}

// Put stores a tournament, whatever the stored version was.
func (f *Fixture) Put(t *tournament.Tournament) {
	f.T.Helper()
	before, err := f.Store.Tournaments().Load(f.T.Context(), t.ID)
	if errors.Is(err, tournament.ErrNotFound) {
		f.Do(f.Store.Tournaments().Create(f.T.Context(), t))
		return
	}
	f.Do(err)
	f.save(before, t, tournament.Delta{Entries: t.Entries, Rounds: t.Rounds})
}

// Change stores a tournament with a test's changes.
func (f *Fixture) Change(id string, edit func(t *tournament.Tournament)) {
	f.T.Helper()
	next := *f.Tournament(id)
	next.Entries, next.Rounds = slices.Clone(next.Entries), slices.Clone(next.Rounds)
	edit(&next)
	f.Put(&next)
}

// Record stores acts on the ladder.
func (f *Fixture) Record(changes []tournament.Change, acts ...tournament.Act) {
	f.T.Helper()
	before := f.Tournament("ladder")
	next := *before
	for i := range acts {
		acts[i].Version = before.Version + int64(i) + 1
	}
	f.save(before, &next, tournament.Delta{Changes: changes, Acts: acts})
}

// save stores the change of a tournament.
func (f *Fixture) save(before, next *tournament.Tournament, delta tournament.Delta) {
	f.T.Helper()
	r := tournament.Revision{Tournament: next, Delta: delta}
	r.Delta.Acts = nil // those of a test have versions of their own
	r.Succeed(before)
	f.Do(f.Store.Tournaments().Save(f.T.Context(), next, before.Version, delta))
}

// variants are those of the club's casual games, with the number of moves made in games that run.
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
func (f *Fixture) furnish() *Fixture {
	f.T.Helper()
	f.Event("autumn", "Autumn Cup", 5, 5, false)
	f.As("p8").Post("/tournaments/autumn/finish", nil).Want(f.T, http.StatusOK)
	f.Put(&tournament.Tournament{
		ID: "winter", Name: "Winter Quits", Variant: "quits/duel", Format: tournament.Swiss, RoundCount: 5,
		TimeControl: "600y5x30", Status: tournament.Open, StartsAt: f.Millis() + 9*24*3600*1000, Organiser: "p8",
		Entries: f.Tournament("autumn").Entries[:3],
	})
	f.Put(&tournament.Tournament{
		ID: "secret", Name: "Surprise Open", Variant: "quixo/duel", Format: tournament.Swiss, TimeControl: "none",
		Status: tournament.Draft, Organiser: "p8",
	})
	for i, rules := range catalog.All() {
		info := rules.Info()
		over := NameOf(info.ID) + "-over"
		f.Open(table.NewGame{ID: over, Variant: info.ID, Players: f.Some(i, slices.Max(info.Seats)), Rated: true})
		f.Ended(over)
	}
	f.Open(table.NewGame{ID: "left", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Controls: []string{"60y3x10"}})
	f.Play("left", 5)
	f.Act("left", 2, f.Tables.Offer)
	f.Act("left", 1, f.Tables.Decline)
	f.Act("left", 1, f.Tables.Resign)
	f.Event("tuesday", "Tuesday Evening Quixo", 8, 2, true)
	f.Change("tuesday", func(t *tournament.Tournament) {
		general := []tournament.Prize{{Amount: 30000, Text: "a cup"}, {Amount: 30000}, {Amount: 30000}, {Amount: 30000}}
		t.Prizes = tournament.Prizes{Sharing: "hort", Categories: []tournament.PrizeCategory{
			{Name: "General", Prizes: general},
			{Name: "Youth", Prizes: []tournament.Prize{{Amount: 5000}}, AgeTo: 18, RatingTo: 1800, Unrated: true},
			{Name: "Club", Prizes: []tournament.Prize{{Text: "a plate"}}, Clubs: []string{"Tuesday Club"}},
		}}
	})
	for i, v := range variants {
		f.Open(table.NewGame{ID: NameOf(v.variant), Variant: v.variant, Players: f.Some(i, v.seats), Rated: true})
		f.Play(NameOf(v.variant), v.moves)
	}
	f.odd()
	return f
}

// odd adds rare cases: games without end, byes of all kinds, forfeits, an unpublished round, tables of four.
func (f *Fixture) odd() {
	f.T.Helper()
	for _, id := range []string{"broken", "waiting"} {
		_, err := f.Tables.Open(f.T.Context(), table.NewGame{
			ID: id, Variant: "quixo/duel", Players: []string{"p1", "p2"}, Controls: []string{"none"},
		})
		f.Do(err)
	}
	f.Abort("broken")
	entries := f.Tournament("tuesday").Entries
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
		CreatedAt: f.Millis(),
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
	f.Put(ladder)
	corrected := tournament.Change{
		Round: 1, Board: 1, Before: lost, After: won, By: "p8", At: f.Millis(), Why: "written down wrongly",
	}
	f.Record(
		[]tournament.Change{
			{Round: 1, Board: 1, After: lost, By: "p8", At: f.Millis()},
			corrected,
			{Round: 3, Board: 1, After: won, By: "p8", At: f.Millis(), Why: "of a round that was deleted"},
		},
		tournament.Act{Kind: tournament.ActRegister, By: "gone", At: f.Millis(), Entry: "ep4"},
		corrected.Act(),
		tournament.Act{Kind: tournament.ActDraw, By: "p8", At: f.Millis(), Round: 3},
		tournament.Act{Kind: tournament.ActEdit, By: "p8", At: f.Millis(), Round: 3, Why: "they are brothers"},
	)
	ranks := []int{2, 1, 4, 3}
	f.Put(&tournament.Tournament{
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

// Abort breaks a game off.
func (f *Fixture) Abort(id string) {
	f.T.Helper()
	_, err := f.Tables.Abort(f.T.Context(), id, "p8", sentence.Typed("wrong players"))
	f.Do(err)
}

// NameOf returns the id of the casual game of a variant.
func NameOf(variant string) string { return strings.ReplaceAll(variant, "/", "-") }

// Some returns a number of players, beginning anywhere.
func (f *Fixture) Some(from, count int) []string {
	var ids []string
	for i := range count {
		ids = append(ids, fmt.Sprintf("p%d", (from+i)%len(memberNames)+1))
	}
	return ids
}

// Open starts a game.
func (f *Fixture) Open(g table.NewGame) *table.Snapshot {
	f.T.Helper()
	g.Start = true
	if g.Controls == nil {
		g.Controls = []string{"300+3"}
	}
	s, err := f.Tables.Open(f.T.Context(), g)
	f.Do(err)
	return s[0]
}

// Play makes random moves, at most the given number.
func (f *Fixture) Play(id string, moves int) *table.Snapshot {
	f.T.Helper()
	s := f.Game(id)
	for range moves {
		pending := s.Match.Pending()
		if pending.Over() {
			break
		}
		f.Pass(time.Duration(300+f.chance.IntN(3500)) * time.Millisecond)
		seat := pending.Awaited[f.chance.IntN(len(pending.Awaited))]
		legal := s.Match.State().Legal(seat)
		s = f.Move(s, seat, string(legal[f.chance.IntN(len(legal))]))
	}
	return s
}

// Move makes a move in a game.
func (f *Fixture) Move(s *table.Snapshot, seat engine.Seat, token string) *table.Snapshot {
	f.T.Helper()
	a := f.Tables.Arrive(s.Game.ID)
	defer a.Done()
	next, err := f.Tables.Play(f.T.Context(), a, table.Move{
		Act: table.Act{Game: s.Game.ID, Seat: int8(seat)}, Turn: s.Match.Turn(), Token: token,
	})
	f.Do(err)
	return next
}

// Act does something other than a move, for example resign.
func (f *Fixture) Act(id string, seat int8,
	do func(context.Context, *table.Arrival, table.Act) (*table.Snapshot, error),
) {
	f.T.Helper()
	f.Pass(5 * time.Second)
	a := f.Tables.Arrive(id)
	defer a.Done()
	_, err := do(f.T.Context(), a, table.Act{Game: id, Seat: seat})
	f.Do(err)
}

// Ended plays a game to its end.
func (f *Fixture) Ended(id string) *table.Snapshot { return f.Play(id, 1000) }

// Event makes a round-robin of the first n players with some rounds played and, if open is set, another in play.
func (f *Fixture) Event(id, name string, n, played int, open bool) {
	f.T.Helper()
	t := &tournament.Tournament{
		ID: id, Name: name, Variant: "quixo/duel", Format: tournament.RoundRobin, RoundCount: roundrobin.Rounds(n, false),
		TimeControl: "300+3", TieBreaks: []string{"DE", "SB", "WIN"}, Points: tournament.StandardPoints, Rated: true,
		Status: tournament.Running, Organiser: "p8", CreatedAt: f.Millis(), StartedAt: f.Millis(),
	}
	for i := range n {
		who, err := f.Store.People().Player(f.T.Context(), fmt.Sprintf("p%d", i+1))
		f.Do(err)
		t.Entries = append(t.Entries, tournament.Entry{
			ID: "e" + who.ID, Number: i + 1, Name: who.Name, Members: []string{who.ID}, Rating: 1500, Club: who.Club,
			Status: tournament.Confirmed,
		})
	}
	f.Put(t)
	for r := 1; r <= played; r++ {
		f.round(id, n, r, n)
		f.Pass(7 * 24 * time.Hour)
	}
	if open {
		f.round(id, n, played+1, 1)
	}
}

// round publishes a round and plays a few moves of its games, then the first finished of them are resigned.
func (f *Fixture) round(id string, n, number, finished int) {
	f.T.Helper()
	round := tournament.Round{Number: number, Status: tournament.Published, PublishedAt: f.Millis()}
	for i, g := range roundrobin.Round(n, false, number) {
		p := tournament.Pairing{Board: i + 1, Games: 1, GameID: fmt.Sprintf("%s-%d-%d", id, number, i+1)}
		for _, seat := range []int{g.White, g.Black} {
			if seat != 0 {
				p.Seats = append(p.Seats, fmt.Sprint("ep", seat))
			}
		}
		if len(p.Seats) == 1 {
			p.Bye = tournament.PairingAllocated
			p.Games = 0
			p.GameID = ""
			p.Result = &tournament.Result{Points: []tournament.Points{10}}
		}
		round.Pairings = append(round.Pairings, p)
	}
	f.Change(id, func(t *tournament.Tournament) { t.Rounds = append(t.Rounds, round) })
	for i, p := range round.Pairings {
		if p.GameID == "" {
			continue
		}
		f.Open(table.NewGame{
			ID: p.GameID, Variant: "quixo/duel", Rated: true, Players: []string{p.Seats[0][1:], p.Seats[1][1:]},
			Tournament: &table.Place{ID: id, Round: number, Board: p.Board},
		})
		if f.Play(p.GameID, 9+4*i); i < finished {
			f.Act(p.GameID, int8(1+(number+i)%2), f.Tables.Resign)
		}
	}
}
