package table

import (
	"fmt"
	"reflect"
	"slices"
)

// Audit replays the log of a stored game, line by line, and returns the differences between what is stored and what
// follows: of a line (its turn, the time it took, the time that remained), or of the game's row (position, turn, outcome,
// clocks and the rest). It returns nil if there are none. The texts never contain a position, since it may be secret.
func Audit(stored Game, lines []Line) []string {
	d, err := rerun(stored, lines)
	if err != nil {
		return []string{"it cannot be set up again: " + err.Error()}
	}
	var faults []string
	for i, l := range lines {
		if err := d.repeat(l); err != nil {
			// What comes after builds on this line, and so does the row.
			return append(faults, fmt.Sprintf("line %d cannot be carried out: %v", i+1, err))
		}
		for _, fault := range lineDifferences(l, d.Lines[i]) {
			faults = append(faults, fmt.Sprintf("line %d, %s of seat %d: %s", i+1, l.Kind, l.Seat, fault))
		}
	}
	return append(faults, differences(stored, d.Game)...)
}

// field is a stored value and the expected one.
type field struct {
	name         string
	stored, want any
}

func unequal(fields ...field) (faults []string) {
	for _, f := range fields {
		if !reflect.DeepEqual(f.stored, f.want) {
			faults = append(faults, fmt.Sprintf("its %s is %v and should be %v", f.name, f.stored, f.want))
		}
	}
	return faults
}

// lineDifferences compares a stored line with the one that it makes when it is carried out again.
func lineDifferences(stored, made Line) []string {
	if reflect.DeepEqual(stored, made) {
		return nil
	}
	faults := unequal(
		field{"number", stored.N, made.N},
		field{"turn", stored.Turn, made.Turn},
		field{"time taken in ms", stored.Elapsed, made.Elapsed},
		field{"time left in ms", stored.Remaining, made.Remaining},
	)
	if faults == nil {
		faults = []string{"it says more than such a line does"}
	}
	return faults
}

// differences compares a stored row with what its log leads to.
func differences(stored, want Game) []string {
	faults := unequal(
		field{"status", stored.Status, want.Status},
		field{"set of seats that have not accepted", stored.Invited, want.Invited},
		field{"version", stored.Version, want.Version},
		field{"turn", stored.Turn, want.Turn},
		field{"number of plies", stored.Plies, want.Plies},
		field{"draw offer", stored.Offer, want.Offer},
		field{"deadline", stored.Deadline, want.Deadline},
		field{"outcome", stored.Outcome, want.Outcome},
		field{"start", stored.StartedAt, want.StartedAt},
		field{"end", stored.FinishedAt, want.FinishedAt},
		field{"clock", string(stored.Clock.AppendJSON(nil)), string(want.Clock.AppendJSON(nil))},
	)
	if !slices.Equal(stored.Awaited, want.Awaited) {
		faults = append(faults, fmt.Sprintf("it awaits seats %v and should await %v", stored.Awaited, want.Awaited))
	}
	if stored.Position != want.Position {
		faults = append(faults, "its position is not the one that its moves lead to")
	}
	return faults
}
