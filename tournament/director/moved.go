package director

import (
	"fmt"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// maxMoved is the largest number of names in the history of a correction.
const maxMoved = 30

// naming adds to the reason of an act the entries that it moved: in a Keizer season a correction counts for all.
func naming(act tournament.Act, t *tournament.Tournament, next *tournament.Revision) tournament.Act {
	changes := next.Delta.Changes
	if t.Format.Traits().Ranking != tournament.ByValue || len(changes) == 0 || changes[0].Before == nil {
		return act
	}
	moved := movedBetween(t, next.Tournament)
	if len(moved) == 0 {
		return act
	}
	said := sentence.New("moved: %s", strings.Join(moved[:min(len(moved), maxMoved)], ", "))
	if more := len(moved) - maxMoved; more > 0 {
		said = sentence.New("%v and %d more", said, more)
	}
	if act.Why != "" {
		said = sentence.Join("; ", sentence.Typed(act.Why), said)
	}
	return act.Because(said)
}

// movedBetween lists changed totals and ranks by rank, each with name, old and new value.
func movedBetween(t, next *tournament.Tournament) (moved []string) {
	before, err := standings.After(t, 0)
	if err != nil {
		return nil
	}
	after, err := standings.After(next, 0)
	if err != nil {
		return nil
	}
	was := map[string]string{}
	total := func(r standings.Row) string { return fmt.Sprintf("%d. (%s)", r.Rank, r.Total) }
	for _, row := range before.Rows {
		was[row.Entry.ID] = total(row)
	}
	for _, row := range after.Rows {
		if now := total(row); now != was[row.Entry.ID] {
			moved = append(moved, fmt.Sprintf("%s %s → %s", row.Entry.Name, was[row.Entry.ID], now))
		}
	}
	return moved
}
