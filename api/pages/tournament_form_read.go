package pages

import (
	"maps"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"quatuor/tournament"
)

// read puts what a form sent into the settings. What stands in fields that the form does not have stays.
func (f tournamentForm) read(form url.Values) (tournament.Settings, error) {
	s := f.Settings
	s.Options = maps.Clone(s.Options)
	in := &fieldReader{form: form}
	s.Name, s.TieBreaks = form.Get("name"), f.tieBreaks(form)
	s.AutoRounds, s.Play.Takebacks = form.Get("auto") != "", form.Get("takebacks") != ""
	s.Play.Bots = form.Get("bots") != ""
	s.Play.NoShowMs, s.Play.NoShows = in.minutes("no_show", 43_200), in.whole("no_shows", 100)
	s.Play.DelayMoves, s.Play.DelayMs = in.whole("delay_moves", 100), in.minutes("delay", 1440)
	s.Rules.HideReasons = form.Get("reasons") != ""
	if venue := form.Get("venue"); venue != "" || !f.Fixed {
		s.Venue = tournament.Venue(venue)
	}
	if s.Format.Arrivals() || !f.Fixed && tournament.Format(form.Get("format")).Arrivals() {
		f.readByes(&s.Rules, form, in)
	}
	if !f.Fixed {
		f.readFixed(&s, form, in)
	}
	s.Rules.Tables.Short = s.Format.Tables() && form.Get("short") != ""
	s.Rules.AdjournedDraw = (s.Format == tournament.Swiss || s.Format.Cycles() > 0) && form.Get("adjourned") != ""
	if len(in.faults) > 0 {
		return s, in.faults
	}
	return s, nil
}

// readFixed reads what cannot change after the start.
func (f tournamentForm) readFixed(s *tournament.Settings, form url.Values, in *fieldReader) {
	s.Variant, s.Rated = form.Get("variant"), form.Get("rated") != ""
	if format := tournament.Format(form.Get("format")); format != s.Format {
		s.SetFormat(format)
	}
	f.readRules(s, form, in)
	s.RoundCount = in.whole("rounds", 200)
	s.TimeControl = strings.TrimSpace(form.Get("control"))
	if other := strings.TrimSpace(form.Get("other_control")); other != "" {
		s.TimeControl = other
	}
	was := f.Points
	s.Points = was.With(tournament.GivenPoints{
		Win: in.points("win", was.Win), Draw: in.points("draw", was.Draw), Loss: in.points("loss", was.Loss),
		ForfeitWin: in.points("forfeit_win", was.ForfeitWin), ForfeitLoss: in.points("forfeit_loss", was.ForfeitLoss), Bye: in.points("bye", was.Bye),
	})
	s.Points.Places = tournament.PlacePoints{}
	if was.Places = (tournament.PlacePoints{}); s.Format.Tables() != f.Format.Tables() && s.Points == was {
		s.Points = tournament.PointSystem{} // those that are usual in the format
	}
	f.readTables(s, form, in)
	f.readOptions(s, form)
	switch text := form.Get("starts"); text {
	case f.usual("starts"): // the form shows no seconds
	case "":
		s.StartsAt = 0
	default:
		at, err := time.ParseInLocation("2006-01-02T15:04", text, f.Zone)
		if err != nil {
			in.fault("starts", "%q is not a time; write it like 2026-03-01T18:30", text)
		}
		s.StartsAt = at.UnixMilli()
	}
}

// fieldReader reads the fields of a form and collects what is wrong with them.
type fieldReader struct {
	form   url.Values
	faults tournament.FieldErrors
}

func (r *fieldReader) fault(field, format string, args ...any) {
	r.faults = append(r.faults, tournament.Fault(field, format, args...)...)
}

// whole returns a whole number from 0 to most; 0 for an empty field.
func (r *fieldReader) whole(name string, most int) int {
	text := strings.TrimSpace(r.form.Get(name))
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		r.fault(name, "%q is not possible; write a whole number from 0 to %d", text, most)
	}
	return n
}

// minutes returns a time in milliseconds of a field with minutes, from 0 to most; 0 for an empty field.
func (r *fieldReader) minutes(name string, most float64) int64 {
	value, err := number(r.form.Get(name), name)
	if err != nil || value < 0 || value > most {
		r.fault(name, "%q is not possible; write a number of minutes from 0 to %g", r.form.Get(name), most)
		return 0
	}
	return int64(math.Round(value * 60_000))
}

