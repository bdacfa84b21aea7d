package pages

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"quatuor/engine/catalog"
	"quatuor/tournament"
	"quatuor/tournament/prizes"
)

// functions are what templates may call. They turn values into figures; words stand in the templates.
func (p *Pages) functions() template.FuncMap {
	return template.FuncMap{
		"asset":    p.assets.address,
		"rfc3339":  func(ms int64) string { return at(ms).Format("2006-01-02T15:04:05Z07:00") },
		"datetime": func(ms int64) string { return at(ms).Format("2 Jan 2006, 15:04") },
		"date":     func(ms int64) string { return at(ms).Format("2 Jan 2006") },
		"family":   family,

		"variantName": variantName,
		"gameName":    gameName,

		"class":    class,
		"control":  readControl,
		"duration": duration,
		"seconds":  func(ms int64) float64 { return float64(ms) / 1000 },
		"spent":    spent,
		"figure":   clockFigure,
		"rating":   func(v float64) string { return strconv.FormatFloat(math.Round(v), 'f', 0, 64) },
		"change":   change,
		"points":   func(p tournament.Points) string { return halves(p.String()) },
		"halves":   halves,
		"money":    prizes.Money,
		"inc":      func(n int) int { return n + 1 },
		"join":     strings.Join,
		"offered":  func(variant string) bool { return len(p.offered(family(variant))) > 0 },
	}
}

func at(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// family returns the game of a variant or of a rating list: what stands before "/duel" or "-blitz".
func family(id string) string {
	if i := strings.IndexAny(id, "/-"); i >= 0 {
		return id[:i]
	}
	return id
}

// variantName returns what people call a variant, its id where it is not played any more.
func variantName(id string) string {
	if rules, err := catalog.Find(id); err == nil {
		return rules.Info().Name
	}
	return id
}

// gameName returns what people call the game of a family.
func gameName(game string) string {
	for _, rules := range catalog.All() {
		if info := rules.Info(); info.Family() == game {
			return info.Game
		}
	}
	return game
}

// class returns the speed class of a rating list: what stands after its family and "-".
func class(list string) string {
	_, class, _ := strings.Cut(list, "-")
	return class
}

// clockFigure is what a clock shows: 1:05, 1:02:03, or days and hours.
func clockFigure(ms int64) string {
	seconds := ms / 1000
	h, m, s := seconds/3600, seconds/60%60, seconds%60
	switch {
	case h >= 48:
		return fmt.Sprintf("%d d %d h", h/24, h%24)
	case h > 0:
		return fmt.Sprintf("%d:%02d:%02d", h, m, s)
	}
	return fmt.Sprintf("%d:%02d", m, s)
}

// spent is how long a move took: 4.2 s below a minute, else as a clock.
func spent(ms int64) string {
	if ms < 60_000 {
		return strconv.FormatFloat(float64(ms/100)/10, 'f', 1, 64) + " s"
	}
	return clockFigure(ms)
}

// duration is a length in seconds as people say it: 90 s, 5 min, 1 h 30 min.
func duration(seconds float64) string {
	whole := int64(seconds)
	switch {
	case seconds != float64(whole) || whole < 60 || whole%60 != 0 && whole < 600:
		return strconv.FormatFloat(seconds, 'f', -1, 64) + " s"
	case whole%60 != 0:
		return fmt.Sprintf("%d min %d s", whole/60, whole%60)
	case whole < 3600 || whole%3600 != 0 && whole <= 7200:
		return fmt.Sprintf("%d min", whole/60)
	case whole%3600 != 0:
		return fmt.Sprintf("%d h %d min", whole/3600, whole/60%60)
	}
	return fmt.Sprintf("%d h", whole/3600)
}

// change is a rating's change with its sign; a change that rounds to nothing has none.
func change(v float64) string {
	n := int(math.Round(v))
	switch {
	case n > 0:
		return "+" + strconv.Itoa(n)
	case n < 0:
		return "−" + strconv.Itoa(-n)
	}
	return "±0"
}

// halves writes points as score sheets do: "3½" for "3.5"; other fractions stay.
func halves(points string) string {
	whole, ok := strings.CutSuffix(points, ".5")
	switch {
	case !ok:
		return points
	case whole == "0" || whole == "-0":
		return strings.TrimSuffix(whole, "0") + "½"
	}
	return whole + "½"
}

// controlPart is one stage of a time control, for the templates to put into words. Lengths are seconds.
type controlPart struct {
	Days    int // correspondence: days for a move; nothing else is set then
	Moves   int // moves of the stage, 0 in the last
	Base    float64
	Kind    string // "+", "d", "b", "y" or none, as in the canonical text
	Extra   float64
	Periods int
}

// readControl takes a canonical time control apart; no parts mean that there is no clock.
func readControl(text string) ([]controlPart, error) {
	if text == "" || text == "none" {
		return nil, nil
	}
	if days, ok := strings.CutSuffix(text, "days"); ok {
		n, err := strconv.Atoi(days)
		return []controlPart{{Days: n}}, err
	}
	var parts []controlPart
	for stage := range strings.SplitSeq(text, ":") {
		part, err := readStage(stage)
		if err != nil {
			return nil, fmt.Errorf("time control %q: %w", text, err)
		}
		parts = append(parts, part)
	}
	return parts, nil
}

func readStage(text string) (part controlPart, err error) {
	if moves, rest, ok := strings.Cut(text, "/"); ok {
		if part.Moves, err = strconv.Atoi(moves); err != nil {
			return part, err
		}
		text = rest
	}
	base := text
	if i := strings.IndexAny(text, "+dby"); i >= 0 {
		base, part.Kind = text[:i], text[i:i+1]
		extra := text[i+1:]
		if periods, length, ok := strings.Cut(extra, "x"); ok {
			if part.Periods, err = strconv.Atoi(periods); err != nil {
				return part, err
			}
			extra = length
		}
		if part.Extra, err = strconv.ParseFloat(extra, 64); err != nil {
			return part, err
		}
	}
	part.Base, err = strconv.ParseFloat(base, 64)
	return part, err
}
