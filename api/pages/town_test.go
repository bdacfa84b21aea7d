package pages

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/ports"
	"quatuor/api/stream"
	"quatuor/engine"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/rating"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/pairing/roundrobin"
)

// town is a small club with games, tournaments and ratings in memory. Its games run on real tables; everything comes
// from fixed seeds, so that pages are always the same.
type town struct {
	t     testing.TB
	pages *Pages
	echo  *echo.Echo
	hub   *stream.Hub
	*table.Tables
	chance *rand.Rand

	mu          sync.Mutex
	now         time.Time
	games       map[string]table.Game
	logs        map[string][]table.Line
	players     map[string]club.Player
	tournaments map[string]*tournament.Tournament
	changes     map[string][]tournament.Change
	acts        map[string][]tournament.Act
	ratings     map[string]map[string]rating.Rating // by list and player
	rows        []ledger.Row
}

var townNames = []string{
	"Ada Lovelace", "Charles Babbage", "Émilie du Châtelet", "Sofja Kowalewskaja", "Srinivasa Ramanujan",
	"Maria-Magdalena von Waldenburg-Zeil", "Paul Erdős", "Emmy Noether",
}

// sent requests a static file with an Accept-Encoding header.
func (w *town) sent(path, accept string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(w.t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Accept-Encoding", accept)
	answer := httptest.NewRecorder()
	w.echo.ServeHTTP(answer, r)
	return answer
}

// english returns the texts in English.
func (w *town) english() *message.Printer { return w.pages.Texts.Match("en") }

// newTown makes the club without any game.
func newTown(t testing.TB) *town {
	w := &town{
		t: t, chance: rand.New(rand.NewPCG(7, 11)),
		now: time.Date(2026, 11, 17, 18, 30, 0, 0, time.UTC), hub: stream.NewHub(),
		games: map[string]table.Game{}, logs: map[string][]table.Line{}, players: map[string]club.Player{},
		tournaments: map[string]*tournament.Tournament{}, changes: map[string][]tournament.Change{},
		acts: map[string][]tournament.Act{}, ratings: map[string]map[string]rating.Rating{},
	}
	for i, name := range townNames {
		id := fmt.Sprintf("p%d", i+1)
		w.players[id] = club.Player{
			ID: id, Name: name, Club: []string{"Tuesday Club", "Les Quatre Coins"}[i%2], CreatedAt: w.ms(),
		}
	}
	w.Tables = table.New(table.Config{
		Storage: table.Storage{Journal: w, Quotas: w}, Notifier: w.hub, Now: w.clock, NewSeed: w.seed,
	})
	w.pages = New(Config{Config: kit.Config{
		Ports: ports.Ports{
			Games: w.Tables, GameList: gameArchive{w}, Tournaments: w, TournamentList: tournamentArchive{w}, Players: w,
			Ratings: ratingReader{w}, Guard: w,
		},
		Commands: command.New(command.Config{
			Tables: w.Tables, GameList: gameArchive{w}, People: townPeople{w}, Presence: w.hub, CodeLimit: w, Now: w.clock,
		}),
		Hub: w.hub, Now: w.clock, Site: "Tuesday Club",
	}})
	w.echo = echo.New()
	w.echo.Use(w.admit)
	w.pages.Mount(w.echo)
	return w
}

// townPeople are the players of the town; none are created, and none are arbiters.
type townPeople struct{ *town }

func (townPeople) AccountByLogin(context.Context, string) (account.Account, error) {
	return account.Account{}, account.ErrNotFound
}

func (townPeople) UpdatePlayer(context.Context, club.Player, int64) error {
	return errors.ErrUnsupported
}

func (townPeople) CreatePlayer(context.Context, ...club.Player) error { return errors.ErrUnsupported }

// admit authenticates a request as the account in its header X-As, whose player has the same id.
func (w *town) admit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if as := c.Request().Header.Get("X-As"); as != "" {
			who := auth.Identity{
				AccountID: as, PlayerID: as, Login: as, Role: account.RolePlayer, Method: auth.ByCookie,
				Scopes: []auth.Scope{auth.ScopeRead, auth.ScopePlay, auth.ScopeOrganise},
			}
			c.SetRequest(c.Request().WithContext(auth.With(c.Request().Context(), who)))
		}
		if c.Request().Method == http.MethodPost && w.pages.Target(c.Path()).On == command.AGame {
			arrival := w.Arrive(c.Param("id"))
			defer arrival.Done()
			command.SetArrival(c, arrival)
		}
		return next(c)
	}
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
func (w *town) furnish() *town {
	w.t.Helper()
	w.event("autumn", "Autumn Cup", 5, 5, false)
	w.tournaments["winter"] = &tournament.Tournament{
		ID: "winter", Name: "Winter Quits", Variant: "quits/duel", Format: tournament.Swiss, RoundCount: 5,
		TimeControl: "600y5x30", Status: tournament.Open, StartsAt: w.ms() + 9*24*3600*1000, Organiser: "p8",
		Entries: w.tournaments["autumn"].Entries[:3],
	}
	w.tournaments["secret"] = &tournament.Tournament{
		ID: "secret", Name: "Surprise Open", Variant: "quixo/duel", Format: tournament.Swiss, TimeControl: "none",
		Status: tournament.Draft, Organiser: "p8",
	}
	for i, v := range variants {
		players := w.some(i, v.seats)
		w.open(table.NewGame{ID: nameOf(v.variant) + "-over", Variant: v.variant, Players: players, Rated: true})
		w.ended(nameOf(v.variant) + "-over")
	}
	w.open(table.NewGame{ID: "left", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Controls: []string{"60y3x10"}})
	w.play("left", 5)
	w.act("left", 2, w.Offer)
	w.act("left", 1, w.Decline)
	w.act("left", 1, w.Resign)
	w.event("tuesday", "Tuesday Evening Quixo", 8, 2, true)
	w.tournaments["tuesday"].Prizes = tournament.Prizes{Sharing: "hort", Categories: []tournament.PrizeCategory{
		{
			Name:   "General",
			Prizes: []tournament.Prize{{Amount: 30000, Text: "a cup"}, {Amount: 30000}, {Amount: 30000}, {Amount: 30000}},
		},
		{Name: "Youth", Prizes: []tournament.Prize{{Amount: 5000}}, AgeTo: 18, RatingTo: 1800, Unrated: true},
		{Name: "Club", Prizes: []tournament.Prize{{Text: "a plate"}}, Clubs: []string{"Tuesday Club"}},
	}}
	for i, v := range variants {
		w.open(table.NewGame{ID: nameOf(v.variant), Variant: v.variant, Players: w.some(i, v.seats), Rated: true})
		w.play(nameOf(v.variant), v.moves)
	}
	w.odd()
	return w
}

