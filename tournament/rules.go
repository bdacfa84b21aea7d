package tournament

import "crypto/sha256"

// PairingRules are what the regulations say of pairings beyond the format. The zero value is a plain tournament.
type PairingRules struct {
	Acceleration  Acceleration // Swiss only
	InitialColour Colour       // drawn in the hall; 0 has it drawn from the tournament's seed at the start
	FullPointByes bool         // full-point byes may be given on request

	// HalfPointByes is how many half-point byes an entry may have: 0 for the usual one, [NoHalfPointByes] for none.
	HalfPointByes int `json:",omitempty"`

	MissedRounds  Bye        // what a late entry gets for each round it missed: ZPB ("" too) or HPB
	Match         MatchRules // knock-outs only
	Varma         bool       // round-robins: numbers are drawn so that those of one club meet early (C.05, Varma tables)
	HideReasons   bool       // why boards are paired as they are is for those who run the tournament alone
	AdjournedDraw bool       // no round waits for an adjourned game: for pairings alone it is a draw until it is over (C.04.2)
}

// Acceleration says how virtual points bring strong entries together early.
type Acceleration string

// The accelerations.
const (
	NoAcceleration Acceleration = ""
	Baku           Acceleration = "baku" // FIDE Handbook C.04.7
)

// Arrivals reports whether entries may still come after the start, and whether they may be away for single rounds on
// request: in formats whose pairings follow the results, and in which nobody is out before the end.
func (f Format) Arrivals() bool { return f == Swiss || f == TableSwiss }

// drawsColour reports whether a lot says at the start who is White first.
func (f Format) drawsColour() bool { return f == Swiss || f == Knockout }

// NoHalfPointByes is for regulations that know no half-point byes.
const NoHalfPointByes = -1

// MaxHalfPointByes is how many half-point byes an entry may have. Those that a late entry gets for rounds that it missed
// are not among them.
func (r PairingRules) MaxHalfPointByes() int {
	switch r.HalfPointByes {
	case 0:
		return 1
	case NoHalfPointByes:
		return 0
	}
	return r.HalfPointByes
}

// bound returns the rules that cannot change after the start.
func (r PairingRules) bound() PairingRules {
	r.FullPointByes, r.HalfPointByes, r.MissedRounds, r.HideReasons, r.AdjournedDraw = false, 0, "", false, false
	return r
}

// missed is the bye for a round before a late entry came.
func (r PairingRules) missed() Bye {
	if r.MissedRounds == HalfPoint {
		return HalfPoint
	}
	return ZeroPoint
}

// check finds fault with rules that do not exist, or that the format knows nothing of.
func (r PairingRules) check(s Settings, faults *FieldErrors) {
	switch {
	case r.Acceleration != NoAcceleration && r.Acceleration != Baku:
		faults.add("pairing/acceleration", "%q is no acceleration; none and baku are", r.Acceleration)
	case r.Acceleration == Baku && s.Format != Swiss:
		faults.add("pairing/acceleration", "only a %s is accelerated, and this is a %s", Swiss, s.Format)
	case r.Acceleration == Baku && (s.Points.Win != 2*s.Points.Draw || s.Points.Loss != 0):
		faults.add("pairing/acceleration", "baku needs a win to be worth two draws and a loss nothing (C.04.7); here they are worth %s, %s and %s",
			s.Points.Win, s.Points.Draw, s.Points.Loss)
	}
	if r.InitialColour != 0 && (!s.Format.drawsColour() || r.InitialColour > Black || r.InitialColour < 0) {
		faults.add("pairing/initial_colour", "a %s or %s has an initial colour, white or black; no other format has one", Swiss, Knockout)
	}
	if r.FullPointByes && !s.Format.Arrivals() {
		faults.add("pairing/full_point_byes", "byes are asked for in a %s or %s only", Swiss, TableSwiss)
	}
	if r.HalfPointByes != 0 && !s.Format.Arrivals() {
		faults.add("pairing/half_point_byes", "byes are asked for in a %s or %s only", Swiss, TableSwiss)
	}
	if r.HalfPointByes < NoHalfPointByes || r.HalfPointByes > mostRounds {
		faults.add("pairing/half_point_byes", "%d is no number of byes; it must lie between 0 and %d", r.HalfPointByes, mostRounds)
	}
	if r.Varma && s.Format.Cycles() == 0 {
		faults.add("pairing/varma", "clubs are kept apart by the Varma tables in a %s or %s only", RoundRobin, DoubleRoundRobin)
	}
	if r.AdjournedDraw && s.Format != Swiss && s.Format.Cycles() == 0 {
		faults.add("pairing/adjourned", "in a %s the next round waits for every game", s.Format)
	}
	if m := r.MissedRounds; m != NoBye && m != ZeroPoint && m != HalfPoint || m != NoBye && !s.Format.Arrivals() {
		faults.add("pairing/missed_rounds", "a late entry to a %s or %s may get ZPB or HPB for each round it missed", Swiss, TableSwiss)
	}
}

// drawColour draws the initial colour: the last bit of the first byte of the SHA-256 of "initial colour " and the seed.
func drawColour(seed string) Colour {
	if sha256.Sum256([]byte("initial colour " + seed))[0]&1 == 1 {
		return Black
	}
	return White
}

// groupA is how many entries of a field the Baku Acceleration puts into its upper group.
func groupA(field int) int { return 2 * ((field + 3) / 4) }

// GroupA is how many of the numbered entries, from the first, are accelerated: 0 without acceleration. Late entries may
// make the group larger, since its last entry stays the same (C.04.7).
func (t *Tournament) GroupA() int {
	if t.LastOfA == "" {
		return 0
	}
	last, _ := t.Entry(t.LastOfA)
	return last.Number
}
