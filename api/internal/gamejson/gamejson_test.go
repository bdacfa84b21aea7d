package gamejson_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"quatuor/api/internal/gamejson"
	"quatuor/engine"
	"quatuor/engine/table"
)

// inMemory is a journal without a disk, for measuring what comes after it.
type inMemory struct {
	table.Journal
	games map[string]table.Game
}

func (j inMemory) Create(_ context.Context, games []table.Game) error {
	for _, g := range games {
		j.games[g.ID] = g
	}
	return nil
}

func (j inMemory) Load(_ context.Context, id string) (table.Game, []table.Line, error) {
	return j.games[id], nil, nil
}

func (j inMemory) Begin(_ context.Context, s table.Step) error {
	j.games[s.Game.ID] = *s.Game
	return nil
}

func (inMemory) Append(context.Context, table.Step) error { return nil }

// played returns a game after a number of random moves.
func played(b *testing.B, variant string, moves int) *table.Snapshot {
	b.Helper()
	tables := table.New(table.Config{Storage: table.Storage{Journal: inMemory{games: map[string]table.Game{}}}})
	chance := rand.New(rand.NewPCG(1, 2))
	for {
		games, err := tables.Open(b.Context(), table.NewGame{
			Variant: variant, Players: []string{"ada", "bob"}, Controls: []string{"300+3"}, Start: true,
		})
		if err != nil {
			b.Fatal(err)
		}
		s := games[0]
		for s.Match.Plies() < moves && s.Game.Status == table.Running {
			seat := s.Match.Pending().Awaited[0]
			legal := s.Project(engine.ViewerOf(seat)).Legal[seat]
			s, err = tables.Play(b.Context(), tables.Arrive(s.Game.ID), table.Move{
				Act: table.Act{Game: s.Game.ID, Seat: int8(seat)}, Turn: s.Match.Turn(),
				Token: string(legal[chance.IntN(len(legal))]),
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		if s.Match.Plies() == moves {
			return s
		}
	}
}

// BenchmarkGameJSON measures what is sent after every move.
func BenchmarkGameJSON(b *testing.B) {
	names := []string{"Ada L.", "Bob M."}
	for _, variant := range []string{"quixo/duel", "quivive/duel", "quiwin/duel"} {
		for _, moves := range []int{5, 15} {
			s := played(b, variant, moves)
			b.Run(fmt.Sprintf("%s/%d", variant, moves), func(b *testing.B) {
				b.ReportAllocs()
				facts := gamejson.Facts{Now: 1_700_000_000_000, Names: names}
				var room []byte
				var err error
				for b.Loop() {
					if room, err = gamejson.Append(room[:0], s, engine.ViewerOf(1), s.Game.Version-1, facts); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
