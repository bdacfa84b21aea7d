package seasons

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/lobby"
	"quatuor/engine/catalog"
	"quatuor/tournament"
)

// form is the data of the form of a series, a season, a ladder or a league.
type form struct {
	ID    string // "" to create
	Seen  string // the version that the form builds on
	Key   string // makes creation idempotent
	Typed map[string]string
	Alert *forms.Alert

	Choices  []choice // tournaments or parts that can count
	Lists    []string // the members of each division, a line each
	Variants []string
	Controls []string
	Formats  []tournament.Format
}

// choice is a tournament or a part that can count.
type choice struct {
	Key    string
	Kind   string // of a part
	Name   string
	At     int64 // ms UTC; 0 where it is not shown
	Counts bool
	Factor string
}

// offer adds a choice; what the form has of it already stays.
func (f *form) offer(c choice) {
	i := slices.IndexFunc(f.Choices, func(known choice) bool { return known.Key == c.Key })
	if i < 0 {
		c.Factor = "1"
		f.Choices = append(f.Choices, c)
		return
	}
	known := &f.Choices[i]
	known.Name, known.At = c.Name, c.At
}

// choices reads the choices of a form: their keys are the values of a field.
func choices(typed url.Values, field, factor string) (list []choice) {
	for _, key := range typed[field] {
		list = append(list, choice{
			Key: key, Name: key, Counts: slices.Contains(typed["counts"], key), Factor: typed.Get(factor + key),
		})
	}
	return list
}

// weight returns the factor of a choice as the API takes it.
func (c choice) weight() *string {
	return new(strings.ReplaceAll(cmp.Or(strings.TrimSpace(c.Factor), "1"), ",", "."))
}

// field is a field of a form, and the part of a request to the API that it sets.
type field[P any] struct {
	name  string
	usual string // the value before anything is typed
	read  func(into *P, typed string) error
}

// text is a field of words.
func text[P any, S ~string](name, usual string, set func(*P, *S)) field[P] {
	return field[P]{name, usual, func(into *P, typed string) error {
		set(into, new(S(typed)))
		return nil
	}}
}

// tick is a box.
func tick[P any](name, usual string, set func(*P, *bool)) field[P] {
	return field[P]{name, usual, func(into *P, typed string) error {
		set(into, new(typed != ""))
		return nil
	}}
}

// number is a field of a whole number.
func number[P any](name, usual string, set func(*P, *int)) field[P] {
	return field[P]{name, usual, func(into *P, typed string) error {
		value, err := forms.Number(typed, name)
		set(into, whole(value))
		return err
	}}
}

// decimals is a field of numbers with blanks between them.
func decimals[P any](name string, set func(*P, *[]string)) field[P] {
	return field[P]{name, "", func(into *P, typed string) error {
		set(into, new(strings.Fields(strings.ReplaceAll(typed, ",", "."))))
		return nil
	}}
}

// within returns fields of a part of a request.
func within[P, Q any](part func(*P) *Q, fields []field[Q]) (list []field[P]) {
	for _, f := range fields {
		list = append(list, field[P]{f.name, f.usual, func(into *P, typed string) error { return f.read(part(into), typed) }})
	}
	return list
}

// whole returns a typed number as an integer; fractions become -1, which is refused.
func whole(n float64) *int {
	v := int(n)
	if float64(v) != n {
		v = -1
	}
	return &v
}

// read reads fields into a request, and returns the typed texts. The error has the faults of all fields.
func read[P any](fields []field[P], typed url.Values, into *P) (map[string]string, error) {
	texts := map[string]string{}
	var faults tournament.FieldErrors
	for _, f := range fields {
		texts[f.name] = strings.TrimSpace(typed.Get(f.name))
		var fault tournament.FieldErrors
		err := f.read(into, texts[f.name])
		if err != nil && !errors.As(err, &fault) {
			return texts, err
		}
		faults = append(faults, fault...)
	}
	if len(faults) > 0 {
		return texts, faults
	}
	return texts, nil
}

// sheet is the form of a kind of thing that is kept by version: T, which requests P of the API make and change.
type sheet[T, P any] struct {
	kept   command.Kept[T]
	page   string // the template
	fields []field[P]
	choice string                                                // the field of the choices' keys; "" for none
	factor string                                                // the field of a choice's factor, before its key
	rest   func(p *Pages, c echo.Context, f form, into *P) error // reads choices and lists
	offer  func(p *Pages, c echo.Context, f *form) error         // adds the choices
	fresh  func(p *Pages) T                                      // the value of an empty form
	show   func(p *Pages, c echo.Context, value T) form          // nil for the usual fields
	apply  func(p *Pages, value *T, sent P) error
	load   func(p *Pages, c echo.Context) (value T, organiser string, err error) // nil if there is no form for changes
	path   func(T) string
	list   string                                              // the path after a deletion
	refuse func(p *Pages, c echo.Context, refusal error) error // answers a deletion that is refused; nil for an error page
}