// odd adds rare cases: games without end, byes of all kinds, forfeits, an unpublished round, tables of four.
func (w *town) odd() {
	w.t.Helper()
	for id, players := range map[string][]string{"broken": {"p1", "p2"}, "waiting": {"p1", "p2"}} {
		g := table.NewGame{ID: id, Variant: "quixo/duel", Players: players, Controls: []string{"none"}}
		if _, err := w.Open(w.t.Context(), g); err != nil {
			w.t.Fatal(err)
		}
	}
	if _, err := w.Abort(w.t.Context(), "broken", "p8", sentence.Typed("wrong players")); err != nil {
		w.t.Fatal(err)
	}
	w.players["new"] = club.Player{ID: "new", Name: "Newcomer", CreatedAt: w.ms()}
	entries := w.tournaments["tuesday"].Entries
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
	w.tournaments["ladder"] = &tournament.Tournament{
		ID: "ladder", Name: "Ladder", Variant: "quits/duel", Format: tournament.Swiss, RoundCount: 3, TimeControl: "none",
		TieBreaks: []string{"WIN"}, Points: points, Status: tournament.Running, Organiser: "p8", Entries: entries[:5],
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
	w.changes["ladder"] = []tournament.Change{
		{Round: 1, Board: 1, After: lost, By: "p8", At: w.ms()},
		{Round: 1, Board: 1, Before: lost, After: won, By: "p8", At: w.ms(), Why: "written down wrongly"},
		{Round: 3, Board: 1, After: won, By: "p8", At: w.ms(), Why: "of a round that was deleted"},
	}
	w.acts["ladder"] = []tournament.Act{
		{Version: 1, Kind: tournament.ActCreate, By: "p8", At: w.ms()},
		{Version: 2, Kind: tournament.ActRegister, By: "gone", At: w.ms(), Entry: "ep4"},
		w.changes["ladder"][1].Act(),
		{Version: 9, Kind: tournament.ActDraw, By: "p8", At: w.ms(), Round: 3},
		{Version: 10, Kind: tournament.ActEdit, By: "p8", At: w.ms(), Round: 3, Why: "they are brothers"},
	}
	ranks := []int{2, 1, 4, 3}
	w.tournaments["tables"] = &tournament.Tournament{
		ID: "tables", Name: "Round the table", Variant: "quits/four",
		Format: tournament.TableSwiss, RoundCount: 2, TimeControl: "60",
		Rules:     tournament.PairingRules{Tables: tournament.TableRules{Sizes: tournament.SizesOf(4), Preferred: 4}},
		TieBreaks: []string{"WIN"}, Points: points, Status: tournament.Running, Organiser: "p8", Entries: entries[:4],
		Rounds: []tournament.Round{{Number: 1, Status: tournament.Complete, Pairings: []tournament.Pairing{{
			Board: 1, Seats: []string{"ep1", "ep2", "ep3", "ep4"},
			Result: &tournament.Result{Ranks: ranks, Points: points.ForRanks(ranks), Source: tournament.ByServer},
		}}}},
	}
}

func nameOf(variant string) string { return strings.ReplaceAll(variant, "/", "-") }

// some returns so many players, beginning anywhere.
func (w *town) some(from, count int) []string {
	var ids []string
	for i := range count {
		ids = append(ids, fmt.Sprintf("p%d", (from+i)%len(townNames)+1))
	}
	return ids
}

// get requests a page as an account, "" for the public.
func (w *town) get(path, as string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodGet, path, nil)
	if as != "" {
		req.Header.Set("X-As", as)
	}
	answer := httptest.NewRecorder()
	w.echo.ServeHTTP(answer, req)
	return answer
}

