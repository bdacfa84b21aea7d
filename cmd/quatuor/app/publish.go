package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quatuor/api/command"
	"quatuor/api/pages"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/ports"
	"quatuor/api/settings"
	"quatuor/api/stream"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/engine/table"
	"quatuor/store"
	"quatuor/tournament/director"
)

// listOfFiles is the file in a published folder that names the others, so that the next publication removes outdated
// files, and nothing else.
const listOfFiles = ".quatuor-published"

// Publish writes tournaments as files to a folder, all that are public if none is named. The service may be running on
// the database, which is not changed. All files are made before the first takes its place, each by renaming; index.html
// comes last. A folder with other things in it is refused.
func Publish(ctx context.Context, db *store.Store, folder string, ids []string, s terminal.Streams) error {
	before, err := published(folder)
	if err != nil {
		return err
	}
	publication, err := pagesToPublish(db).Publish(ctx, ids)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("the folder cannot be made: %w", err)
	}
	draft, err := os.MkdirTemp(folder, ".quatuor-new-")
	if err != nil {
		return fmt.Errorf("nothing can be written to the folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(draft) }()
	var names []string
	err = publication.Files(ctx, func(name string, content []byte) error {
		names = append(names, name)
		return writeNew(draft, name, content)
	})
	if err != nil {
		return err
	}
	if err := writeNew(draft, listOfFiles, []byte(strings.Join(names, "\n")+"\n")); err != nil {
		return err
	}
	for _, name := range slices.Concat([]string{listOfFiles}, names) {
		if err := putInPlace(draft, folder, name); err != nil {
			return err
		}
	}
	for _, name := range before {
		if !slices.Contains(names, name) {
			if err := os.Remove(filepath.Join(folder, filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	fmt.Fprintf(s.Out, "%d files in %s; index.html is the first page\n", len(names), folder)
	return nil
}

// pagesToPublish returns the pages on a read-only database, for anonymous readers.
func pagesToPublish(db *store.Store) *pages.Pages {
	logger := slog.New(slog.DiscardHandler)
	hub := stream.NewHub()
	tables := table.New(table.Config{Storage: db.Games().Storage(), Notifier: hub, Logger: logger})
	events := director.New(director.Config{Store: db.Tournaments(), Notifier: hub, Now: time.Now, Log: logger})
	return pages.New(pages.Config{Config: kit.Config{
		Ports: ports.Ports{
			Games: tables, GameList: db.Games(), TournamentList: db.Tournaments(), Players: db.People(), Ratings: db.Ratings(),
			Tournaments: events,
		},
		Commands: command.New(command.Config{Director: events, People: db.People(), Seasons: db.Seasons()}),
		Hub:      hub, Logger: logger, Now: time.Now,
		Club: settings.New(db.People(), settings.Given{}, time.Now, logger).Current,
	}})
}

// published lists the files of an earlier publication in a folder; none if the folder is missing or empty.
func published(folder string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(folder, listOfFiles))
	if err == nil {
		var names []string
		for name := range strings.Lines(string(text)) {
			if name = strings.TrimSpace(name); filepath.IsLocal(filepath.FromSlash(name)) {
				names = append(names, name)
			}
		}
		return names, nil
	}
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, UsageErrorf("%s cannot be read as a folder: %w", folder, err)
	case len(entries) > 0:
		return nil, UsageErrorf("%s holds other things; name an empty folder, or one that was published to before", folder)
	}
	return nil, nil
}

func writeNew(folder, name string, content []byte) error {
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644) //nolint:gosec // it is meant to be read by all
}

func putInPlace(from, to, name string) error {
	target := filepath.Join(to, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.Rename(filepath.Join(from, filepath.FromSlash(name)), target)
}
