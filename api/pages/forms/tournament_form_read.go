package forms

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quatuor/api/command"
	"quatuor/api/contract"
	"quatuor/api/gen"
	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// settingReader reads a form for a tournament's settings, and collects its faults.
type settingReader struct {
	FieldReader
	patch contract.Shape
	whole map[string]any // the settings, as far as they are read
	fixed bool           // the tournament has started
}

func (f TournamentForm) reader(form url.Values) *settingReader {
	return &settingReader{
		FieldReader: FieldReader{Form: f.picked(form)}, patch: patchShape(), whole: settingsObject(f.Settings), fixed: f.Fixed,
	}
}

// ChosenOptions returns the options of the form's game, for a form that is about nothing else.
func (f TournamentForm) ChosenOptions(form url.Values) map[string]string {
	in, chosen := f.reader(form), map[string]string{}
	for _, field := range gameFields(f.Games, f.Variant) {
		in.read(field, map[string]any{})
	}
	for key, value := range in.whole["options"].(map[string]any) {
		chosen[key] = showText(value)
	}
	return chosen
}

// Patch returns the changes of a form. A field with the text that it showed before changes nothing.
func (f TournamentForm) Patch(form url.Values) (patch gen.TournamentPatch, err error) {
	in := f.reader(form)
	sent := map[string]any{}
	for _, field := range f.fields {
		if !f.Fixed || field.late {
			in.read(field, sent)
		}
	}
	if !f.Fixed {
		if sent["variant"] != nil { // another game has other options
			in.whole["options"] = map[string]any{}
			sent["options"] = in.whole["options"]
		}
		for _, field := range gameFields(f.Games, showText(in.whole["variant"])) {
			in.read(field, sent)
		}
	}
	text, err := json.Marshal(sent)
	if err != nil {
		return patch, fmt.Errorf("a form's settings: %w", err)
	}
	if len(in.Faults) == 0 && len(sent) > 0 {
		in.hold(f, text)
	}
	if len(in.Faults) > 0 {
		return patch, in.Faults
	}
	return patch, json.Unmarshal(text, &patch)
}

// read puts the change of a field into the patch. The options of a game are sent together.
func (in *settingReader) read(f settingField, sent map[string]any) {
	if !f.as.tick && !in.Form.Has(f.name) || f.has != nil && !f.has(in.format()) {
		return
	}
	text, was := strings.TrimSpace(in.Form.Get(f.name)), memberAt(in.whole, f.path)
	if shown := f.as.show(was); text == shown || f.as.tick && text != "" && shown != "" {
		return
	}
	value := f.as.read(in, f, text, was)
	if reflect.DeepEqual(value, was) {
		return
	}
	setMember(in.whole, f.path, value)
	if strings.HasPrefix(f.path, "options/") {
		sent["options"] = in.whole["options"]
		return
	}
	setMember(sent, f.path, value)
}

// Named returns an error with faults that name the fields of the form, where the settings have other names.
func (f TournamentForm) Named(err error) error {
	var faults tournament.FieldErrors
	if !errors.As(err, &faults) {
		return err
	}
	faults = slices.Clone(faults)
	for i := range faults {
		faults[i].Field = f.fieldOf(faults[i].Field)
	}
	return faults
}

// fieldOf returns the name of the first field for a member of the contract or a part of it; path if there is none.
func (f TournamentForm) fieldOf(path string) string {
	for _, field := range f.fields {
		if path == field.path || strings.HasPrefix(path, field.path+"/") {
			return field.name
		}
	}
	return path
}

// hold validates the patch against the contract.
func (in *settingReader) hold(f TournamentForm, text []byte) {
	for _, fault := range in.patch.Check(text) {
		in.Refuse(f.fieldOf(strings.TrimPrefix(fault.Pointer, "/")), "this cannot be: %v", sentence.Fixed(fault.Detail))
	}
}

// format returns the format that the form chooses.
func (in *settingReader) format() tournament.Format {
	return tournament.Format(showText(in.whole["format"]))
}

// bounds returns the least and the greatest number that the contract takes for a field.
func (in *settingReader) bounds(f settingField) (from, to float64) {
	member, ok := in.patch.At(f.path)
	if !ok {
		panic("pages: the contract has no setting " + f.path)
	}
	return member.Bounds()
}

// within returns a whole number within the contract's bounds.
func (in *settingReader) within(f settingField, text string) any {
	_, most := in.bounds(f)
	return float64(in.Number(f.name, text, int(most)))
}

// points returns a number of points.
func (in *settingReader) points(name, text string) any {
	value, err := Number(text, name)
	tenths := math.Round(value * 10)
	if err != nil || math.Abs(value*10-tenths) > 1e-6 || tenths < 0 || tenths > 1000 {
		in.Refuse(name, "%q is not a number of points with one decimal at most", text)
	}
	return tenths / 10
}

// patchShape returns the contract's schema of a change of settings.
func patchShape() contract.Shape {
	c, err := contract.Load()
	if err != nil {
		panic(err) // the server does not start with it
	}
	shape, ok := c.Body(http.MethodPatch, "/tournaments/{tournament_id}")
	if !ok {
		panic("pages: the contract has no change of settings")
	}
	return shape
}

// settingsObject returns settings as the contract names them, those of every format.
func settingsObject(s tournament.Settings) (object map[string]any) {
	text, err := json.Marshal(command.SettingsView(s, true))
	if err == nil {
		err = json.Unmarshal(text, &object)
	}
	if err != nil {
		panic("pages: " + err.Error()) // plain values always encode
	}
	return object
}

// memberAt returns a member of an object, by the names on the way to it with slashes between; nil if there is none.
func memberAt(object map[string]any, path string) any {
	name, rest, deeper := strings.Cut(path, "/")
	if inner, ok := object[name].(map[string]any); ok && deeper {
		return memberAt(inner, rest)
	}
	if deeper {
		return nil
	}
	return object[name]
}

// setMember puts a member into an object; nil removes it.
func setMember(object map[string]any, path string, value any) {
	name, rest, deeper := strings.Cut(path, "/")
	switch {
	case deeper:
		inner, ok := object[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			object[name] = inner
		}
		setMember(inner, rest, value)
	case value == nil:
		delete(object, name)
	default:
		object[name] = value
	}
}

var (
	// minutesTyped is a time control as people write it: "7 min + 5 s", "90 min".
	minutesTyped = regexp.MustCompile(`^(\d+(?:[.,]\d+)?) ?min(?: ?\+ ?(\d+(?:[.,]\d+)?) ?s)?$`)
	// daysTyped are days for a move.
	daysTyped = regexp.MustCompile(`^(\d+) ?(?:days?|[Tt]age?|jours?)$`)
)

// ReadControl returns a time control in the contract's notation, which counts in seconds, from minutes and seconds, as
// in "7 min + 5 s", or days, as in "3 days". Other texts are returned unchanged: they are in that notation, or refused.
func ReadControl(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if m := daysTyped.FindStringSubmatch(text); m != nil {
		return m[1] + "days"
	}
	m := minutesTyped.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	minutes, err := Number(m[1], "control")
	extra, err2 := Number(m[2], "control")
	if err != nil || err2 != nil {
		return text
	}
	return showNumber(minutes*60) + "+" + showNumber(extra)
}
