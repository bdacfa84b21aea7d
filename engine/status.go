package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxSeats is the greatest number of seats of any game. A [Viewer] has a bit for each.
const maxSeats = 15

// single holds every seat once, so that [Await] allocates nothing.
var single = [maxSeats + 1]Seat{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// Await returns the Pending of a state with a single seat on turn. The list is shared: it must not be changed.
func Await(s Seat) Pending { return Pending{Awaited: single[s : s+1 : s+1]} }

// Status returns the status field of a position text: the seat on turn, or the outcome. It is for states that await a
// single seat at a time.
func (p Pending) Status() string {
	if p.Over() {
		return p.Outcome.String()
	}
	return strconv.Itoa(int(p.Awaited[0]))
}

// ParseStatus reads a status field as [Pending.Status] prints it.
func ParseStatus(info Info, seats int, text string) (Pending, error) {
	ended, over := strings.CutPrefix(text, "=")
	if !over {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > seats || strconv.Itoa(n) != text {
			return Pending{}, fmt.Errorf("status %q names no seat of this game; seats are 1 to %d", Clip(text), seats)
		}
		return Await(Seat(n)), nil
	}
	list, reason, _ := strings.Cut(ended, ":")
	outcome := Outcome{ParseNumbers[int](list, seats), Reason(reason)}
	if outcome.Ranks == nil || len(outcome.Ranks) > seats {
		return Pending{}, fmt.Errorf("status %q: want %d ranks from 1 to %d", Clip(text), seats, seats)
	}
	if len(outcome.Ranks) != seats || !outcome.consistent(info) {
		return Pending{}, fmt.Errorf("status %q: these ranks are no result of %s with %d seats", Clip(text), info.ID, seats)
	}
	return Pending{Outcome: &outcome}, nil
}

// consistent reports whether partners share a rank and each side's rank is the number of sides before it plus 1.
func (o Outcome) consistent(info Info) bool {
	sides := info.SidesAt(len(o.Ranks))
	for seat, rank := range o.Ranks {
		better := 0
		for _, other := range o.Ranks[:sides] {
			if other < rank {
				better++
			}
		}
		if rank != o.Ranks[info.SideOf(Seat(seat+1))-1] || rank != better+1 {
			return false
		}
	}
	return true
}

// Won returns the outcome of a game between two or more sides that a single side wins, all others being equal.
func Won(info Info, seats int, winner Side, reason Reason) *Outcome {
	ranks := make([]int, seats)
	for i := range ranks {
		ranks[i] = 2
		if info.SideOf(Seat(i+1)) == winner {
			ranks[i] = 1
		}
	}
	return &Outcome{Ranks: ranks, Reason: reason}
}

// Gone is the list of seats that are out of a game with more than two sides, in the order of leaving.
type Gone []Seat

// Has reports whether a seat is out.
func (g Gone) Has(s Seat) bool { return slices.Contains(g, s) }

// With returns the list with a further seat; the receiver never changes.
func (g Gone) With(s Seat) Gone { return append(slices.Clip(g), s) }

// Ranks returns the ranks by seat: the first seat to leave has the worst rank, and all that are still in have rank
// 1.
func (g Gone) Ranks(seats int) []int {
	ranks := make([]int, seats)
	for i := range ranks {
		ranks[i] = 1
	}
	for i, s := range g {
		ranks[s-1] = seats - i
	}
	return ranks
}

// String returns the gone field of a position text, for example "3,1", or "-" if no seat is out.
func (g Gone) String() string {
	return cmp.Or(Numbers(g, ","), "-")
}

// ParseGone reads a gone field.
func ParseGone(seats int, text string) (Gone, error) {
	if text == "-" {
		return nil, nil
	}
	g := Gone(ParseNumbers[Seat](text, seats))
	if g == nil || len(slices.Compact(slices.Sorted(slices.Values(g)))) != len(g) {
		return nil, fmt.Errorf("the seats that are out are %q: want different seats from 1 to %d, or -", Clip(text), seats)
	}
	return g, nil
}

// Numbers returns numbers as a text, with a separator between them.
func Numbers[N ~int | ~int8](list []N, separator string) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(int(n))
	}
	return strings.Join(words, separator)
}

// ParseNumbers reads numbers from 1 to most, joined by commas and without needless zeros; nil for any other text.
func ParseNumbers[N ~int | ~int8](text string, most int) (list []N) {
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > most || strconv.Itoa(n) != word {
			return nil
		}
		list = append(list, N(n))
	}
	return list
}
