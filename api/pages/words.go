package pages

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"quatuor/api/pages/board"
	"quatuor/api/pages/message"
	"quatuor/engine/catalog"
	"quatuor/engine/sentence"
	"quatuor/rating/systems"
	"quatuor/tournament"
	"quatuor/tournament/prizes"
)

// functions are what templates may call in one language. They turn values into figures; words come from the texts.
func (p *Pages) functions(in *message.Printer) template.FuncMap {
	return template.FuncMap{
		"t":           in.Text,
		"field":       func(name string) template.HTML { return fieldLabel(in, name) },
		"tell":        func(said sentence.Sentence) template.HTML { return tell(in, said) },
		"named":       func(names string, value any) string { return named(in, names, value) },
		"seatNames":   func(seats []seatBody) (string, error) { return seatNames(in, seats) },
		"personNames": func(who []person) (string, error) { return personNames(in, who) },
		"names":       func(names []string) (string, error) { return enumerate(in, names) },
		"language":    in.Language,
		"asset":       p.assets.address,
		"rfc3339":     func(ms int64) string { return p.at(ms).Format("2006-01-02T15:04:05Z07:00") },
		"datetime":    func(ms int64) string { return in.DateTime(p.at(ms)) },
		"date":        func(ms int64) string { return in.Date(p.at(ms)) },
		"zone":        p.zoneName,
		"family":      family,

		"moveWords": func(variant, token string) string {
			return catalog.FaceOf(variant).Choice(board.Words(in), nil, 0, token).Words
		},
		"variantName": func(id string) string { return variantName(in, id) },
		"gameName":    gameName,

		"class":    class,
		"control":  readControl,
		"duration": in.Duration,
		"seconds":  func(ms int64) float64 { return float64(ms) / 1000 },
		"spent":    in.Spent,
		"figure":   in.Clock,
		"days":     in.Days,
		"fixed":    in.Fixed,
		"ordinal":  in.Ordinal,
		"decimal":  in.Decimal,
		"rating":   func(v float64) string { return strconv.FormatFloat(math.Round(v), 'f', 0, 64) },
		"change":   change,
		"tenths":   tenths(in),
		"period":   systems.PeriodName,
		"points":   func(p tournament.Points) string { return in.Decimal(halves(p.String())) },
		"halves":   halves,
		"money":    func(amount int64) string { return in.Decimal(prizes.Money(amount)) },
		"inc":      func(n int) int { return n + 1 },
		"atTable":  atTable,
		"pack":     pack,
		"size":     func(bytes int64) string { return in.Decimal(fileSize(bytes)) },
		"join":     strings.Join,
		"dict":     dict,
		"list":     func(items ...string) []string { return items },
		"offered":  func(variant string) bool { return len(p.offered(family(variant))) > 0 },
	}
}

// atTable returns the name of a text that says board or, in tournaments where several sit at a table, table.
func atTable(key string, tables bool) string {
	if tables {
		return key + "_table"
	}
	return key
}

// pack returns names and values in turn as what a template gets.
func pack(pairs ...any) map[string]any {
	out := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		out[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return out
}

// named returns what people call a value, from a set of texts; the value itself where it has no name.
func named(in *message.Printer, names string, value any) string {
	text := fmt.Sprint(value)
	return in.TextOr(text, names+"."+text)
}

// seatNames joins the names of those who sit there.
func seatNames(in *message.Printer, seats []seatBody) (string, error) {
	names := make([]string, len(seats))
	for i, seat := range seats {
		if names[i] = seat.Who.Name; seat.Who.ID == "" {
			names[i] = in.TextOr("", "board_page.seat_low", "Seat", seat.Seat)
		}
	}
	return enumerate(in, names)
}

// personNames joins the names of people.
func personNames(in *message.Printer, who []person) (string, error) {
	names := make([]string, len(who))
	for i, one := range who {
		names[i] = one.Name
	}
	return enumerate(in, names)
}

// enumerate joins names as a sentence does: "Ada, Bob and Cleo".
func enumerate(in *message.Printer, names []string) (string, error) {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, ""), nil
	}
	return in.Text("words.and", "First", strings.Join(names[:last], ", "), "Last", names[last])
}

// zone is the time zone in which pages tell times.
func (p *Pages) zone() *time.Location {
	if zone := p.Club(context.Background()).Zone; zone != nil {
		return zone
	}
	return time.UTC
}

// zoneName names the pages' time zone; "" while none was chosen.
func (p *Pages) zoneName() string {
	if zone := p.zone(); zone != time.UTC {
		return zone.String()
	}
	return ""
}

// at returns a moment in the pages' time zone.
func (p *Pages) at(ms int64) time.Time { return time.UnixMilli(ms).In(p.zone()) }

// dict puts names and values together for a template that takes more than one.
func dict(pairs ...any) (map[string]any, error) {
	out := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("the name of a value is %v", pairs[i])
		}
		out[name] = pairs[i+1]
	}
	return out, nil
}

// family returns the game of a variant or of a rating list: what stands before "/duel" or "-blitz".
func family(id string) string {
	if i := strings.IndexAny(id, "/-"); i >= 0 {
		return id[:i]
	}
	return id
}

// variantName returns what people call a variant, its id where it is not played any more.
func variantName(in *message.Printer, id string) string {
	name := id
	if rules, err := catalog.Find(id); err == nil {
		name = rules.Info().Name
	}
	game, variant, _ := strings.Cut(id, "/")
	return in.TextOr(name, "variant."+game+"_"+variant)
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

// fileSize is a number of bytes as people say it: 1.5 GB.
func fileSize(bytes int64) string {
	size := float64(bytes)
	for _, unit := range []string{"B", "kB", "MB", "GB"} {
		if size < 1000 {
			return strconv.FormatFloat(size, 'f', min(1, len(unit)-1), 64) + " " + unit
		}
		size /= 1000
	}
	return strconv.FormatFloat(size, 'f', 1, 64) + " TB"
}
