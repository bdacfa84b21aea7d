package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"quatuor/store"
)

// storage says where an installation keeps its data. Every command that opens it has these flags.
type storage struct {
	Data     string `help:"Folder of the database and its lock file, ${default} if left out; made if missing." default:"quatuor-data" type:"path" placeholder:"DIR"`
	Database string `help:"A postgres:// address to use PostgreSQL instead of SQLite in the data folder." placeholder:"URL"`
	MaxBatch int    `help:"Most writes that share a commit; 1 shows what sharing is worth." default:"0" hidden:""`
}

// config says the same to the store, and makes the folder.
func (s storage) config(logger *slog.Logger) (store.Config, error) {
	if s.Database == "" {
		if err := os.MkdirAll(s.Data, 0o700); err != nil {
			return store.Config{}, fmt.Errorf("the data folder cannot be made: %w", err)
		}
	}
	return s.place(logger), nil
}

// place says the same to the store, and makes nothing.
func (s storage) place(logger *slog.Logger) store.Config {
	c := store.Config{DSN: s.Database, MaxBatch: s.MaxBatch, Logger: logger}
	if s.Database == "" {
		c.Dir = filepath.Clean(s.Data)
	}
	return c
}

// folder gives the data folder to commands that work on SQLite's file; for PostgreSQL it says what to use instead.
func (s storage) folder(instead string) (string, error) {
	if s.Database != "" {
		return "", usageErrorf("this is for SQLite; with PostgreSQL use %s", instead)
	}
	return filepath.Clean(s.Data), nil
}

// open opens the database for a command that needs nothing else, brings its schema up to date and, for SQLite, locks
// the folder against a second process.
func (s storage) open(ctx context.Context) (*store.Store, error) {
	config, err := s.config(slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, config)
}

// logging says what the log looks like.
type logging struct {
	LogLevel  string `help:"Least severity that is logged: ${enum}." enum:"debug,info,warn,error" default:"info"`
	LogFormat string `help:"Form of the log: ${enum}." enum:"text,json" default:"text"`
}

func (l logging) logger(s streams) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(l.LogLevel)) // the flag's values are exactly slog's
	options := &slog.HandlerOptions{Level: level}
	if l.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(s.Err, options))
	}
	return slog.New(slog.NewTextHandler(s.Err, options))
}

// checkPublicURL refuses addresses that links and cookies could not be made from.
func checkPublicURL(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return usageErrorf("--public-url must look like https://club.example, not %q", address)
	}
	return nil
}
