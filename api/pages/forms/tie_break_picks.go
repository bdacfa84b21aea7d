package forms

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// The tie-breaks can be picked place by place. The picks count if they were changed and the list of codes was not.
const (
	pickField  = "tie_break_"       // with the number of the place
	picksShown = "tie_breaks_shown" // the picks as the form showed them
	morePicks  = 2                  // places beside those in use
	maxPicks   = 20                 // places that are read
)

// TieBreakOption is a tie-break to pick.
type TieBreakOption struct {
	Code      string
	Text      string            // of its name, below tie_breaks
	Modifiers []standings.Offer // with texts of the same kind
}

// picked returns a form with the picks in its list of codes.
func (f TournamentForm) picked(form url.Values) url.Values {
	if !form.Has(picksShown) {
		return form
	}
	form = maps.Clone(form)
	var places []string
	for i := range maxPicks {
		name := pickField + strconv.Itoa(i+1)
		places = append(places, form.Get(name))
		form.Del(name)
	}
	picks := joinCodes(places)
	if picks != form.Get(picksShown) && form.Get("tie_breaks") == f.usual("tie_breaks") {
		form.Set("tie_breaks", picks)
	}
	form.Del(picksShown)
	return form
}

// joinCodes returns a list of codes as the forms write it; empty places are left out.
func joinCodes(codes []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(codes), func(code string) bool { return code == "" }), ", ")
}

// chosenFormat is the format that the form shows.
func (f TournamentForm) chosenFormat() tournament.Format { return tournament.Format(f.Field("format")) }

// TieBreakPicks returns the code at each place, and some empty places.
func (f TournamentForm) TieBreakPicks() []string {
	codes := TieBreakCodes(f.Field("tie_breaks"))
	if len(codes) == 0 {
		codes = standings.Default(f.chosenFormat())
	}
	return append(codes, make([]string, morePicks)...)
}

// PicksShown returns the picks on display, for the form to be compared with.
func (f TournamentForm) PicksShown() string { return joinCodes(f.TieBreakPicks()) }

// TieBreakOptions returns the tie-breaks to pick from in the format: the usual, those that are chosen, and all others.
func (f TournamentForm) TieBreakOptions() (options []TieBreakOption) {
	format := f.chosenFormat()
	codes := slices.Concat(standings.Default(format), TieBreakCodes(f.Field("tie_breaks")))
	for _, offer := range standings.Offers(format) {
		codes = append(codes, offer.Code)
	}
	for i, code := range codes {
		offer, modifiers, known := standings.Describe(format, code)
		if known && !slices.Contains(codes[:i], code) {
			options = append(options, TieBreakOption{code, offer.Text, modifiers})
		}
	}
	return options
}
