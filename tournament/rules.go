package tournament

import (
	"bytes"
	"crypto/sha256"
	"slices"
)

// PairingRules are the regulations of pairings beyond the format. The zero value has the usual rules.
type PairingRules struct {
	Acceleration Acceleration `json:"acceleration,omitempty"` // of a Swiss, or of a team Swiss by match points
	// if it was drawn in the hall; 0 means that it is drawn from the tournament's seed at the start
	InitialColour Colour `json:"initial_colour,omitempty"`
	FullPointByes bool   `json:"full_point_byes,omitempty"` // full-point byes are allowed on request

	// HalfPointByes is the number of half-point byes that an entry may have: 0 for the default, [NoHalfPointByes] for
	// none.
	HalfPointByes int `json:"half_point_byes,omitempty"`

	// bye of a late entry for each round that it missed: ZPB ("" too) or HPB
	MissedRounds Bye           `json:"missed_rounds,omitempty"`
	Match        KnockoutRules `json:"match,omitzero"`  // knock-outs only
	Keizer       KeizerRules   `json:"keizer,omitzero"` // Keizer seasons only
	Arena        ArenaRules    `json:"arena,omitzero"`  // arenas only
	// round-robins: numbers are drawn so that entries of the same club meet early (C.05, Varma tables)
	Varma bool `json:"varma,omitempty"`
	// only the organiser and arbiters see the reasons of pairings
	HideReasons bool       `json:"hide_reasons,omitempty"`
	Tables      TableRules `json:"tables,omitzero"` // formats with tables only
	// rounds do not wait for adjourned games, which count as draws for the pairing (C.04.2)
	AdjournedDraw bool `json:"adjourned_draw,omitempty"`
}

// Acceleration is a system of virtual points that lets strong entries meet early.
type Acceleration string

// The accelerations.
const (
	NoAcceleration Acceleration = ""
	Baku           Acceleration = "baku" // FIDE Handbook C.04.7
)

// NoHalfPointByes is the value of [PairingRules.HalfPointByes] for no half-point byes.
const NoHalfPointByes = -1

// MaxHalfPointByes returns the number of half-point byes that an entry may have. Those of a late entry for missed
// rounds do not count.
func (r PairingRules) MaxHalfPointByes() int {
	switch r.HalfPointByes {
	case 0:
		return 1
	case NoHalfPointByes:
		return 0
	}
	return r.HalfPointByes
}

// SetMaxHalfPointByes sets the number of half-point byes that an entry may have.
func (r *PairingRules) SetMaxHalfPointByes(n int) {
	switch n {
	case 0:
		r.HalfPointByes = NoHalfPointByes
	case 1:
		r.HalfPointByes = 0
	default:
		r.HalfPointByes = n
	}
}

// of returns the rules as far as a format has them.
func (r PairingRules) of(f Format) PairingRules {
	if !f.Accelerates() {
		r.Acceleration = NoAcceleration
	}
	if !f.DrawsColour() {
		r.InitialColour = 0
	}
	if !f.PointByes() {
		r.FullPointByes = false
		r.HalfPointByes = 0
		r.MissedRounds = NoBye
	}
	r.Varma = r.Varma && f.RoundRobin()
	r.AdjournedDraw = r.AdjournedDraw && f.Adjourns()
	if !f.MayHaveTables() {
		r.Tables = TableRules{}
	} else if !f.DrawsTables() {
		r.Tables = TableRules{Sizes: r.Tables.Sizes, Preferred: r.Tables.Preferred, Short: r.Tables.Short}
	}
	return r
}

// bound returns the rules that cannot change after the start.
func (r PairingRules) bound() PairingRules {
	r.FullPointByes = false
	r.HalfPointByes = 0
	r.MissedRounds = ""
	r.HideReasons = false
	r.AdjournedDraw = false
	r.Tables = r.Tables.bound()
	r.Keizer = r.Keizer.bound()
	r.Arena = r.Arena.bound()
	return r
}

// Missed returns the bye of a late entry for a round that it missed.
func (r PairingRules) Missed() Bye {
	if r.MissedRounds == HalfPoint {
		return HalfPoint
	}
	return ZeroPoint
}

