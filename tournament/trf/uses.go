package trf

import "slices"

// Use is the treatment of all lines of a kind.
type Use struct {
	Code      string // "" for kinds beyond the first [maxUses]
	Treatment Treatment
	Lines     int // number of lines
	First     int // the first of them, from 1
}

// Treatment is the way a line is used.
type Treatment string

// The treatments.
const (
	Followed Treatment = "followed" // it shapes the tournament
	Kept     Treatment = "kept"     // it has no meaning here and is written back
	Counted  Treatment = "counted"  // it is left out and recomputed when a report is written
)

// maxUses is the greatest number of distinct kinds of lines.
const maxUses = 100

// keptCodes are the known lines that shape nothing.
var keptCodes = []string{"022", "032", "072", "082", "102", "112", "122", "132", "182"}

// use counts a line that was read; unknown if it has no meaning here.
func (r *Report) use(number int, line string, unknown bool) {
	u := Use{Code: line[:min(3, len(line))], Treatment: Followed, Lines: 1, First: number}
	switch {
	case unknown || slices.Contains(keptCodes, u.Code):
		u.Treatment = Kept
	case u.Code == "062":
		u.Treatment = Counted
	}
	same := func(o Use) bool { return o.Code == u.Code && o.Treatment == u.Treatment }
	i := slices.IndexFunc(r.Uses, same)
	if i < 0 && len(r.Uses) >= maxUses {
		u.Code = ""
		i = slices.IndexFunc(r.Uses, same)
	}
	if i >= 0 {
		r.Uses[i].Lines++
		return
	}
	r.Uses = append(r.Uses, u)
}
