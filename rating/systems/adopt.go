package systems

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quatuor/rating/ledger"
)

// Store keeps the configuration of the stored ratings.
type Store interface {
	// Regulation returns the text of the configuration, and the lists that have ratings.
	Regulation(ctx context.Context) (text string, lists []string, err error)
	// Adopt replaces the text from by to; ledger.ErrRegulation if from is not the stored text.
	Adopt(ctx context.Context, from, to string) error
}

// Stored parses the configuration kept in the store.
func Stored(text string) (*Config, error) {
	if text == "" {
		return &Config{}, nil
	}
	// What was adopted once is not judged again by the families of today.
	return Parse([]byte(text), namesIn(text, 0), namesIn(text, 1))
}

// namesIn returns the first or second halves of all patterns of a configuration that was checked when it was adopted.
func namesIn(text string, half int) []string {
	var names []string
	for _, part := range strings.Split(text, `{"list":"`)[1:] {
		list, _, _ := strings.Cut(part, `"`)
		if halves := strings.SplitN(list, "-", 2); len(halves) == 2 {
			names = append(names, halves[half])
		}
	}
	return names
}

// Check fails if a list that has ratings would be rated otherwise from now on.
func Check(ctx context.Context, store Store, c *Config) error {
	_, err := check(ctx, store, c)
	return err
}

// check returns the stored text as well.
func check(ctx context.Context, store Store, c *Config) (string, error) {
	text, lists, err := store.Regulation(ctx)
	if err != nil {
		return "", err
	}
	stored, err := Stored(text)
	if err != nil {
		return "", fmt.Errorf("the stored %w", err)
	}
	for _, list := range lists {
		if is, would := stored.Rules(list).Text, c.Rules(list).Text; is != would {
			return "", fmt.Errorf("%w: the ratings of %s are by %s, and the configuration says %s; "+
				"`quatuor ratings recompute` with this configuration rates all games again, or put the old one back",
				ledger.ErrRegulation, list, is, would)
		}
	}
	return text, nil
}

// Served reports whether others rate by the stored ratings.
type Served func(ctx context.Context) (bool, error)

// Adopt stores a configuration. It fails if a list with ratings would be rated differently, or if another instance
// serves a different configuration: two that replace each other's would rate in turns, or not at all. Concurrent calls
// with the same configuration all succeed. served is called only if the stored configuration differs; nil means no
// other instances.
func Adopt(ctx context.Context, store Store, c *Config, served Served) error {
	text, err := check(ctx, store, c)
	if err != nil || text == c.Text() {
		return err
	}
	if served != nil {
		others, err := served(ctx)
		if err != nil {
			return err
		}
		if others {
			return Same(ctx, store, c)
		}
	}
	err = store.Adopt(ctx, text, c.Text())
	if errors.Is(err, ledger.ErrRegulation) { // another instance was faster
		return Same(ctx, store, c)
	}
	return err
}

// Same fails if the store follows another configuration.
func Same(ctx context.Context, store Store, c *Config) error {
	text, _, err := store.Regulation(ctx)
	if err != nil || text == c.Text() {
		return err
	}
	return fmt.Errorf("%w: another instance serves on this database with another configuration of the rating lists; "+
		"give all the same ratings.json, or stop the others first", ledger.ErrRegulation)
}

// ListAt returns a page of a current or past list; see [ledger.ListAt].
func (c *Config) ListAt(ctx context.Context, r ledger.Reader, w ledger.Wanted, now time.Time, limit int, after string) (
	[]ledger.Ranked, string, error,
) {
	w.ActiveFor = c.Shown(w.List).ActiveFor
	return ledger.ListAt(ctx, r, w, now, limit, after)
}
