package tournament

import (
	"cmp"
	"slices"
)

// RequestedBye is an entry's request not to be paired in a round.
type RequestedBye struct {
	Round int `json:"round"`
	Bye   Bye `json:"bye"` // HPB, FPB or ZPB; in a Keizer season ZPB, CLUB or NOSHOW
}

// RequestByes replaces an entry's requested byes. Byes of rounds that have been paired cannot change and are kept; they
// may be left out.
func (t *Tournament) RequestByes(id string, byes []RequestedBye) (*Revision, error) {
	e, err := t.FindEntry(id)
	switch {
	case err != nil:
		return nil, err
	case !t.Format.Arrivals():
		return nil, NotNow("a %s has no byes on request: games not played are forfeited", t.Format)
	case t.Status.Over():
		return nil, NotNow("the tournament is %s; there are no more rounds to have a bye in", t.Status)
	}
	kept, requested, err := t.stillOpen(e, byes)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(kept, requested)
	if slices.Equal(all, e.Byes) {
		return t.Unchanged()
	}
	if err := t.checkHalfPoints(e, all); err != nil {
		return nil, err
	}
	e.Byes = all
	next, err := t.WithEntry(e)
	if err == nil && next.LastOfA != "" && len(next.Rounds) == 0 {
		next.LastOfA = next.lastOfA()
	}
	return next, err
}

// stillOpen returns the entry's byes of rounds that have been paired, and its requests for rounds to come.
func (t *Tournament) stillOpen(e Entry, byes []RequestedBye) (kept, requested []RequestedBye, err error) {
	drawn := len(t.Rounds)
	for _, b := range e.Byes {
		if b.Round <= drawn {
			kept = append(kept, b)
		}
	}
	var faults FieldErrors
	for i, b := range byes {
		if b.Round <= drawn && slices.Contains(kept, b) {
			continue
		}
		if b.Round >= 1 && b.Round <= drawn {
			return nil, nil, NotNow("round %d has been paired already; request byes from round %d on", b.Round, drawn+1)
		}
		t.CheckBye(b, &faults)
		if slices.ContainsFunc(byes[:i], func(o RequestedBye) bool { return o.Round == b.Round }) {
			faults.Add("items", "round %d is named twice", b.Round)
		}
		requested = append(requested, b)
	}
	slices.SortFunc(requested, func(a, b RequestedBye) int { return cmp.Compare(a.Round, b.Round) })
	return kept, requested, faults.Err()
}

// checkHalfPoints returns an error for more half-point byes than the regulations allow. An entry keeps those that it
// has, even if the regulations have changed or it was imported with more.
func (t *Tournament) checkHalfPoints(e Entry, requested []RequestedBye) error {
	limit := t.Rules.MaxHalfPointByes()
	if n := t.halfPoints(e.ID, requested); n <= limit || n <= t.halfPoints(e.ID, e.Byes) {
		return nil
	}
	if limit == 0 {
		return Fault("items", "the regulations allow no half-point byes (pairing.half_point_byes); request a zero-point "+
			"bye (ZPB)")
	}
	return Fault("items", "the regulations allow each entry half-point byes in %d of the rounds "+
		"(pairing.half_point_byes), and this request would exceed that; request a zero-point bye (ZPB) instead", limit)
}

// halfPoints returns the number of half-point byes of an entry, requested or granted by hand. If late entries get half
// a point for missed rounds, the byes of paired rounds do not count.
func (t *Tournament) halfPoints(id string, requested []RequestedBye) int {
	rounds := map[int]bool{}
	for _, b := range requested {
		if b.Bye == HalfPoint {
			rounds[b.Round] = true
		}
	}
	for _, r := range t.Rounds {
		if t.Rules.MissedRounds != HalfPoint && slices.ContainsFunc(r.Pairings,
			func(p Pairing) bool { return p.Bye == HalfPoint && p.Seats[0] == id }) {
			rounds[r.Number] = true
		}
	}
	return len(rounds)
}

