package store

import (
	"context"
	"testing"

	"quatuor/store/dbtest"
	"quatuor/store/storetest"
	"quatuor/tournament/club"
)

// ports opens a store for the suite; it is closed with the test, or by Reopen.
func ports(t *testing.T, c Config) storetest.Ports {
	t.Helper()
	s, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return storetest.Ports{
		Games: s.Games(), Tournaments: s.Tournaments(), Players: s.People(), Accounts: s.People(), NewAccounts: s.People(),
		Settings: s.People(), AdminLog: s.People(),
		Credentials: s.People(), Sessions: s.People(), Keys: s.People(), Ratings: s.Ratings(), Replies: s.Replies(),
		Slips: s.Slips(), Hooks: s.Hooks(), Seasons: s.Seasons(),
		Reopen: func(t *testing.T) storetest.Ports {
			t.Helper()
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return ports(t, c)
		},
	}
}

// folder returns a folder with a new database.
func folder(t testing.TB) string {
	t.Helper()
	return dbtest.Folder(t, func(dir string) error {
		s, err := Open(context.Background(), Config{Dir: dir})
		if err != nil {
			return err
		}
		return s.Close()
	})
}

func TestSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Ports {
		return ports(t, Config{Dir: folder(t), Instance: "test"})
	})
}

func TestSQLiteWithoutBatches(t *testing.T) {
	if testing.Short() {
		t.Skip("the suite once more")
	}
	storetest.Games(t, func(t *testing.T) storetest.Ports {
		return ports(t, Config{Dir: folder(t), Instance: "test", MaxBatch: 1})
	})
}

// createPlayers stores players with their ids as names.
func createPlayers(t *testing.T, s *Store, ids ...string) {
	t.Helper()
	players := make([]club.Player, len(ids))
	for i, id := range ids {
		players[i] = club.Player{ID: id, Name: id, Version: 1}
	}
	if err := s.People().CreatePlayer(t.Context(), players...); err != nil {
		t.Fatal(err)
	}
}
