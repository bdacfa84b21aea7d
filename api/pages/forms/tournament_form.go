package forms

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quatuor/api/pages/kit"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// controls are the time controls that a form offers; others can be written.
var controls = []string{"none", "180+2", "300+3", "600+5", "900+10", "1800+30"}

// tieBreakControls are the time controls that a form offers for tie-break games; others can be written.
var tieBreakControls = []string{"60+1", "180+2", "300+3"}

// TournamentForm is a tournament's settings as a form shows them.
type TournamentForm struct {
	tournament.Settings
	Typed url.Values // input of a form that was refused
	Fixed bool       // the tournament has started: only some settings can change

	Games  []gameChoice
	fields []settingField
	whole  map[string]any // the settings, as the contract names them
}

// gameChoice is a variant with its own options.
type gameChoice struct {
	ID, Name string
	Options  []engine.Option
}

// New returns the form of settings, with the input of a refused form; nil for none.
func New(k *kit.Kit, s tournament.Settings, typed url.Values) TournamentForm {
	f := TournamentForm{Settings: s, fields: settingFields(k.Zone()), whole: settingsObject(s)}
	for _, rules := range catalog.All() {
		info := rules.Info()
		if k.Variants == nil || slices.Contains(k.Variants, info.ID) {
			f.Games = append(f.Games, gameChoice{info.ID, info.Name, info.Options})
		}
	}
	f.Typed = f.picked(typed)
	return f
}

// Field returns the text of a field of the form.
func (f TournamentForm) Field(name string) string {
	if f.Typed.Has(name) {
		return f.Typed.Get(name)
	}
	return f.usual(name)
}

// For lists the formats that have a setting, so that the page's script shows only the fitting fields; "" for all of
// them.
func (f TournamentForm) For(name string) string {
	i := slices.IndexFunc(f.fields, func(field settingField) bool { return field.name == name })
	if i < 0 || f.fields[i].has == nil {
		return ""
	}
	var having []string
	for _, format := range f.Formats() {
		if f.fields[i].has(format) {
			having = append(having, string(format))
		}
	}
	return strings.Join(having, " ")
}

// Ticked reports whether a box of the form is ticked. Boxes that are not ticked are not sent: once the form was sent, a
// missing box is off.
func (f TournamentForm) Ticked(name string) bool {
	if f.Typed.Has("sent") {
		return f.Typed.Get(name) != ""
	}
	return f.usual(name) != ""
}

// usual returns the text of a field before anything is typed; "" for a field that is not of the settings.
func (f TournamentForm) usual(name string) string {
	for _, fields := range [][]settingField{f.fields, gameFields(f.Games, f.Variant)} {
		for _, field := range fields {
			if field.name == name {
				return field.as.show(memberAt(f.whole, field.path))
			}
		}
	}
	return ""
}

// Controls are the time controls to choose from, with the present control.
func (f TournamentForm) Controls() []string { return withPresent(controls, f.Field("control")) }

// TieBreakControls are the time controls to choose from for tie-break games, with the present control.
func (f TournamentForm) TieBreakControls() []string {
	return withPresent(tieBreakControls, f.Field("tie_break_control"))
}

// withPresent adds the present control to those on offer. An unreadable control is refused, and not offered again.
func withPresent(offered []string, now string) []string {
	if _, err := kit.ReadControl(now); err != nil || now == "" || slices.Contains(offered, now) {
		return offered
	}
	return append(slices.Clone(offered), now)
}

// Formats are the formats to choose from.
func (f TournamentForm) Formats() []tournament.Format { return tournament.FormatsWith(nil) }

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
