package ledger

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ErrGiven means that ratings to start with cannot be taken over. Nothing was stored.
var ErrGiven = errors.New("ratings to start with")

// MaxGiven is the maximum of ratings in a file, and MaxGivenBytes the maximum of its bytes.
const (
	MaxGiven      = 20_000
	MaxGivenBytes = 2 << 20
)

// The bounds of ratings to start with.
const (
	minGiven     = 1
	maxGiven     = 10_000
	maxDeviation = 1_000
)

// GivenRating is a rating that a player starts with in a list.
type GivenRating struct {
	PlayerID, List string
	Value          float64
	Deviation      float64 // 0 for that of the list's system
	Line           int     // of the file
}

// GivenOutcome is the outcome for a given rating.
type GivenOutcome struct {
	GivenRating
	Name    string  // of the player
	Before  float64 // the rating given before, 0 for none
	Refusal string  // why it cannot be taken over: "unknown" (not a player), "played" (a rated game is over), or ""
}

// Giver takes over ratings to start with.
type Giver interface {
	// Give stores the ratings if none is refused, and nothing if try is set. It returns the outcome of each, real or
	// tried. at is the moment, in milliseconds since 1970, UTC, when the players begin to rest.
	Give(ctx context.Context, ratings []GivenRating, at int64, try bool) ([]GivenOutcome, error)
}

// ReadGiven reads ratings from CSV with a header: player, list, rating, and optionally deviation. known reports whether
// a list can exist. Errors wrap ErrGiven and name the line.
func ReadGiven(text []byte, known func(list string) bool) ([]GivenRating, error) {
	if len(text) > MaxGivenBytes {
		return nil, fmt.Errorf("%w: the file is longer than 2 MiB; divide it", ErrGiven)
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%w: the first line must be player,list,rating or player,list,rating,deviation", ErrGiven)
	}
	at := map[string]int{}
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := at[name]; twice || !slices.Contains([]string{"player", "list", "rating", "deviation"}, name) {
			return nil, fmt.Errorf("%w: line 1: the columns are player, list, rating and deviation, each once, and not %q",
				ErrGiven, name)
		}
		at[name] = i
	}
	for _, name := range []string{"player", "list", "rating"} {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("%w: line 1: the column %s is missing", ErrGiven, name)
		}
	}
	var all []GivenRating
	seen := map[place]int{}
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrGiven, err)
		}
		g, err := givenOf(fields, at, known)
		g.Line, _ = r.FieldPos(0)
		if before := seen[place{g.List, g.PlayerID}]; err == nil && before > 0 {
			err = fmt.Errorf("player %s stands in %s on line %d already", g.PlayerID, g.List, before)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrGiven, g.Line, err)
		}
		seen[place{g.List, g.PlayerID}] = g.Line
		if all = append(all, g); len(all) > MaxGiven {
			return nil, fmt.Errorf("%w: more than %d lines; divide the file", ErrGiven, MaxGiven)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: there is no line after the first", ErrGiven)
	}
	return all, nil
}

func givenOf(fields []string, at map[string]int, known func(list string) bool) (g GivenRating, err error) {
	g.PlayerID, g.List = strings.TrimSpace(fields[at["player"]]), strings.TrimSpace(fields[at["list"]])
	if g.PlayerID == "" || len(g.PlayerID) > 64 {
		return g, errors.New("the id of the player is missing, or too long")
	}
	if !known(g.List) {
		return g, fmt.Errorf("there cannot be a list %q; lists are named like quixo-blitz", g.List)
	}
	if g.Value, err = bounded(fields[at["rating"]], minGiven, maxGiven); err != nil {
		return g, fmt.Errorf("rating: %w", err)
	}
	if i, ok := at["deviation"]; ok && strings.TrimSpace(fields[i]) != "" {
		if g.Deviation, err = bounded(fields[i], 0.001, maxDeviation); err != nil {
			return g, fmt.Errorf("deviation: %w", err)
		}
	}
	return g, nil
}

// bounded reads a number from low to high.
func bounded(text string, low, high float64) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(v >= low && v <= high) {
		return 0, fmt.Errorf("%.40q is not a number from %v to %v", text, low, high)
	}
	return v, nil
}

// Refused reports whether any of them was refused.
func Refused(all []GivenOutcome) bool {
	return slices.ContainsFunc(all, func(o GivenOutcome) bool { return o.Refusal != "" })
}