// check reports rules that do not exist, or that the format does not have.
func (r PairingRules) check(s Settings, faults *FieldErrors) {
	r.checkAcceleration(s, faults)
	if r.InitialColour != 0 && (!s.Format.DrawsColour() || r.InitialColour > Black || r.InitialColour < 0) {
		faults.Add("pairing/initial_colour", "only a %s or %s has an initial colour, and it is white or black", Swiss,
			Knockout)
	}
	if r.FullPointByes && !s.Format.PointByes() {
		faults.Add("pairing/full_point_byes", "only a %s or %s has byes on request", Swiss, TableSwiss)
	}
	if r.HalfPointByes != 0 && !s.Format.PointByes() {
		faults.Add("pairing/half_point_byes", "only a %s or %s has byes on request", Swiss, TableSwiss)
	}
	if r.HalfPointByes < NoHalfPointByes || r.HalfPointByes > maxRounds {
		faults.Add("pairing/half_point_byes", "%d is not a number of byes; write a number from 0 to %d", r.HalfPointByes,
			maxRounds)
	}
	if r.Varma && !s.Format.RoundRobin() {
		faults.Add("pairing/varma", "the Varma tables are only for a %s or %s", RoundRobin, DoubleRoundRobin)
	}
	if r.AdjournedDraw && !s.Format.Adjourns() {
		faults.Add("pairing/adjourned", "in a %s the next round has to wait for every game", s.Format)
	}
	if m := r.MissedRounds; m != NoBye && m != ZeroPoint && m != HalfPoint || m != NoBye && !s.Format.PointByes() {
		faults.Add("pairing/missed_rounds",
			"only late entries of a %s or %s get a bye for each round they missed, and it is ZPB or HPB", Swiss, TableSwiss)
	}
}

func (r PairingRules) checkAcceleration(s Settings, faults *FieldErrors) {
	switch {
	case r.Acceleration != NoAcceleration && r.Acceleration != Baku:
		faults.Add("pairing/acceleration", "%q is not an acceleration; write none or baku", r.Acceleration)
	case r.Acceleration == Baku && !s.Format.Accelerates():
		faults.Add("pairing/acceleration", "only a %s can be accelerated, and this is a %s", Swiss, s.Format)
	case r.Acceleration == Baku && s.Teams != nil && s.Teams.Rank() != MP:
		faults.Add("pairing/acceleration", "baku needs match points as the primary score (teams.primary)")
	case r.Acceleration == Baku && s.Teams == nil && (s.Points.Win != 2*s.Points.Draw || s.Points.Loss != 0):
		faults.Add("pairing/acceleration", "with baku a win must be worth two draws, and a loss nothing (C.04.7); here a "+
			"win, a draw and a loss are worth %s, %s and %s", s.Points.Win, s.Points.Draw, s.Points.Loss)
	}
}

// DrawColour returns the initial colour by lot: the last bit of the first byte of the SHA-256 of "initial colour " and
// the seed.
func DrawColour(seed string) Colour {
	if sha256.Sum256([]byte("initial colour " + seed))[0]&1 == 1 {
		return Black
	}
	return White
}

// GroupASize returns the size of group A of the Baku Acceleration in a field of this size (C.04.7).
func GroupASize(entries int) int { return 2 * ((entries + 3) / 4) }

// lastOfA returns the id of the last entry of group A. Entries with a bye in round 1 are not counted, since they have
// no number before they arrive; if every entry has a bye, all are counted.
func (t *Tournament) lastOfA() string {
	list := slices.DeleteFunc(t.Numbered(), func(e Entry) bool { return e.Away(1) != NoBye })
	if len(list) == 0 {
		list = t.Numbered()
	}
	return list[min(GroupASize(len(list)), len(list))-1].ID
}

// GroupA returns the number of entries, from the first, that are accelerated: 0 without acceleration. Late entries may
// enlarge the group, since its last entry stays the same (C.04.7).
func (t *Tournament) GroupA() int {
	if t.LastOfA == "" {
		return 0
	}
	last, _ := t.Entry(t.LastOfA)
	return last.Number
}

// Lots returns the places of entries in the drawing of lots: the order of the SHA-256 of seed and entry id. With the
// seed anyone can repeat it; it cannot be predicted before the seed is stored at the start.
func Lots(seed string, ids []string) []int {
	drawn := make([][sha256.Size]byte, len(ids))
	order := make([]int, len(ids))
	for i, id := range ids {
		drawn[i] = sha256.Sum256([]byte("lots\x00" + seed + "\x00" + id))
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return bytes.Compare(drawn[x][:], drawn[y][:]) })
	place := make([]int, len(ids))
	for i, page := range order {
		place[page] = i + 1
	}
	return place
}
