package tournament

// lastRenumbering is the round that fixes the numbers when it is paired (FIDE Handbook C.04.2).
const lastRenumbering = 4

// NumbersFixed reports whether the pairing numbers cannot change any more. In formats with pairing tables they are
// fixed from the start.
func (t *Tournament) NumbersFixed() bool {
	return !t.Format.PointByes() || t.Teams != nil || len(t.Rounds) >= lastRenumbering
}
