package exchange

import (
	"quatuor/tournament"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/standings"
	"quatuor/tournament/trf"
)

// leaves imports the byes on request, past and future, and withdrawals.
func (i *importer) leaves() error {
	annulled := standings.FieldOfReport(i.report).Annulled
	dropped := false
	for n, p := range i.players {
		e := &i.taken.Begun.Entries[n]
		cells := i.history.Field[p.Number-1].Cells[:i.taken.Settings.RoundCount]
		away := 0 // rounds to come with a zero-point bye
		for _, c := range cells[i.played:] {
			if c.Bye == tournament.ZeroPoint {
				away++
			}
		}
		gone := away > 0 && away == len(cells)-i.played
		if gone || annulled[p.Number] {
			e.Status, e.WithdrawnFrom = tournament.Withdrawn, lastSeen(cells[:i.played])+1
		}
		for round, c := range cells {
			switch {
			case c.Bye == tournament.NoBye || c.Bye == tournament.PairingAllocated || gone && round >= i.played:
			case i.taken.Settings.Format.Arrivals():
				e.Byes = append(e.Byes, tournament.RequestedBye{Round: round + 1, Bye: c.Bye})
			case round >= i.played:
				dropped = true
			}
		}
	}
	if dropped {
		i.note("byes that were asked for in rounds to come are left out: a round-robin has no byes on request")
	}
	return nil
}

// lastSeen returns the last round with a pairing of a player, or with a bye worth points.
func lastSeen(cells []tournament.Cell) int {
	last := 0
	for round, c := range cells {
		if c.Kind != tournament.Absent && c.Bye != tournament.ZeroPoint {
			last = round + 1
		}
	}
	return last
}

// group imports the acceleration.
func (i *importer) group() error {
	r, s := i.report, &i.taken.Settings
	size := 0
	switch {
	case !i.swiss() || i.played >= s.RoundCount:
		return nil // virtual points no longer affect any player
	case len(r.Virtual) > 0:
		accelerated, ok := i.baku()
		if !ok {
			return refuse("lines 250 give other virtual points than the Baku Acceleration of %d players in %d rounds does; "+
				"no other acceleration can be continued here", len(i.players), s.RoundCount)
		}
		size = accelerated
	case r.Baku():
		size = i.place[swiss.GroupA(r.History(r.NextRound()))]
	}
	if size > 0 {
		s.Rules.Acceleration, i.taken.Begun.GroupA = tournament.Baku, size
	}
	return nil
}

// baku returns the size of group A if the virtual points of the report are those of the Baku Acceleration.
func (i *importer) baku() (size int, ok bool) {
	s := i.taken.Settings
	virtual := virtualTable(i.report.Virtual, i.players[len(i.players)-1].Number, s.RoundCount)
	for size < len(i.players) && virtual[i.players[size].Number][1] > 0 {
		size++
	}
	want := swiss.Baku(size, s.RoundCount, s.Points)
	for n, p := range i.players {
		for round := 1; round <= s.RoundCount; round++ {
			if virtual[p.Number][round] != want(n+1, round) {
				return 0, false
			}
		}
	}
	return size, true
}

// virtualTable sums lines 250 by number and round, as a two-dimensional difference array: each line is noted at the
// corners of its rectangle, because there may be many large rectangles.
func virtualTable(lines []trf.Virtual, numbers, rounds int) [][]tournament.Points {
	sums := make([][]tournament.Points, numbers+2)
	for n := range sums {
		sums[n] = make([]tournament.Points, rounds+2)
	}
	for _, v := range lines {
		if v.From > numbers || v.First > rounds {
			continue
		}
		above, right := min(v.To, numbers)+1, min(v.Last, rounds)+1
		sums[v.From][v.First] += v.Points
		sums[above][v.First] -= v.Points
		sums[v.From][right] -= v.Points
		sums[above][right] += v.Points
	}
	for n := range sums {
		for round := range sums[n] {
			if n > 0 {
				sums[n][round] += sums[n-1][round]
			}
			if round > 0 {
				sums[n][round] += sums[n][round-1]
			}
			if n > 0 && round > 0 {
				sums[n][round] -= sums[n-1][round-1]
			}
		}
	}
	return sums
}