// page requests a page that must exist.
func (w *town) page(path, as string) string {
	w.t.Helper()
	answer := w.get(path, as)
	if answer.Code != http.StatusOK {
		w.t.Fatalf("%s answers %d: %s", path, answer.Code, answer.Body)
	}
	return answer.Body.String()
}

// Opponents reports no blocks, and all accounts as open.
func (w *town) Opponents(ctx context.Context, ids []string, _ string) (map[string]club.Opponent, error) {
	players, err := w.Players(ctx, ids)
	found := map[string]club.Opponent{}
	for id, p := range players {
		found[id] = club.Opponent{Player: p}
	}
	return found, err
}

// BlockedBy reports no blocks.
func (w *town) BlockedBy(context.Context, []string, string) (map[string]bool, error) {
	return map[string]bool{}, nil
}

// Block does nothing, as do its siblings.
func (w *town) Block(context.Context, club.Block) error { return nil }

// Unblock does nothing.
func (w *town) Unblock(context.Context, string, string) error { return nil }

// Blocks returns none.
func (w *town) Blocks(context.Context, string) ([]club.Block, error) { return nil, nil }

func (w *town) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *town) ms() int64 { return w.clock().UnixMilli() }

func (w *town) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *town) seed() (seed [32]byte) {
	for i := range seed {
		seed[i] = byte(w.chance.Uint32())
	}
	return seed
}

// open starts a game.
func (w *town) open(g table.NewGame) *table.Snapshot {
	w.t.Helper()
	g.Start = true
	if g.Controls == nil {
		g.Controls = []string{"300+3"}
	}
	s, err := w.Open(w.t.Context(), g)
	if err != nil {
		w.t.Fatal(err)
	}
	return s[0]
}

