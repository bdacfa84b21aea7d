package forms

import (
	"net/url"
	"slices"
	"strings"

	"quatuor/api/pages/kit"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/tournament"
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
