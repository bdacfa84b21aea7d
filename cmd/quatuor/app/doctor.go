package app

import (
	"context"
	"net"
	"time"

	"quatuor/cmd/quatuor/backups"
	"quatuor/cmd/quatuor/doctor"
)

// Examination returns what a doctor examines of a data folder with SQLite.
func (s Storage) Examination(keeper *backups.Keeper) doctor.Installation {
	return doctor.Installation{
		Dir: s.Data, Version: Version(), Free: func(dir string) int64 { free, _ := diskSpace(dir); return free },
		Ratings: func() error { _, err := s.ratingLists(); return err },
		Backups: keeper.State, Listed: func() error { _, err := keeper.Copies(); return err }, Now: time.Now(),
	}
}

// findings returns what a running service knows of its own installation; nil with PostgreSQL.
func (a *App) findings(ctx context.Context) []doctor.Finding {
	if a.backups == nil {
		return nil
	}
	return a.config.Examination(a.backups).Examine(ctx)
}

// PrivateAddress returns this machine's address in the local network, nil if it has none.
func PrivateAddress() net.IP { return privateAddress() }