// points returns a number of points; nil for a field that was not sent, or shows what it was.
func (r *fieldReader) points(name string, was tournament.Points) *tournament.Points {
	if !r.form.Has(name) || strings.TrimSpace(r.form.Get(name)) == was.String() {
		return nil
	}
	value, err := number(r.form.Get(name), name)
	tenths := math.Round(value * 10)
	if err != nil || math.Abs(value*10-tenths) > 1e-6 || math.Abs(tenths) > 10_000 {
		r.fault(name, "%q is not a number of points with one decimal at most", r.form.Get(name))
		return nil
	}
	points := tournament.Points(tenths)
	return &points
}

// tieBreakCodes reads codes with commas, semicolons or spaces between them.
func tieBreakCodes(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' || c == ';' })
}

func (f tournamentForm) tieBreaks(form url.Values) []string {
	codes := tieBreakCodes(form.Get("tie_breaks"))
	if len(codes) == 0 && !f.Fixed || !f.Fixed && form.Get("format") != string(f.Format) && form.Get("tie_breaks") == strings.Join(f.TieBreaks, ", ") {
		return nil // those that are usual in the format
	}
	return append([]string{}, codes...)
}

func (f tournamentForm) readByes(r *tournament.PairingRules, form url.Values, in *fieldReader) {
	r.FullPointByes, r.MissedRounds = form.Get("full_byes") != "", tournament.NoBye
	if form.Get("missed") != "" {
		r.MissedRounds = tournament.HalfPoint
	}
	if !form.Has("half_byes") {
		return
	}
	switch n := in.whole("half_byes", 200); n {
	case 0:
		r.HalfPointByes = tournament.NoHalfPointByes
	case 1:
		r.HalfPointByes = 0
	default:
		r.HalfPointByes = n
	}
}

// readRules reads the rules of pairing that the format has; others are those without a choice.
func (f tournamentForm) readRules(s *tournament.Settings, form url.Values, in *fieldReader) {
	r := &s.Rules
	r.Acceleration = tournament.NoAcceleration
	if s.Format == tournament.Swiss && form.Get("acceleration") != "" {
		r.Acceleration = tournament.Baku
	}
	r.Varma = s.Format.Cycles() > 0 && form.Get("varma") != ""
	if s.Format == tournament.Knockout {
		readMatch(&r.Match, form, in)
	}
	if !s.Format.Arrivals() {
		r.FullPointByes, r.HalfPointByes, r.MissedRounds = false, 0, tournament.NoBye
	}
	for colour, name := range colourNames {
		if form.Has("initial_colour") && form.Get("initial_colour") == name {
			r.InitialColour = colour
		}
	}
	if s.Format != tournament.Swiss && s.Format != tournament.Knockout {
		r.InitialColour = 0
	}
}

// readMatch reads the rules of a knock-out's matches.
func readMatch(m *tournament.KnockoutRules, form url.Values, in *fieldReader) {
	m.ThirdPlace = form.Get("third") != ""
	if form.Get("replays") != "" {
		m.Replays = in.whole("replays", 10)
	}
	if form.Get("tie_break_games") != "" {
		m.TieBreakGames = in.whole("tie_break_games", 10)
	}
	if form.Has("tie_break_control") {
		m.TieBreakControl = strings.TrimSpace(form.Get("tie_break_control"))
	}
	if form.Has("decision") {
		m.Decision = tournament.Decision(form.Get("decision"))
	}
}

// readOptions reads the options of the chosen game. Options that the form does not show stay as long as the game does.
func (f tournamentForm) readOptions(s *tournament.Settings, form url.Values) {
	if s.Variant != f.Variant {
		s.Options = nil
	}
	choose := func(key, value string) {
		if s.Options == nil {
			s.Options = map[string]string{}
		}
		s.Options[key] = value
	}
	for _, key := range []string{"repetition", "max_plies"} {
		if !form.Has(key) {
			continue
		}
		if value := strings.TrimSpace(form.Get(key)); value != "" {
			choose(key, value)
		} else {
			delete(s.Options, key)
		}
	}
	if form.Get("draws") != "" {
		choose("draws", drawsForbidden)
	} else if s.Options["draws"] == drawsForbidden {
		delete(s.Options, "draws")
	}
	for _, game := range f.Games {
		if game.ID != s.Variant {
			continue
		}
		for _, option := range game.Options {
			if value := form.Get("opt:" + game.ID + ":" + option.Key); value != "" {
				choose(option.Key, value)
			}
		}
	}
}
