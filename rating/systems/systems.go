// Package systems reads the operator's configuration of rating systems by list, and ensures that a list is never rated
// by two systems.
//
// The file is JSON. The first entry with a pattern that fits a list counts; a list that none fits is rated with Elo in
// club mode.
//
//	{"lists": [
//	  {"list": "quiwin-*", "system": "glicko2", "set": {"tau": 0.5}},
//	  {"list": "quits-blitz", "system": "plackett-luce"},
//	  {"list": "*", "system": "elo-club", "pair_limit": {"games": 20, "period": "month"},
//	   "bands": [{"from": 2000, "title": "Expert"}, {"from": 1700, "title": "Class A"}],
//	   "active_days": 365, "provisional": 10}
//	]}
//
// A pattern is a family and a class of speed, or "*" in the place of either, or "*" alone. Validation is strict:
// unknown and duplicate members, unknown and invalid figures, and patterns that can match nothing are errors that
// explain what would be right.
package systems

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"quatuor/rating"
	"quatuor/rating/elo"
	"quatuor/rating/glicko2"
	"quatuor/rating/ledger"
	"quatuor/rating/plackettluce"
)

// ErrConfig means that a file is not a valid rating configuration. Its text explains the remedy.
var ErrConfig = errors.New("rating configuration")

// Config maps lists to rating rules and display. The zero value, or nil, rates all lists with Elo in club mode.
type Config struct {
	text    string
	entries []entry
}

// Band is a title that goes with a rating.
type Band struct {
	From  float64 `json:"from"` // the lowest rating with the title
	Title string  `json:"title"`
}

// Shown configures the display of a list. It changes no rating.
type Shown struct {
	Bands       []Band // highest first
	ActiveFor   time.Duration
	Provisional int // ratings after fewer games are provisional
}

// Band returns the title that goes with a rating, "" for none.
func (s Shown) Band(value float64) string {
	for _, b := range s.Bands {
		if value >= b.From {
			return b.Title
		}
	}
	return ""
}

// entry is a checked entry of the file.
type entry struct {
	family, class string // "*" for any
	rules         ledger.Rules
	shown         Shown
	bots          bool
}

// club is the regulation of lists that no entry fits.
var club = ledger.Uniform{System: elo.Club{}}

// Rules returns the rules of a list.
func (c *Config) Rules(list string) ledger.Rules {
	if e := c.entry(list); e != nil {
		return e.rules
	}
	rules := club.Rules(list)
	usual.apply(&rules)
	return rules
}

// Shown returns how a list is shown.
func (c *Config) Shown(list string) Shown {
	if e := c.entry(list); e != nil {
		return e.shown
	}
	return Shown{ActiveFor: ledger.ActiveFor, Provisional: ledger.Provisional}
}

// RatesBots reports whether rated games of bots with people count in a list.
func (c *Config) RatesBots(list string) bool {
	e := c.entry(list)
	return e != nil && e.bots
}

// OmittedGame returns why a finished game is not rated; false if that is not by the rules of its list.
func (c *Config) OmittedGame(ctx context.Context, r ledger.Reader, gameID string) (ledger.OmittedGame, bool, error) {
	games, err := r.Games(ctx, []string{gameID})
	if err != nil {
		return ledger.OmittedGame{}, false, err
	}
	g, found := games[gameID]
	if !found || len(g.Rows) > 0 {
		return ledger.OmittedGame{}, false, nil
	}
	why, err := ledger.Omitted(ctx, r, c, g.Finished)
	return ledger.OmittedGame{Finished: g.Finished, Omission: why}, why != (ledger.Omission{}), err
}

// Text returns the rating rules of the file in a canonical form, "" for the zero value.
func (c *Config) Text() string { return c.text }

func (c *Config) entry(list string) *entry {
	if c == nil {
		return nil
	}
	family, class, _ := strings.Cut(list, "-")
	for i := range c.entries {
		e := &c.entries[i]
		if (e.family == "*" || e.family == family) && (e.class == "*" || e.class == class) {
			return e
		}
	}
	return nil
}

// Known reports whether there can be a list of a name: that of a family of games and of a class of speed.
func Known(list string) bool {
	family, class, ok := strings.Cut(list, "-")
	return ok && family != "" && slices.Contains(Classes, class) &&
		!strings.ContainsFunc(family, func(r rune) bool { return r < 'a' || r > 'z' })
}

// Classes are the classes of speed.
var Classes = []string{"bullet", "blitz", "rapid", "classical", "correspondence", "untimed"}

// Names are the names of the systems, as the file spells them.
var Names = []string{"elo-club", "elo-pairwise", "elo-fide", "glicko2", "glicko2-period", "plackett-luce"}

// rules returns the rules of a list by a system with figures.
func rules(system string, set map[string]float64, period rating.Length) (ledger.Rules, error) {
	if !slices.Contains(Names, system) {
		return ledger.Rules{}, fmt.Errorf("the system %q is unknown; there are %s", system, strings.Join(Names, ", "))
	}
	figures, err := ReadFigures(system, set)
	if err != nil {
		return ledger.Rules{}, fmt.Errorf("\"set\": %w", err)
	}
	text := system
	for _, key := range slices.Sorted(maps.Keys(set)) {
		text += " " + key + "=" + strconv.FormatFloat(set[key], 'g', -1, 64)
	}
	r := ledger.Rules{Text: text}
	switch system {
	case "elo-club", "elo-pairwise": // the same formula: of two sides, the sum has a single part
		r.System = elo.Club{Settings: figures.Elo}
		r.Text = "elo-club" + strings.TrimPrefix(text, system)
	case "elo-fide":
		r.System, r.Duels = rating.Live{By: elo.FIDE{Settings: figures.Elo}, Length: period}, true
	case "glicko2":
		r.System, r.Duels = glicko2.Games{Settings: figures.Glicko}, true
	case "glicko2-period":
		r.System, r.Duels = rating.Live{By: glicko2.Periods{Settings: figures.Glicko}, Length: period}, true
	case "plackett-luce":
		r.System = plackettluce.System{Settings: figures.Luce}
	}
	if byPeriods(system) {
		r.Text += " by " + lengthName(period)
	}
	return r, nil
}

func byPeriods(system string) bool { return system == "elo-fide" || system == "glicko2-period" }

// lengths are the lengths of periods, by the words of the file.
var lengths = map[string]rating.Length{"month": rating.Month, "quarter": rating.Quarter, "year": rating.Year}

// lengthOf returns the length that a word names, a month for "".
func lengthOf(word string) (rating.Length, error) {
	if word == "" {
		return rating.Month, nil
	}
	l, ok := lengths[word]
	if !ok {
		return 0, fmt.Errorf("the period %q is unknown; it is month, quarter or year", word)
	}
	return l, nil
}

// PeriodName returns the word for the length of a period.
func PeriodName(l rating.Length) string {
	if l == rating.Day {
		return "day"
	}
	return lengthName(cmp.Or(l, rating.Month))
}

func lengthName(l rating.Length) string {
	for word, length := range lengths {
		if length == l {
			return word
		}
	}
	return ""
}