// mount adds the pages and the forms below a path.
func (s sheet[T, P]) mount(p *Pages, e *echo.Echo, at string) {
	p.Get(e, at+"/new", func(c echo.Context) error { return s.blank(p, c) })
	p.Post(e, at+"/new", command.OnNothing, func(c echo.Context) error { return s.save(p, c) })
	if s.load != nil {
		p.Get(e, at+"/:id/edit", func(c echo.Context) error { return s.edit(p, c) })
		p.Post(e, at+"/:id/edit", command.OnNothing, func(c echo.Context) error { return s.save(p, c) })
	}
	p.Post(e, at+"/:id/delete", command.OnNothing, func(c echo.Context) error {
		err := s.kept.Delete(c.Request().Context(), p.Commands, onForm(c))
		switch {
		case err == nil:
			return p.Back(c, s.list, s.kept.Name+"_deleted")
		case s.refuse != nil:
			return s.refuse(p, c, err)
		}
		return err
	})
}

// blank answers with the form for creation.
func (s sheet[T, P]) blank(p *Pages, c echo.Context) error {
	if ok, err := p.mayCreate(c); !ok {
		return err
	}
	f := form{Typed: map[string]string{}, Lists: make([]string, 3)}
	for _, field := range s.fields {
		f.Typed[field.name] = field.usual
	}
	if s.show != nil {
		f = s.show(p, c, s.fresh(p))
	}
	f.Seen, f.Key = command.VersionTag(s.kept.Version(s.fresh(p))), uuid.NewString()
	return s.answer(p, c, http.StatusOK, f)
}

// edit answers with the form of a stored value.
func (s sheet[T, P]) edit(p *Pages, c echo.Context) error {
	value, organiser, err := s.load(p, c)
	if err != nil {
		return err
	}
	if !command.Runs(auth.Session(c), organiser) {
		return echo.NewHTTPError(http.StatusForbidden)
	}
	f := s.show(p, c, value)
	f.ID, f.Seen = c.Param("id"), command.VersionTag(s.kept.Version(value))
	return s.answer(p, c, http.StatusOK, f)
}

func (s sheet[T, P]) answer(p *Pages, c echo.Context, status int, f form) error {
	if err := s.offer(p, c, &f); err != nil {
		return err
	}
	return p.Answer(c, status, s.page, kit.Frame{Section: "tournaments", Body: f})
}

// save stores what a form makes or changes, or answers with the form and the refusal.
func (s sheet[T, P]) save(p *Pages, c echo.Context) error {
	typed, err := c.FormParams()
	if err != nil {
		return kit.ErrUnreadable
	}
	f := form{
		ID: c.Param("id"), Seen: typed.Get("seen"), Key: typed.Get("key"),
		Choices: choices(typed, s.choice, s.factor), Lists: slices.Clone(typed["division"]),
	}
	var sent P
	f.Typed, err = read(s.fields, typed, &sent)
	if err == nil {
		err = s.rest(p, c, f, &sent)
	}
	var value T
	if err == nil {
		value, err = s.store(p, c, f, sent)
	}
	if err == nil {
		return p.Back(c, s.path(value), "saved")
	}
	status, alert, err := p.alertOf(c, err)
	if err != nil {
		return err
	}
	f.Alert = alert
	return s.answer(p, c, status, f)
}

// store changes what a form names or makes it, once however often the form is sent.
func (s sheet[T, P]) store(p *Pages, c echo.Context, f form, sent P) (value T, err error) {
	ctx := c.Request().Context()
	if f.ID != "" {
		on := command.On{ID: f.ID, Seen: &f.Seen}
		return s.kept.Update(ctx, p.Commands, on, func(value *T) error { return s.apply(p, value, sent) })
	}
	id, err := kit.FormID(c, s.kept.Name, f.Key)
	if err != nil {
		return value, err
	}
	value = s.fresh(p)
	if err := s.apply(p, &value, sent); err != nil {
		return value, err
	}
	return s.kept.Create(ctx, p.Commands, id, value)
}

// decimal returns a number as readers write it.
func (p *Pages) decimal(c echo.Context, number string) string {
	return strings.ReplaceAll(number, ".", p.Reader(c).DecimalSign())
}

// offerDuels adds the games of two, and time controls for them.
func (p *Pages) offerDuels(f *form) {
	f.Controls = lobby.ChallengeControls
	for _, rules := range catalog.All() {
		if info := rules.Info(); info.Seats[0] == 2 && p.Commands.Offer.Has(info.ID) {
			f.Variants = append(f.Variants, info.ID)
		}
	}
}
