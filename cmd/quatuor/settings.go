package main

import (
	"context"
	"log/slog"
	"net/url"
	"path/filepath"

	"quatuor/cmd/quatuor/app"
	"quatuor/store"
)

// storage locates the data of an installation. Every command that opens it has these flags.
type storage struct {
	Data     string `help:"Folder of the database and its lock file, ${default} if left out; made if missing." default:"quatuor-data" type:"path" placeholder:"DIR"`
	Database string `help:"A postgres:// address to use PostgreSQL instead of SQLite in the data folder." placeholder:"URL"`
	Ratings  string `help:"File that configures the rating systems of the lists; ratings.json in the data folder if it exists, else Elo for all." type:"path" placeholder:"FILE"`

	Connections int `name:"database-connections" help:"Maximum of connections to PostgreSQL of this instance, the listening one included." default:"8" placeholder:"N"`

	MaxBatch int `help:"Maximum of writes that share a commit; 1 shows what sharing is worth." default:"0" hidden:""`
}

// plain returns the same without the command line.
func (s storage) plain() app.Storage { return app.Storage(s) }

// where returns the flag that leads another command to the same data, without a password that an address has.
func (s storage) where() string {
	if s.Database == "" {
		return "--data " + s.Data
	}
	address, err := url.Parse(s.Database)
	if err != nil || address.Query().Has("password") {
		return "--database URL, with the same address"
	}
	return "--database '" + address.Redacted() + "'"
}

// open opens the database for a command that needs nothing else; see [app.Storage.OpenStore].
func (s storage) open(ctx context.Context) (*store.Store, error) { return s.plain().OpenStore(ctx) }

// openToRead opens it for a command that only reads, whether the service runs on it or not.
func (s storage) openToRead(ctx context.Context) (*store.Store, error) {
	return store.OpenToRead(ctx, s.plain().StoreConfig(slog.New(slog.DiscardHandler)))
}

// folder returns the data folder for commands that work on SQLite's file; for PostgreSQL its error names the
// alternative.
func (s storage) folder(instead string) (string, error) {
	if s.Database != "" {
		return "", app.UsageErrorf("this is for SQLite; with PostgreSQL use %s", instead)
	}
	return filepath.Clean(s.Data), nil
}
