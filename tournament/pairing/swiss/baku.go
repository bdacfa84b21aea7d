package swiss

import "quatuor/tournament"

// Baku gives the virtual points of the Baku Acceleration (C.04.7) for [Regulations].Virtual: group A, the first
// 2·⌈players/4⌉ numbers, has a win more in the first half of the accelerated rounds and half of that in the others;
// group B never has any. Accelerated is the first half of all rounds; both halves are rounded up.
//
// It is meant for point systems in which a win is two draws and a loss nothing. After late entries players must stay
// such that the last of group A is who it was.
func Baku(players, rounds int, points tournament.PointSystem) func(number, round int) tournament.Points {
	groupA := 2 * ((players + 3) / 4)
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
