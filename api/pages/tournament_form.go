package pages

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/tournament"
)

// controls are the time controls that a form offers; another one can be written.
var controls = []string{"none", "180+2", "300+3", "600+5", "900+10", "1800+30"}

// formats are the formats that a form offers.
var formats = []tournament.Format{tournament.Swiss, tournament.RoundRobin, tournament.DoubleRoundRobin, tournament.Knockout}

// tournamentForm is a tournament's settings as a form shows them.
type tournamentForm struct {
	tournament.Settings
	Typed url.Values // what stood in a form that was not carried out
	Zone  *time.Location
	Fixed bool // the tournament has started: only some settings can change

	Games []gameChoice
}

// gameChoice is a variant with its own options.
type gameChoice struct {
	ID, Name string
	Options  []engine.Option
}

func (p *Pages) tournamentForm(s tournament.Settings, typed url.Values) tournamentForm {
	f := tournamentForm{Settings: s, Typed: typed, Zone: p.zone()}
	for _, rules := range catalog.All() {
		info := rules.Info()
		if info.Seats[0] == 2 || info.Sides == 2 {
			if p.Variants == nil || slices.Contains(p.Variants, info.ID) {
				f.Games = append(f.Games, gameChoice{info.ID, info.Name, info.Options})
			}
		}
	}
	return f
}

// Field returns what a field of the form shows.
func (f tournamentForm) Field(name string) string {
	if f.Typed.Has(name) {
		return f.Typed.Get(name)
	}
	return f.usual(name)
}

// Ticked reports whether a box of the form is ticked. Boxes that are not ticked are not sent, so the form says that it was.
func (f tournamentForm) Ticked(name string) bool {
	if f.Typed.Has("sent") {
		return f.Typed.Get(name) != ""
	}
	return f.usual(name) != ""
}

func (f tournamentForm) usual(name string) string {
	s := f.Settings
	tick := func(on bool) string {
		if on {
			return "1"
		}
		return ""
	}
	count := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	values := map[string]func() string{
		"name": func() string { return s.Name }, "variant": func() string { return s.Variant }, "venue": func() string { return string(s.Venue) },
		"format": func() string { return string(s.Format) }, "control": func() string { return s.TimeControl }, "rated": func() string { return tick(s.Rated) },
		"rounds": func() string { return count(s.RoundCount) }, "tie_breaks": func() string { return strings.Join(s.TieBreaks, ", ") },
		"win": s.Points.Win.String, "draw": s.Points.Draw.String, "loss": s.Points.Loss.String, "bye": s.Points.Bye.String,
		"forfeit_win": s.Points.ForfeitWin.String, "forfeit_loss": s.Points.ForfeitLoss.String,
		"acceleration": func() string { return tick(s.Rules.Acceleration == tournament.Baku) },
		"full_byes":    func() string { return tick(s.Rules.FullPointByes) }, "half_byes": func() string { return strconv.Itoa(s.Rules.MaxHalfPointByes()) },
		"missed":    func() string { return tick(s.Rules.MissedRounds == tournament.HalfPoint) },
		"reasons":   func() string { return tick(s.Rules.HideReasons) },
		"adjourned": func() string { return tick(s.Rules.AdjournedDraw) }, "varma": func() string { return tick(s.Rules.Varma) },
		"third": func() string { return tick(s.Rules.Match.ThirdPlace) }, "auto": func() string { return tick(s.AutoRounds) },
		"takebacks": func() string { return tick(s.Play.Takebacks) }, "no_show": func() string { return count(int(s.Play.NoShowMs / 60_000)) },
		"no_shows": func() string { return count(s.Play.NoShows) }, "delay_moves": func() string { return count(s.Play.DelayMoves) },
		"delay": func() string { return count(int(s.Play.DelayMs / 60_000)) },
		"starts": func() string {
			if s.StartsAt == 0 {
				return ""
			}
			return time.UnixMilli(s.StartsAt).In(f.Zone).Format("2006-01-02T15:04")
		},
	}
	if value, ok := values[name]; ok {
		return value()
	}
	if variant, key, ok := strings.Cut(strings.TrimPrefix(name, "opt:"), ":"); ok && variant == s.Variant {
		return s.Options[key]
	}
	return ""
}

