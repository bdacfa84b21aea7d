package trf

import "quatuor/tournament"

// accounts are a report's lines 240 and 299, indexed by number and round.
type accounts struct {
	report    *Report
	requested map[[2]int]Result // by number and round; of several the first
	abnormal  map[abnormal]tournament.Points
	bonus     map[[2]int]tournament.Points // by number and round, each 0 for all
}

// abnormal is a result with a value of its own; number and round are 0 for all.
type abnormal struct {
	letter        Result
	number, round int
}

func (r *Report) accounts() accounts {
	a := accounts{
		report: r, requested: make(map[[2]int]Result), abnormal: make(map[abnormal]tournament.Points),
		bonus: make(map[[2]int]tournament.Points),
	}
	for _, b := range r.Byes {
		for _, number := range b.Numbers {
			if _, named := a.requested[[2]int{number, b.Round}]; !named {
				a.requested[[2]int{number, b.Round}] = b.Type
			}
		}
	}
	for _, line := range r.Abnormal {
		numbers := line.Numbers
		if len(numbers) == 0 {
			numbers = []int{0}
		}
		for _, number := range numbers {
			if line.Type == NoResult {
				a.bonus[[2]int{number, line.Round}] += line.Points
			} else {
				a.abnormal[abnormal{line.Type, number, line.Round}] = line.Points
			}
		}
	}
	return a
}

// worth returns the points of a cell: those of the most specific line 299, otherwise those of the point system.
func (a accounts) worth(number, round int, c Cell) tournament.Points {
	points := a.report.Worth(c)
	for _, key := range []abnormal{{number: number, round: round}, {number: number}, {round: round}, {}} {
		key.letter = c.Result.Unrated()
		if special, ok := a.abnormal[key]; ok {
			points = special
			break
		}
	}
	return points + a.bonus[[2]int{number, round}] + a.bonus[[2]int{0, round}]
}

// extra returns the points that were added to a player without naming a round.
func (a accounts) extra(number int) tournament.Points {
	return a.bonus[[2]int{number, 0}] + a.bonus[[2]int{0, 0}]
}

// Unrated returns the letter of the same result of a game that is not rated; that of a line 299, too. Results without a
// game, which are never rated, are the same.
func (r Result) Unrated() Result {
	switch r {
	case Win:
		return ShortWin
	case Draw:
		return ShortDraw
	case Loss:
		return ShortLoss
	}
	return r
}
