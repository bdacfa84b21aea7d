package pages

import (
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
var formats = []tournament.Format{tournament.Swiss, tournament.RoundRobin, tournament.DoubleRoundRobin, tournament.Knockout, tournament.TableSwiss, tournament.TableRoundRobin}

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
		if p.Variants == nil || slices.Contains(p.Variants, info.ID) {
			f.Games = append(f.Games, gameChoice{info.ID, info.Name, info.Options})
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
		"third": func() string { return tick(s.Rules.Match.ThirdPlace) }, "replays": func() string { return strconv.Itoa(f.match().Replays) },
		"tie_break_games":   func() string { return strconv.Itoa(f.match().TieBreakGames) },
		"tie_break_control": func() string { return s.Rules.Match.TieBreakControl }, "decision": func() string { return string(f.match().Decision) },
		"initial_colour": func() string { return colourNames[s.Rules.InitialColour] },
		"repetition":     func() string { return s.Options["repetition"] }, "max_plies": func() string { return s.Options["max_plies"] },
		"draws":     func() string { return tick(s.Options["draws"] == drawsForbidden) },
		"auto":      func() string { return tick(s.AutoRounds) },
		"takebacks": func() string { return tick(s.Play.Takebacks) }, "bots": func() string { return tick(s.Play.Bots) }, "no_show": func() string { return minutes(s.Play.NoShowMs) },
		"no_shows": func() string { return count(s.Play.NoShows) }, "delay_moves": func() string { return count(s.Play.DelayMoves) },
		"delay": func() string { return minutes(s.Play.DelayMs) },
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
	if value, ok := f.usualTables(name); ok {
		return value
	}
	if variant, key, ok := strings.Cut(strings.TrimPrefix(name, "opt:"), ":"); ok && variant == s.Variant {
		return s.Options[key]
	}
	return ""
}

// minutes writes a time as a number of minutes; "" for none.
func minutes(ms int64) string {
	if ms == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(ms)/60_000, 'f', -1, 64)
}

// match returns the rules of a knock-out's matches, the usual ones for other formats.
func (f tournamentForm) match() tournament.KnockoutRules {
	if f.Format == tournament.Knockout {
		return f.Rules.Match
	}
	return tournament.DefaultKnockoutRules(tournament.Knockout)
}

// colourNames are the initial colours as a form sends them; 0 stands for the lot.
var colourNames = map[tournament.Colour]string{0: "", tournament.White: "white", tournament.Black: "black"}

// drawsForbidden is the value of the option draws by which players cannot agree to a draw.
const drawsForbidden = "forbidden"

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
