// Package roster makes entries of players: it reads lists of them, finds those that the club knows already, and returns
// the rating that an entry is seeded by.
package roster

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
	"quatuor/rating/ledger"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// Fault is a fault in a line of a list.
type Fault struct {
	Pointer string            // JSON pointer to it, "" for the whole list
	Detail  string            // the fault, and the remedy
	Said    sentence.Sentence // the detail with its values apart
}

// newFault returns a fault with its detail.
func newFault(pointer, format string, args ...any) Fault {
	said := sentence.New(format, args...)
	return Fault{pointer, said.String(), said}
}

// Faults are all faults of a list, as an error.
type Faults []Fault

// Error returns the first fault, and the number of others.
func (f Faults) Error() string {
	if len(f) == 1 {
		return f[0].Detail
	}
	return fmt.Sprintf("%s; and %d more", f[0].Detail, len(f)-1)
}

func fault(pointer, format string, args ...any) error {
	return Faults{newFault(pointer, format, args...)}
}

// MaxNames is the maximum number of names in a list of names.
const MaxNames = 500

// Name is a line of a list of names.
type Name struct {
	Name, Club string
	Rating     float64 // 0 if none was written
}

// lastNumber matches a rating at the end of a name.
var lastNumber = regexp.MustCompile(`^(.*\D)\s+(\d{3,4})$`)

// ReadNames reads a list of names, a name a line: alone, or with a rating and a club after it, separated by semicolons
// or tabs, or by commas if the second part is a number. Empty lines are skipped. The error is Faults.
func ReadNames(text string) ([]Name, error) {
	names, err := readLines(text, readName)
	switch {
	case err != nil:
		return nil, err
	case len(names) == 0:
		return nil, fault("", "write at least one name")
	case len(names) > MaxNames:
		return nil, fault("", "%d names are too many; at most %d can be entered at once", len(names), MaxNames)
	}
	return names, nil
}

// readLines reads each line of a text that is not empty. The error is Faults, with the number of each line refused.
func readLines[T any](text string, read func(line string) (T, error)) ([]T, error) {
	var list []T
	var faults Faults
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		item, err := read(line)
		if err != nil {
			faults = append(faults, newFault(fmt.Sprintf("/lines/%d", i+1), "line %d: %v", i+1, err))
			continue
		}
		list = append(list, item)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return list, nil
}

func readName(line string) (n Name, err error) {
	parts := splitName(line)
	if m := lastNumber.FindStringSubmatch(parts[0]); m != nil && len(parts) == 1 {
		parts = []string{strings.TrimRight(m[1], " ,"), m[2]}
	}
	if n.Name, err = club.CleanName(parts[0], maxName); err != nil {
		return n, sentence.Errorf("the name cannot be taken: %w", err)
	}
	for _, part := range parts[1:] {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if value, err := strconv.ParseFloat(part, 64); err == nil && n.Rating == 0 {
			if !(value > 0 && value <= 5000) {
				return n, sentence.Errorf("%q is no rating from 1 to 5000", part)
			}
			n.Rating = value
			continue
		}
		if n.Club != "" {
			return n, sentence.Errorf("%q is too much; write a name, a rating and a club", part)
		}
		if n.Club, err = wording.Line.Optional(part, maxName); err != nil {
			return n, sentence.Errorf("the club cannot be taken: %w", err)
		}
	}
	return n, nil
}

func splitName(line string) []string {
	for _, separator := range []string{";", "\t"} {
		if strings.Contains(line, separator) {
			return strings.Split(line, separator)
		}
	}
	parts := strings.Split(line, ",")
	if len(parts) > 1 {
		if _, err := strconv.ParseFloat(strings.TrimSpace(parts[1]), 64); err == nil {
			return parts
		}
	}
	return []string{line}
}

// ListOf returns the id of the rating list that a tournament's games belong to; false if they belong to none.
func ListOf(t *tournament.Tournament) (string, bool) {
	rules, err := catalog.Find(t.Variant)
	if err != nil {
		return "", false
	}
	control, err := clock.Parse(t.TimeControl)
	if err != nil {
		return "", false
	}
	return ledger.ListID(rules.Info().Family(), clock.Class(control)), true
}

// Strength returns the rating that an entry is seeded by: the mean rating of its members in the tournament's list, or
// their initial ratings; 0 if a member has neither.
func Strength(
	ctx context.Context, ratings ledger.Reader, t *tournament.Tournament, members []string, players map[string]club.Player,
) (float64, error) {
	list, ok := ListOf(t)
	if !ok || len(members) == 0 {
		return 0, nil
	}
	sum := 0.0
	for _, id := range members {
		rating := players[id].Rating[list]
		current, err := ratings.OfPlayer(ctx, id)
		if err != nil {
			return 0, err
		}
		for _, r := range current {
			if r.List == list {
				rating = r.Rating.Value
			}
		}
		if rating == 0 {
			return 0, nil
		}
		sum += rating
	}
	return sum / float64(len(members)), nil
}

// EntryOf returns the entry of some players, which must all be in players. A single player's entry has the player's
// club and, unless another is given, name; its rating is the rating for seeding.
func EntryOf(ctx context.Context, ratings ledger.Reader, t *tournament.Tournament, name string, members []string, players map[string]club.Player) (tournament.Entry, error) {
	e := tournament.Entry{Name: name, Members: members}
	if len(members) == 1 {
		p := players[members[0]]
		e.Club = p.Club
		if e.Name == "" {
			e.Name = p.Name
		}
	}
	var err error
	e.Rating, err = Strength(ctx, ratings, t, members, players)
	return e, err
}
