package standings

import (
	"strconv"

	"quatuor/tournament/standings/ties"
)

// directEncounter is article 6. It ranks the group by the table of the games among its members; members that
// remain level share a place. All get place 0 if it cannot separate any.
func directEncounter(b *book, group []int, m modifiers) []value {
	encounter := ties.Encounter{
		Table: func(group []int) ties.Crosstable { return b.encounters(group, m) },
		Loss:  int64(b.points.Loss), Win: int64(b.points.Win),
	}
	place := ties.Places(encounter.Split(group))
	values := make([]value, len(group))
	for i, page := range group {
		values[i] = value{key: -int64(place[page]), text: strconv.Itoa(place[page])}
	}
	return values
}

// meeting is the score of a member against another of the group.
type meeting struct {
	other      int
	sum, games int64
}

// encounters returns the table of the games among a group, and marks the group in the book.
func (b *book) encounters(group []int, m modifiers) ties.Crosstable {
	e := ties.Crosstable{Group: group, Score: make([]int64, len(group)), Met: make([]int, len(group))}
	clear(b.inGroup)
	for i, page := range group {
		b.inGroup[page] = i + 1
	}
	var meetings []meeting
	for i, page := range group {
		meetings = meetings[:0]
		for k := range b.pages[page].rounds {
			r := &b.pages[page].rounds[k]
			if b.encountered(r, m) && b.inGroup[r.opponent] > 0 {
				meetings = add(meetings, r)
			}
		}
		e.Met[i] = len(meetings)
		for _, x := range meetings {
			e.Score[i] += x.sum * ties.Fraction / x.games
		}
	}
	return e
}

// encountered reports whether the round counts for the direct encounter: a game, or a forfeit if these are regular.
func (b *book) encountered(r *round, m modifiers) bool {
	return r.played() || r.decided() && (b.fixed || m.played)
}

func add(meetings []meeting, r *round) []meeting {
	for i := range meetings {
		if x := &meetings[i]; x.other == r.opponent {
			x.sum += int64(r.points)
			x.games++
			return meetings
		}
	}
	return append(meetings, meeting{r.opponent, int64(r.points), 1})
}
