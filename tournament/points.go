package tournament

// ForRanks returns the points by seat of a game with these ranks. For two seats these are the points of a win, a draw
// and a loss; at a table of n they are n − rank, or as [PlacePoints] say, with shared ranks averaged and rounded down to
// tenths (3, 2, 1, 0 at a table of four; two that share the first place get 2.5 each). Those who did not come (rank 0) have
// the points of a forfeit. Ranks must be as [RankVerdict] or [TableVerdict] returns them.
func (s PointSystem) ForRanks(ranks []int) []Points {
	points := make([]Points, len(ranks))
	for i, rank := range ranks {
		switch {
		case len(ranks) == 2:
			points[i] = s.duel(rank, ranks[1-i])
		case rank == 0:
			points[i] = s.ForfeitLoss
		default:
			points[i] = s.place(rank, ranks)
		}
	}
	return points
}

// place returns the points of a rank at a table with these ranks: the mean of the places that all of this rank take up.
func (s PointSystem) place(rank int, ranks []int) Points {
	worth := s.Places.Of(len(ranks))
	shared := 0
	for _, other := range ranks {
		if other == rank {
			shared++
		}
	}
	return sum(worth[rank-1:rank-1+shared]) / Points(shared)
}

func (s PointSystem) duel(rank, other int) Points {
	switch {
	case rank < other:
		return s.Win
	case rank > other:
		return s.Loss
	}
	return s.Draw
}

// ForForfeit returns the points by seat if one of two seats did not play; nil ranks are a double forfeit.
func (s PointSystem) ForForfeit(seats int, ranks []int) []Points {
	points := make([]Points, seats)
	for i := range points {
		points[i] = s.ForfeitLoss
		if ranks != nil && ranks[i] == 1 {
			points[i] = s.ForfeitWin
		}
	}
	return points
}

// ForBye returns the points of a bye.
func (s PointSystem) ForBye(b Bye) Points {
	switch b {
	case PairingAllocated:
		return s.Bye
	case FullPoint:
		return s.Win
	case HalfPoint:
		return s.Draw
	}
	return 0
}

// check reports values by which a loser would overtake a winner.
func (s PointSystem) check(f Format, faults *FieldErrors) {
	if !f.Tables() && s.Places != (PlacePoints{}) {
		faults.add("points/places", "only a %s or %s has places at tables, and this is a %s", TableSwiss, TableRoundRobin, f)
	}
	s.Places.check(faults)
	if s.Win <= s.Draw || s.Draw < s.Loss || s.Loss < 0 {
		faults.add("points", "a win (%s) must be worth more than a draw (%s), a draw no less than a loss (%s), and none of them less than 0",
			s.Win, s.Draw, s.Loss)
	}
	if s.ForfeitWin < 0 || s.ForfeitWin > s.Win || s.ForfeitLoss < 0 || s.ForfeitLoss > s.Loss || s.Bye < 0 || s.Bye > s.Win {
		faults.add("points", "a forfeit or a bye must be worth no less than 0 and no more than the game itself (at most %s)", s.Win)
	}
}