// CheckBye adds the faults of a requested bye.
func (t *Tournament) CheckBye(b RequestedBye, faults *FieldErrors) {
	switch {
	case b.Round < 1 || b.Round > maxRounds || t.RoundCount > 0 && b.Round > t.RoundCount:
		faults.Add("items", "there is no round %d", b.Round)
	case t.Format.ByEvenings():
		if !slices.Contains(Absences, b.Bye) {
			faults.Add("items", "%q is no absence from an evening; write one of %v", b.Bye, Absences)
		}
	case b.Bye == FullPoint && !t.Rules.FullPointByes:
		faults.Add("items", "the regulations allow no full-point byes (pairing.full_point_byes); request HPB or ZPB")
	case b.Bye != HalfPoint && b.Bye != ZeroPoint && b.Bye != FullPoint:
		faults.Add("items", "%q cannot be requested; request HPB, ZPB or, if the regulations allow it, FPB", b.Bye)
	}
}

// Away returns the bye of an entry that is not paired in a round: the requested bye, or a zero-point bye from its
// withdrawal on; NoBye if it takes part.
func (e Entry) Away(round int) Bye {
	if e.WithdrawnFrom > 0 && e.WithdrawnFrom <= round {
		return ZeroPoint
	}
	for _, b := range e.Byes {
		if b.Round == round {
			return b.Bye
		}
	}
	return NoBye
}

// Ban keeps entries from being paired with each other.
type Ban struct {
	Entries []string `json:"entries"`         // ids; no two of them meet
	First   int      `json:"first,omitempty"` // round; 0 is the first
	Last    int      `json:"last,omitempty"`  // round; 0 is the last
	Why     string   `json:"why,omitempty"`   // for the tournament's staff
}

// In reports whether the ban holds in a round.
func (b Ban) In(round int) bool { return round >= b.First && (b.Last == 0 || round <= b.Last) }

// Limits of the forbidden pairings of a tournament.
const (
	maxBans      = 500
	maxBanMember = 100
)

// SetForbidden replaces the forbidden pairings. Rounds that are paired already do not change.
func (t *Tournament) SetForbidden(bans []Ban) (*Revision, error) {
	switch {
	case !t.Format.Arrivals():
		return nil, NotNow("in a %s the format decides who meets whom; pairings can only be forbidden in a %s or %s",
			t.Format, Swiss, TableSwiss)
	case t.Status.Over():
		return nil, NotNow("the tournament is %s; there are no more rounds to pair", t.Status)
	}
	var faults FieldErrors
	if len(bans) > maxBans {
		faults.Add("items", "%d groups are too many; at most %d are allowed", len(bans), maxBans)
	}
	for _, b := range bans {
		t.checkBan(b, &faults)
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return t.With(func(next *Tournament) { next.Forbidden = slices.Clone(bans) })
}

func (t *Tournament) checkBan(b Ban, faults *FieldErrors) {
	if len(b.Entries) < 2 || len(b.Entries) > maxBanMember {
		faults.Add("items", "a group of entries that must not meet has 2 to %d entries, not %d", maxBanMember, len(b.Entries))
	}
	for i, id := range b.Entries {
		if _, ok := t.Entry(id); !ok {
			faults.Add("items", "there is no entry %q", id)
		} else if slices.Contains(b.Entries[:i], id) {
			faults.Add("items", "entry %q is named twice in one group", id)
		}
	}
	if b.First < 0 || b.Last < 0 || b.Last > 0 && b.Last < b.First || b.Last > maxRounds {
		faults.Add("items", "%d to %d is not a range of rounds; the first must not come after the last", b.First, b.Last)
	}
}

// Bans returns groups of pairing numbers that are kept apart in a round: no two members of a group may meet.
func (t *Tournament) Bans(round int) [][]int {
	var out [][]int
	number := t.Numbers()
	for _, b := range t.Forbidden {
		if !b.In(round) {
			continue
		}
		var group []int
		for _, id := range b.Entries {
			if n := number[id]; n > 0 {
				group = append(group, n)
			}
		}
		if len(group) > 1 {
			out = append(out, group)
		}
	}
	return out
}

// Numbers returns the pairing numbers by entry id.
func (t *Tournament) Numbers() map[string]int {
	out := make(map[string]int, len(t.Entries))
	for _, e := range t.Entries {
		out[e.ID] = e.Number
	}
	return out
}
