package swiss

import (
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// GroupA returns the last number of the group that the Baku Acceleration favours at first: the first 2·⌈n/4⌉ of the n
// players active in the first round that had any, or in the round to be paired. Players that had not arrived by then
// had no number and do not count. Late entries may enlarge the group, since its last player stays the same.
func GroupA(h pairing.History) int {
	for round := range h.Round - 1 {
		if last := lastOfA(h, func(e pairing.Entrant) bool { return wasPaired(e.Cells[round]) }); last > 0 {
			return last
		}
	}
	return lastOfA(h, func(e pairing.Entrant) bool { return e.Away == tournament.NoBye })
}

// lastOfA returns the last number of group A of the players present; 0 for none.
func lastOfA(h pairing.History, here func(pairing.Entrant) bool) int {
	var numbers []int
	for i, e := range h.Field {
		if here(e) {
			numbers = append(numbers, i+1)
		}
	}
	if len(numbers) == 0 {
		return 0
	}
	return numbers[min(tournament.GroupASize(len(numbers)), len(numbers))-1]
}

// Baku returns the virtual points of the Baku Acceleration (C.04.7) for [Pairer].Virtual. Group A, the first numbers,
// gets a win's points in the first half of the accelerated rounds and half of that in the others; group B never gets
// any. The first half of all rounds is accelerated; both halves are rounded up. It suits point systems with a win worth
// two draws and a loss worth nothing.
func Baku(groupA, rounds int, points tournament.PointSystem) func(number, round int) tournament.Points {
	accelerated := (rounds + 1) / 2
	full := (accelerated + 1) / 2
	return func(number, round int) tournament.Points {
		switch {
		case number > groupA || round > accelerated:
			return 0
		case round <= full:
			return points.Win
		}
		return points.Draw
	}
}