// play makes up to so many random moves.
func (w *town) play(id string, moves int) *table.Snapshot {
	w.t.Helper()
	s, err := w.Snapshot(w.t.Context(), id)
	for range moves {
		if err != nil {
			w.t.Fatal(err)
		}
		pending := s.Match.Pending()
		if pending.Over() {
			break
		}
		w.pass(time.Duration(300+w.chance.IntN(3500)) * time.Millisecond)
		seat := pending.Awaited[w.chance.IntN(len(pending.Awaited))]
		legal := s.Match.State().Legal(seat)
		s, err = w.move(id, seat, string(legal[w.chance.IntN(len(legal))]))
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *town) move(id string, seat engine.Seat, token string) (*table.Snapshot, error) {
	s, err := w.Snapshot(w.t.Context(), id)
	if err != nil {
		return nil, err
	}
	a := w.Arrive(id)
	defer a.Done()
	return w.Play(w.t.Context(), a, table.Move{
		Act: table.Act{Game: id, Seat: int8(seat)}, Turn: s.Match.Turn(), Token: token,
	})
}

// act does something else than a move, such as resigning.
func (w *town) act(id string, seat int8, do func(context.Context, *table.Arrival, table.Act) (*table.Snapshot, error)) {
	w.t.Helper()
	w.pass(5 * time.Second)
	a := w.Arrive(id)
	defer a.Done()
	if _, err := do(w.t.Context(), a, table.Act{Game: id, Seat: seat}); err != nil {
		w.t.Fatal(err)
	}
}

// ended plays a game to its end.
func (w *town) ended(id string) *table.Snapshot {
	s := w.play(id, 1000)
	w.rate(s)
	return s
}

// rate is a minimal ledger.
func (w *town) rate(s *table.Snapshot) {
	w.t.Helper()
	g := s.Game
	if !g.Rated || g.Outcome == nil || g.Outcome.Void() {
		return
	}
	info := s.Match.Rules().Info()
	list := ledger.ListID(info.Family(), "blitz")
	if w.ratings[list] == nil {
		w.ratings[list] = map[string]rating.Rating{}
	}
	seats := make([]rating.Seat, g.Seats)
	for i, id := range g.Players {
		r, known := w.ratings[list][id]
		if !known {
			r = elo.Club{}.Start()
		}
		seats[i] = rating.Seat{Rating: r, Side: int(info.SideOf(engine.Seat(i + 1))), Rank: g.Outcome.Ranks[i]}
	}
	changes, err := elo.Club{}.Update(seats)
	if err != nil {
		w.t.Fatal(err)
	}
	for i, c := range changes {
		w.ratings[list][g.Players[i]] = c.After
		w.rows = append(w.rows, ledger.Row{
			GameID: g.ID, List: list, PlayerID: g.Players[i], Seat: i + 1, Seq: int64(len(w.rows)), Before: c.Before.Value,
			After: c.After.Value, Change: c.Delta, Expected: c.Expected,
			Score: c.Score, GamesAfter: c.After.Games, At: g.FinishedAt,
		})
	}
}

// event makes a round-robin of the first n players with some rounds played and, if open is set, one more in play.
func (w *town) event(id, name string, n, played int, open bool) *tournament.Tournament {
	t := &tournament.Tournament{
		ID: id, Name: name, Variant: "quixo/duel", Format: tournament.RoundRobin, RoundCount: roundrobin.Rounds(n, false),
		TimeControl: "300+3", TieBreaks: []string{"DE", "SB", "WIN"}, Points: tournament.StandardPoints, Rated: true,
		Status: tournament.Running, Version: 5, Organiser: "p8", CreatedAt: w.ms(), StartedAt: w.ms(),
	}
	for i := range n {
		who := w.players[fmt.Sprintf("p%d", i+1)]
		t.Entries = append(t.Entries, tournament.Entry{
			ID: "e" + who.ID, Number: i + 1, Name: who.Name, Members: []string{who.ID}, Rating: 1500, Club: who.Club,
			Status: tournament.Confirmed,
		})
	}
	for r := 1; r <= played; r++ {
		t.Rounds = append(t.Rounds, w.round(t, n, r, 100))
		w.pass(7 * 24 * time.Hour)
	}
	if open {
		t.Rounds = append(t.Rounds, w.round(t, n, played+1, 1))
	}
	if played == t.RoundCount {
		t.Status, t.FinishedAt = tournament.Finished, w.ms()
	}
	w.tournaments[id] = t
	return t
}

// round pairs a round and plays so many of its games to the end, the others a few moves.
func (w *town) round(t *tournament.Tournament, n, number, finished int) tournament.Round {
	round := tournament.Round{Number: number, Status: tournament.Published, PublishedAt: w.ms()}
	for i, g := range roundrobin.Round(n, false, number) {
		if g.White == 0 || g.Black == 0 {
			round.Pairings = append(round.Pairings, tournament.Pairing{
				Board: i + 1, Seats: []string{t.Entries[max(g.White, g.Black)-1].ID}, Bye: tournament.PairingAllocated,
				Result: &tournament.Result{Points: []tournament.Points{10}},
			})
			continue
		}
		white, black := t.Entries[g.White-1], t.Entries[g.Black-1]
		p := tournament.Pairing{
			Board: i + 1, Seats: []string{white.ID, black.ID}, Games: 1, GameID: fmt.Sprintf("%s-%d-%d", t.ID, number, i+1),
		}
		w.open(table.NewGame{
			ID: p.GameID, Variant: t.Variant, Rated: true, Players: []string{white.Members[0], black.Members[0]},
			Tournament: &table.Place{ID: t.ID, Round: number, Board: i + 1},
		})
		if i < finished {
			outcome := w.ended(p.GameID).Game.Outcome
			p.Result = &tournament.Result{
				Ranks: outcome.Ranks, Points: t.Points.ForRanks(outcome.Ranks),
				Source: tournament.ByServer, Reason: string(outcome.Reason),
			}
		} else {
			w.play(p.GameID, 9+4*i)
		}
		round.Pairings = append(round.Pairings, p)
	}
	return round
}
