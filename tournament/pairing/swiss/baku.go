package swiss

import "quatuor/tournament"

// GroupA returns how many numbers of a field, from the first, the Baku Acceleration favours at first:
// 2·⌈players/4⌉. Late entries may enlarge the group, since its last player stays the same.
func GroupA(players int) int { return 2 * ((players + 3) / 4) }

// Baku returns the virtual points of the Baku Acceleration (C.04.7) for [Pairer].Virtual. Group A, the first
// numbers, gets a win's points in the first half of the accelerated rounds and half of that in the others; group B
// never gets any. The first half of all rounds is accelerated; both halves are rounded up. It is meant for point
// systems in which a win is two draws and a loss is worth nothing.
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
