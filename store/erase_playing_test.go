package store

import (
	"testing"

	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/store/dbtest"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/ladder"
)

// TestEraseWithdraws deletes players of running tournaments: a player without a board is withdrawn with the deletion; a
// player at a board, or in a team, is refused, and nothing has changed.
func TestEraseWithdraws(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { erasesPlaying(t, open(t, Config{Dir: t.TempDir()})) })
	t.Run("PostgreSQL", func(t *testing.T) {
		erasesPlaying(t, open(t, Config{DSN: dbtest.Cluster(t, "fsync=off").Schema(t)}))
	})
}

func erasesPlaying(t *testing.T, s *Store) {
	ctx := t.Context()
	board := func(status tournament.RoundStatus, result *tournament.Result) []tournament.Round {
		return []tournament.Round{{Number: 1, Status: status, Pairings: []tournament.Pairing{
			{Board: 1, Seats: []string{"e", "f"}, Result: result}, {Board: 2, Seats: []string{"g", "h"}},
		}}}
	}
	won := &tournament.Result{Ranks: []int{1, 2}}
	for name, tt := range map[string]struct {
		format  tournament.Format
		rounds  []tournament.Round
		members []string
		refused bool
	}{
		"keizer, between rounds": {format: tournament.Keizer, rounds: board(tournament.Complete, won)},
		"keizer, at a board":     {format: tournament.Keizer, rounds: board(tournament.Published, nil), refused: true},
		"keizer, drawn up":       {format: tournament.Keizer, rounds: board(tournament.Paired, nil)},
		"arena, waiting":         {format: tournament.Arena, rounds: board(tournament.Published, won)},
		"arena, playing":         {format: tournament.Arena, rounds: board(tournament.Published, nil), refused: true},
		"swiss, not begun":       {format: tournament.Swiss},
		"a pair":                 {format: tournament.Swiss, members: []string{"partner"}, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, id := range append(tt.members, name) {
				if err := s.People().CreatePlayer(ctx, club.Player{ID: id, Name: "Person", Version: 1}); err != nil {
					t.Fatal(err)
				}
			}
			cup := &tournament.Tournament{ID: name, Status: tournament.Running, PublicVersion: 1, Rounds: tt.rounds, Entries: []tournament.Entry{
				{ID: "e", Name: "Person", Members: append([]string{name}, tt.members...), Status: tournament.Confirmed, Number: 1, ArenaPresence: tournament.ArenaPresence{Waiting: 5}},
				{ID: "f", Name: "Other", Number: 2},
				{ID: "g", Name: "G", Number: 3},
				{ID: "h", Name: "H", Number: 4},
			}}
			cup.Name, cup.Format = "Cup", tt.format
			if err := s.Tournaments().Create(ctx, cup); err != nil {
				t.Fatal(err)
			}
			for range 2 { // a repeated deletion changes nothing
				_, err := s.People().Erase(ctx, club.Erasure{Player: name, At: 90})
				if tt.refused {
					refusal(t, "a deletion", err, club.ErrEraseEntered)
				} else if err != nil {
					t.Fatal(err)
				}
			}
			got, err := s.Tournaments().Load(ctx, name)
			if err != nil {
				t.Fatal(err)
			}
			acts, err := s.Tournaments().Acts(ctx, name)
			if err != nil {
				t.Fatal(err)
			}
			if e := got.Entries[0]; tt.refused {
				if e.Status != tournament.Confirmed || e.Name != "Person" || got.Version != 1 || len(acts) != 0 {
					t.Errorf("after a refusal: %+v, version %d, %d acts", e, got.Version, len(acts))
				}
			} else if _, gone := club.GoneNumber(e.Name); !gone || e.Status != tournament.Withdrawn || e.Waiting != 0 ||
				e.WithdrawnFrom != got.PublishedRounds()+1 || len(acts) != 1 || acts[0].Kind != tournament.ActWithdraw {
				t.Errorf("after a deletion: %+v, %+v", e, acts)
			}
		})
	}
}

// TestEraseOnALadder: a ladder game that the player has not come to is named to be broken off, and holds up the
// deletion until it is; any other game is refused at once.
func TestEraseOnALadder(t *testing.T) {
	s := open(t, Config{Dir: t.TempDir()})
	ctx, people := t.Context(), s.People()
	for _, id := range []string{"ada", "bob"} {
		if err := people.CreatePlayer(ctx, club.Player{ID: id, Name: id, Version: 1}); err != nil {
			t.Fatal(err)
		}
	}
	control, err := clock.Parse("300+3")
	if err != nil {
		t.Fatal(err)
	}
	invitation := table.Game{
		ID: "wait", Variant: "quixo/duel", Seats: 2, Controls: []string{"300+3", "300+3"}, Turn: 1,
		Awaited: []int8{1}, Position: "start", Clock: clock.New([]clock.Control{control, control}, true), Status: table.Waiting, Players: []string{"ada", "bob"},
		CreatedBy: tournament.ServerAccount, CreatedAt: 5, Invited: table.SeatSet(0).With(1).With(2),
	}
	if err := s.Games().Create(ctx, []table.Game{invitation}); err != nil {
		t.Fatal(err)
	}
	_, err = people.BeforeErase(ctx, club.Erasure{Player: "ada"})
	refusal(t, "an invitation", err, club.ErrErasePlaying)
	if err := s.Seasons().CreateLadder(ctx, ladder.Settings{ID: "l"}); err != nil {
		t.Fatal(err)
	}
	err = s.Seasons().AddActs(ctx, "l", []ladder.Act{
		{N: 1, At: 1, Kind: ladder.ActJoin, Player: "bob"},
		{N: 2, At: 1, Kind: ladder.ActJoin, Player: "ada"},
		{N: 3, At: 2, Kind: ladder.ActChallenge, Challenge: "c", Player: "ada", Other: "bob"},
		{N: 4, At: 3, Kind: ladder.ActAccept, Challenge: "c", Player: "bob"},
		{N: 5, At: 3, Kind: ladder.ActGame, Challenge: "c", Game: "wait"},
	})
	if err != nil {
		t.Fatal(err)
	}
	games, err := people.BeforeErase(ctx, club.Erasure{Player: "ada"})
	if err != nil || len(games) != 1 || games[0] != "wait" {
		t.Errorf("%v, %v", games, err)
	}
	_, err = people.Erase(ctx, club.Erasure{Player: "ada"})
	refusal(t, "a game that waits still", err, club.ErrErasePlaying)
}