// Controls are the time controls to choose from, with the present one.
func (f tournamentForm) Controls() []string {
	if now := f.Field("control"); now != "" && !slices.Contains(controls, now) {
		if _, err := readControl(now); err == nil { // what cannot be read is refused, and not offered again
			return append(slices.Clone(controls), now)
		}
	}
	return controls
}

// Formats are the formats to choose from.
func (f tournamentForm) Formats() []tournament.Format { return formats }

// read puts what a form sent into the settings. What stands in fields that the form does not have stays.
func (f tournamentForm) read(form url.Values) (tournament.Settings, error) {
	s := f.Settings
	s.Options = maps.Clone(s.Options)
	var faults tournament.FieldErrors
	fault := func(field, format string, args ...any) {
		faults = append(faults, tournament.FieldError{Field: field, Detail: fmt.Sprintf(format, args...)})
	}
	whole := func(name string, most int) int {
		text := strings.TrimSpace(form.Get(name))
		if text == "" {
			return 0
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > most {
			fault(name, "%q is not possible; write a whole number from 0 to %d", text, most)
		}
		return n
	}
	points := func(name string, usual tournament.Points) tournament.Points {
		if !form.Has(name) {
			return usual
		}
		value, err := number(form.Get(name), name)
		tenths := math.Round(value * 10)
		if err != nil || math.Abs(value*10-tenths) > 1e-6 || math.Abs(tenths) > 10_000 {
			fault(name, "%q is not a number of points with one decimal at most", form.Get(name))
			return usual
		}
		return tournament.Points(tenths)
	}
	s.Name, s.TieBreaks = form.Get("name"), f.tieBreaks(form)
	s.AutoRounds, s.Play.Takebacks = form.Get("auto") != "", form.Get("takebacks") != ""
	s.Play.NoShowMs, s.Play.NoShows = int64(whole("no_show", 43_200))*60_000, whole("no_shows", 100)
	s.Play.DelayMoves, s.Play.DelayMs = whole("delay_moves", 100), int64(whole("delay", 1440))*60_000
	s.Rules.HideReasons = form.Get("reasons") != ""
	if s.Format.Arrivals() || !f.Fixed && tournament.Format(form.Get("format")).Arrivals() {
		f.readByes(&s.Rules, form, whole)
	}
	if !f.Fixed {
		s.Variant, s.Venue, s.Rated = form.Get("variant"), tournament.Venue(form.Get("venue")), form.Get("rated") != ""
		if format := tournament.Format(form.Get("format")); format != s.Format {
			s.Format, s.Rules.Match = format, tournament.DefaultKnockoutRules(format)
		}
		f.readRules(&s, form)
		s.RoundCount = whole("rounds", 200)
		s.TimeControl = strings.TrimSpace(form.Get("control"))
		if other := strings.TrimSpace(form.Get("other_control")); other != "" {
			s.TimeControl = other
		}
		s.Points = tournament.PointSystem{
			Win: points("win", s.Points.Win), Draw: points("draw", s.Points.Draw), Loss: points("loss", s.Points.Loss),
			ForfeitWin: points("forfeit_win", s.Points.ForfeitWin), ForfeitLoss: points("forfeit_loss", s.Points.ForfeitLoss), Bye: points("bye", s.Points.Bye),
		}
		f.readOptions(&s, form)
		s.StartsAt = 0
		if text := form.Get("starts"); text != "" {
			at, err := time.ParseInLocation("2006-01-02T15:04", text, f.Zone)
			if err != nil {
				fault("starts", "%q is not a time; write it like 2026-03-01T18:30", text)
			}
			s.StartsAt = at.UnixMilli()
		}
	}
	if len(faults) > 0 {
		return s, faults
	}
	return s, nil
}

func (f tournamentForm) tieBreaks(form url.Values) []string {
	codes := strings.FieldsFunc(form.Get("tie_breaks"), func(c rune) bool { return c == ',' || c == ' ' || c == ';' })
	if len(codes) == 0 && !f.Fixed || !f.Fixed && form.Get("format") != string(f.Format) && form.Get("tie_breaks") == strings.Join(f.TieBreaks, ", ") {
		return nil // those that are usual in the format
	}
	return append([]string{}, codes...)
}

func (f tournamentForm) readByes(r *tournament.PairingRules, form url.Values, whole func(string, int) int) {
	r.FullPointByes, r.MissedRounds = form.Get("full_byes") != "", tournament.NoBye
	if form.Get("missed") != "" {
		r.MissedRounds = tournament.HalfPoint
	}
	if !form.Has("half_byes") {
		return
	}
	switch n := whole("half_byes", 200); n {
	case 0:
		r.HalfPointByes = tournament.NoHalfPointByes
	case 1:
		r.HalfPointByes = 0
	default:
		r.HalfPointByes = n
	}
}

// readRules reads the rules of pairing that the format has; others are those without a choice.
func (f tournamentForm) readRules(s *tournament.Settings, form url.Values) {
	r := &s.Rules
	r.Acceleration = tournament.NoAcceleration
	if s.Format == tournament.Swiss && form.Get("acceleration") != "" {
		r.Acceleration = tournament.Baku
	}
	r.AdjournedDraw = (s.Format == tournament.Swiss || s.Format.Cycles() > 0) && form.Get("adjourned") != ""
	r.Varma = s.Format.Cycles() > 0 && form.Get("varma") != ""
	if s.Format == tournament.Knockout {
		r.Match.ThirdPlace = form.Get("third") != ""
	}
	if !s.Format.Arrivals() {
		r.FullPointByes, r.HalfPointByes, r.MissedRounds = false, 0, tournament.NoBye
	}
	if s.Format != tournament.Swiss && s.Format != tournament.Knockout {
		r.InitialColour = 0
	}
}

// readOptions reads the options of the chosen game. Options that the form does not show stay as long as the game does.
func (f tournamentForm) readOptions(s *tournament.Settings, form url.Values) {
	if s.Variant != f.Variant {
		s.Options = nil
	}
	for _, game := range f.Games {
		if game.ID != s.Variant {
			continue
		}
		for _, option := range game.Options {
			if value := form.Get("opt:" + game.ID + ":" + option.Key); value != "" {
				if s.Options == nil {
					s.Options = map[string]string{}
				}
				s.Options[option.Key] = value
			}
		}
	}
}

// hint advises on the format for so many players and hours.
type hint struct {
	Players, Hours string // as they were typed
	Format         tournament.Format
	Rounds         int
	Each           int // minutes that a round takes, with a break
	Whole          int // minutes of all rounds
	Tight          bool
}

// advise returns a hint; nil if the numbers are not there.
func advise(players, hours, control string) *hint {
	n, err := strconv.Atoi(strings.TrimSpace(players))
	h, err2 := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(hours), ",", "."), 64)
	if err != nil || err2 != nil || n < 2 || n > 10_000 || !(h > 0 && h <= 1000) {
		return nil
	}
	out := &hint{Players: players, Hours: hours, Each: roundMinutes(control)}
	fit := int(h * 60 / float64(out.Each))
	all := n - 1 + n%2
	least := bits.Len(uint(n - 1)) // one perfect score at most
	switch {
	case all <= fit && n <= 8 && 2*all <= fit && n <= 4:
		out.Format, out.Rounds = tournament.DoubleRoundRobin, 2*all
	case all <= fit && n <= 8:
		out.Format, out.Rounds = tournament.RoundRobin, all
	case fit < least:
		out.Format, out.Rounds, out.Tight = tournament.Swiss, max(1, min(least, all)), true
	default:
		out.Format, out.Rounds = tournament.Swiss, min(fit, least+2, all)
	}
	out.Whole = out.Rounds * out.Each
	return out
}

// roundMinutes estimates how long a round takes: two clocks with 30 moves each, and five minutes between rounds; half an
// hour without a clock.
func roundMinutes(control string) int {
	parts, err := readControl(control)
	if err != nil || len(parts) == 0 || parts[0].Days > 0 {
		return 30
	}
	seconds := 0.0
	for _, part := range parts {
		seconds += 2 * (part.Base + 30*part.Extra)
	}
	return int(math.Ceil(seconds/60)) + 5
}
