package systems

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"quatuor/rating/ledger"
)

// The bounds of a configuration.
const (
	maxFile    = 1 << 20 // bytes
	maxBands   = 50
	maxTitle   = 40 // characters
	maxGames   = 1_000_000
	maxDays    = 100_000
	maxEntries = 500
)

// configFile is the contents of the file.
type configFile struct {
	Lists []listEntry `json:"lists"`
}

type listEntry struct {
	List        string             `json:"list"`
	System      string             `json:"system"`
	Set         map[string]float64 `json:"set,omitempty"`
	Period      string             `json:"period,omitempty"`
	PairLimit   *pairLimit         `json:"pair_limit,omitempty"`
	Bands       []Band             `json:"bands,omitempty"`
	ActiveDays  *int               `json:"active_days,omitempty"`
	Casual      *casualEntry       `json:"casual,omitempty"`
	Provisional *int               `json:"provisional,omitempty"`
	Bots        bool               `json:"bots,omitempty"`
}

type pairLimit struct {
	Games  int    `json:"games"`
	Period string `json:"period,omitempty"`
}

// Parse reads a configuration for lists of some families and classes of speed. Errors wrap ErrConfig.
func Parse(text []byte, families, classes []string) (*Config, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("%w: the file is longer than %d bytes", ErrConfig, maxFile)
	}
	if err := once(json.NewDecoder(bytes.NewReader(text)), "the file"); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	var file configFile
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, readable(err))
	}
	if decoder.More() {
		return nil, fmt.Errorf("%w: more text after the end of the object", ErrConfig)
	}
	if len(file.Lists) == 0 || len(file.Lists) > maxEntries {
		return nil, fmt.Errorf("%w: \"lists\" must have 1 to %d entries", ErrConfig, maxEntries)
	}
	c := &Config{}
	for i, l := range file.Lists {
		e, err := l.check(families, classes)
		if err == nil {
			err = c.reachable(e, l.List)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: entry %d of \"lists\": %w", ErrConfig, i+1, err)
		}
		c.entries = append(c.entries, e)
	}
	for i := range file.Lists { // how lists are shown changes no rating
		l := &file.Lists[i]
		l.Bands = nil
		l.ActiveDays = nil
		l.Provisional = nil
	}
	canonical, err := json.Marshal(file)
	c.text = string(canonical)
	return c, err
}

// check returns an entry, checked.
func (l listEntry) check(families, classes []string) (e entry, err error) {
	if e.family, e.class, err = pattern(l.List, families, classes); err != nil {
		return e, err
	}
	if l.Period != "" && !byPeriods(l.System) {
		return e, fmt.Errorf("\"period\" is for elo-fide and glicko2-period; %s rates after every game", l.System)
	}
	period, err := lengthOf(l.Period)
	if err != nil {
		return e, err
	}
	if e.rules, err = rules(l.System, l.Set, period); err != nil {
		return e, err
	}
	if p := l.PairLimit; p != nil {
		if p.Games < 1 || p.Games > maxGames {
			return e, fmt.Errorf("\"games\" of \"pair_limit\" must be 1 to %d; leave \"pair_limit\" out for no limit", maxGames)
		}
		length, err := lengthOf(p.Period)
		if err != nil {
			return e, err
		}
		e.rules.Limits = append(e.rules.Limits, ledger.PairLimit{Games: p.Games, Period: length})
		e.rules.Text += fmt.Sprintf("; at most %d games a %s between two players", p.Games, lengthName(length))
	}
	casual, err := l.Casual.check()
	if err != nil {
		return e, err
	}
	casual.apply(&e.rules)
	e.bots = l.Bots
	e.shown, err = l.show()
	return e, err
}

// show returns how the list is shown.
func (l listEntry) show() (Shown, error) {
	s := Shown{ActiveFor: ledger.ActiveFor, Provisional: ledger.Provisional}
	if d := l.ActiveDays; d != nil {
		if *d < 1 || *d > maxDays {
			return s, fmt.Errorf("\"active_days\" must be 1 to %d", maxDays)
		}
		s.ActiveFor = time.Duration(*d) * 24 * time.Hour
	}
	if p := l.Provisional; p != nil {
		if *p < 0 || *p > maxGames {
			return s, fmt.Errorf("\"provisional\" must be 0 to %d", maxGames)
		}
		s.Provisional = *p
	}
	if len(l.Bands) > maxBands {
		return s, fmt.Errorf("there can be %d bands", maxBands)
	}
	for _, b := range l.Bands {
		title := strings.TrimSpace(b.Title)
		if title == "" || utf8.RuneCountInString(title) > maxTitle ||
			strings.ContainsFunc(title, func(r rune) bool { return r < ' ' }) {
			return s, fmt.Errorf("a band needs a title of 1 to %d characters in one line, not %q", maxTitle, b.Title)
		}
		if slices.ContainsFunc(s.Bands, func(other Band) bool { return other.From == b.From }) {
			return s, fmt.Errorf("two bands begin at %v", b.From)
		}
		s.Bands = append(s.Bands, Band{b.From, title})
	}
	slices.SortFunc(s.Bands, func(a, b Band) int { return cmp.Compare(b.From, a.From) })
	return s, nil
}

// pattern splits a pattern of lists.
func pattern(text string, families, classes []string) (family, class string, err error) {
	if text == "*" {
		return "*", "*", nil
	}
	family, class, _ = strings.Cut(text, "-")
	if family != "*" && !slices.Contains(families, family) || class != "*" && !slices.Contains(classes, class) {
		return "", "", fmt.Errorf("\"list\": %q fits no list; write \"*\", or one of %s, a hyphen, and one of %s; \"*\" "+
			"can stand in the place of either", text, strings.Join(families, ", "), strings.Join(classes, ", "))
	}
	return family, class, nil
}

// reachable refuses an entry if earlier entries leave nothing to it.
func (c *Config) reachable(e entry, text string) error {
	for i, before := range c.entries {
		if (before.family == "*" || before.family == e.family) && (before.class == "*" || before.class == e.class) {
			return fmt.Errorf("%q never counts, since entry %d fits all of its lists and comes before it; put the wider one "+
				"last", text, i+1)
		}
	}
	return nil
}

// readable returns an error of the decoder in the words of the file.
func readable(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("%q is a %s where it cannot be one", kind.Field, kind.Value)
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("there is no member %s; the file has \"lists\", whose entries have list, system, set, period, "+
			"pair_limit (games, period), casual (pair_day, pair_month, moves), bands (from, title), active_days, provisional and bots", name)
	}
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty")
	}
	return err
}

// once refuses JSON with duplicate members in an object.
func once(d *json.Decoder, where string) error {
	token, err := d.Token()
	if err != nil {
		return readable(err)
	}
	open, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	seen := map[string]bool{}
	for i := 1; d.More(); i++ {
		inside := fmt.Sprintf("entry %d of %s", i, where)
		if open == '{' {
			token, err := d.Token()
			if err != nil {
				return readable(err)
			}
			name, _ := token.(string)
			if seen[name] {
				return fmt.Errorf("%q is twice in %s", name, where)
			}
			seen[name] = true
			inside = fmt.Sprintf("%q", name)
		}
		if err := once(d, inside); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}
