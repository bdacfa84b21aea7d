package bench

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"quatuor/engine/catalog"
	"quatuor/engine/table"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/store"
	"quatuor/tournament"
	"quatuor/tournament/club"
)

// filledData is a database that was filled to be measured.
type filledData struct {
	store   *store.Store
	players []string // the first has played in every busyShare-th game
	cup     string   // a tournament in the middle
	list    string   // a rating list

	templates []template
	chance    *rand.Rand
	now       int64
}

// template is a game that was played, to be copied.
type template struct {
	before, after table.Game
	lines         []table.Line
}

// Quantities of everything else in proportion to the games.
const (
	gamesForPlayer     = 10
	gamesForTournament = 20
	busyShare          = 20
	templatePlies      = 10
	cupEntries         = 8
)

// fillData makes a database with a number of finished games between a tenth as many players, with a twentieth as many
// tournaments, and all ratings that follow.
func fillData(ctx context.Context, dir string, games int, step func(n int)) (*filledData, error) {
	s, err := store.Open(ctx, store.Config{Dir: dir, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	d := &filledData{store: s, chance: rand.New(rand.NewPCG(5, uint64(games))), now: time.Now().UnixMilli()}
	err = d.fill(ctx, games, step)
	if err != nil {
		return nil, fmt.Errorf("filling a database: %w", err)
	}
	return d, nil
}

func (d *filledData) fill(ctx context.Context, games int, step func(n int)) error {
	if err := d.addPlayers(ctx, max(2*cupEntries, games/gamesForPlayer)); err != nil {
		return err
	}
	if err := d.addTournaments(ctx, max(1, games/gamesForTournament)); err != nil {
		return err
	}
	if err := d.playTemplates(ctx); err != nil {
		return err
	}
	if err := d.addGames(ctx, games, step); err != nil {
		return err
	}
	if _, err := ledger.New(d.store.Ratings(), elo.Club{}).CatchUp(ctx); err != nil {
		return err
	}
	lists, err := d.store.Ratings().Lists(ctx)
	if err == nil && len(lists) == 0 {
		err = fmt.Errorf("%d rated games led to no rating", games)
	}
	if err == nil {
		d.list = lists[0].List
	}
	return err
}

func (d *filledData) addPlayers(ctx context.Context, n int) error {
	people := make([]club.Player, n)
	for i := range people {
		people[i] = club.Player{
			ID: uuid.Must(uuid.NewV7()).String(), Name: "Member " + strconv.Itoa(d.chance.IntN(10*n)),
			Club:      "Club " + strconv.Itoa(i%50),
			CreatedAt: d.now, Version: 1,
		}
		d.players = append(d.players, people[i].ID)
	}
	return d.store.People().CreatePlayer(ctx, people...)
}

// addTournaments adds round-robins that are over.
func (d *filledData) addTournaments(ctx context.Context, n int) error {
	for i := range n {
		t := d.cupOf(i)
		if err := d.store.Tournaments().Create(ctx, t); err != nil {
			return err
		}
		if i == n/2 {
			d.cup = t.ID
		}
	}
	return nil
}

func (d *filledData) cupOf(n int) *tournament.Tournament {
	t := &tournament.Tournament{
		ID: uuid.Must(uuid.NewV7()).String(), Name: "Cup " + strconv.Itoa(n+1), Variant: "quixo/duel",
		Format:     tournament.RoundRobin,
		RoundCount: cupEntries - 1, TimeControl: "300+3", TieBreaks: []string{"DE", "SB", "WIN"},
		Points: tournament.StandardPoints,
		Status: tournament.Finished, Organiser: "nobody", CreatedAt: d.now + int64(n), StartedAt: d.now, FinishedAt: d.now,
	}
	for i := range cupEntries {
		player := d.players[(n*cupEntries+i)%len(d.players)]
		t.Entries = append(t.Entries, tournament.Entry{
			ID: strconv.Itoa(i + 1), Number: i + 1, Name: "Entry " + strconv.Itoa(i+1), Members: []string{player},
			Status: tournament.Registered,
		})
	}
	for r := range cupEntries - 1 {
		round := tournament.Round{Number: r + 1, Status: tournament.Complete, PublishedAt: d.now}
		for b := range cupEntries / 2 {
			white, black := (r+b)%(cupEntries-1), (r-b+cupEntries-1)%(cupEntries-1)
			if b == 0 {
				black = cupEntries - 1
			}
			round.Pairings = append(round.Pairings, tournament.Pairing{
				Board: b + 1, Seats: []string{t.Entries[white].ID, t.Entries[black].ID},
				Result: &tournament.Result{
					Ranks: []int{1, 2}, Points: []tournament.Points{10, 0}, Source: tournament.ByArbiter,
					Reason: "played",
				},
			})
		}
		t.Rounds = append(t.Rounds, round)
	}
	return t
}

// playTemplates plays some games for good: a few moves, then a resignation.
func (d *filledData) playTemplates(ctx context.Context) error {
	tables := table.New(table.Config{Storage: d.store.Games().Storage(), Logger: slog.New(slog.DiscardHandler)})
	for _, variant := range []string{"quixo/duel", "quits/duel", "quivive/duel"} {
		for range 4 {
			if err := d.playTemplate(ctx, tables, variant); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *filledData) playTemplate(ctx context.Context, tables *table.Tables, variant string) error {
	if _, err := catalog.Find(variant); err != nil {
		return err
	}
	opened, err := tables.Open(ctx, table.NewGame{
		Variant: variant, Players: d.players[:2], Controls: []string{"300+3"}, Rated: true, CreatedBy: "nobody",
	})
	if err != nil {
		return err
	}
	s := opened[0]
	before := s.Game
	s, err = tables.Start(ctx, tables.Arrive(before.ID), "nobody")
	for n := 0; err == nil && n < templatePlies && !s.Game.Status.Over(); n++ {
		seat := s.Match.Pending().Awaited[0]
		legal := s.Match.State().Legal(seat)
		s, err = tables.Play(ctx, tables.Arrive(before.ID), table.Move{
			Act: table.Act{Game: before.ID, Seat: int8(seat), By: "nobody"}, Turn: s.Match.Turn(),
			Token: string(legal[d.chance.IntN(len(legal))]),
		})
	}
	if err == nil && !s.Game.Status.Over() {
		s, err = tables.Resign(ctx, tables.Arrive(before.ID), table.Act{
			Game: before.ID, Seat: int8(1 + d.chance.IntN(2)),
			By: "nobody",
		})
	}
	if err == nil {
		d.templates = append(d.templates, template{before, s.Game, s.Lines})
	}
	return err
}

// addGames adds copies of the templates, each between players of its own.
func (d *filledData) addGames(ctx context.Context, n int, step func(n int)) error {
	const atOnce, together = 64, 200
	var done atomic.Int64
	for done.Load() < int64(n) {
		steps := make([]table.Step, 0, together)
		waiting := make([]table.Game, 0, together)
		for range min(together, n-int(done.Load())) {
			before, step := d.copyOf(d.templates[d.chance.IntN(len(d.templates))])
			waiting, steps = append(waiting, before), append(steps, step)
		}
		if err := d.store.Games().Create(ctx, waiting); err != nil {
			return err
		}
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(atOnce)
		for _, s := range steps {
			group.Go(func() error { return d.store.Games().Append(ctx, s) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
		done.Add(int64(len(steps)))
		step(len(steps))
	}
	return nil
}

// copyOf returns a game before its first line, and the step that brings it to its end.
func (d *filledData) copyOf(t template) (table.Game, table.Step) {
	one := 1 + d.chance.IntN(len(d.players)-1)
	two := 1 + (one+d.chance.IntN(len(d.players)-2))%(len(d.players)-1)
	if d.chance.IntN(busyShare) == 0 {
		two = 0
	}
	d.now++
	before, after := t.before, t.after
	before.ID = uuid.Must(uuid.NewV7()).String()
	before.Players = []string{d.players[one], d.players[two]}
	before.CreatedAt = d.now
	after.ID = before.ID
	after.Players = before.Players
	after.CreatedAt = d.now
	return before, table.Step{
		Game: &after, From: before.Version, Lines: t.lines, Moved: table.MovedIn(t.lines),
	}
}
