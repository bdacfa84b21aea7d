package kit

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"quatuor/api/pages/board"
	"quatuor/api/pages/message"
	"quatuor/engine/catalog"
	"quatuor/engine/sentence"
	"quatuor/rating/systems"
	"quatuor/tournament"
	"quatuor/tournament/prizes"
)

// functions are what templates may call in one language. They turn values into figures; words come from the texts.
func (k *Kit) functions(in *message.Printer) template.FuncMap {
	return template.FuncMap{
		"t":           in.Text,
		"field":       func(name string) template.HTML { return fieldLabel(in, name) },
		"tell":        func(said sentence.Sentence) template.HTML { return Tell(in, said) },
		"named":       func(names string, value any) string { return Named(in, names, value) },
		"personNames": func(who []Person) (string, error) { return personNames(in, who) },
		"names":       func(names []string) (string, error) { return Enumerate(in, names) },
		"language":    in.Language,
		"asset":       k.Assets.Address,
		"rfc3339":     func(ms int64) string { return k.At(ms).Format("2006-01-02T15:04:05Z07:00") },
		"datetime":    func(ms int64) string { return in.DateTime(k.At(ms)) },
		"date":        func(ms int64) string { return in.Date(k.At(ms)) },
		"zone":        k.zoneName,
		"family":      Family,

		"moveWords": func(variant, token string) string {
			return catalog.FaceOf(variant).Choice(board.Words(in), nil, 0, token).Words
		},
		"variantName": func(id string) string { return VariantName(in, id) },
		"gameName":    gameName,

		"class":    Class,
		"control":  ReadControl,
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
		"points":   func(p tournament.Points) string { return in.Decimal(Halves(p.String())) },
		"halves":   Halves,
		"money":    func(amount int64) string { return in.Decimal(prizes.Money(amount)) },
		"inc":      func(n int) int { return n + 1 },
		"atTable":  AtTable,
		"pack":     pack,
		"size":     func(bytes int64) string { return in.Decimal(fileSize(bytes)) },
		"join":     strings.Join,
		"dict":     dict,
		"list":     func(items ...string) []string { return items },
		"offered":  func(variant string) bool { return len(k.Offered(Family(variant))) > 0 },
	}
}

// AtTable returns the name of a text that says board or, in tournaments where several sit at a table, table.
func AtTable(key string, tables bool) string {
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

// Named returns what people call a value, from a set of texts; the value itself where it has no name.
func Named(in *message.Printer, names string, value any) string {
	text := fmt.Sprint(value)
	return in.TextOr(text, names+"."+text)
}

// personNames joins the names of people.
func personNames(in *message.Printer, who []Person) (string, error) {
	names := make([]string, len(who))
	for i, one := range who {
		names[i] = one.Name
	}
	return Enumerate(in, names)
}

// Enumerate joins names as a sentence does: "Ada, Bob and Cleo".
func Enumerate(in *message.Printer, names []string) (string, error) {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, ""), nil
	}
	return in.Text("words.and", "First", strings.Join(names[:last], ", "), "Last", names[last])
}

// Zone is the time zone in which pages tell times.
func (k *Kit) Zone() *time.Location {
	if zone := k.Club(context.Background()).Zone; zone != nil {
		return zone
	}
	return time.UTC
}

// zoneName names the pages' time zone; "" while none was chosen.
func (k *Kit) zoneName() string {
	if zone := k.Zone(); zone != time.UTC {
		return zone.String()
	}
	return ""
}

// At returns a moment in the pages' time zone.
func (k *Kit) At(ms int64) time.Time { return time.UnixMilli(ms).In(k.Zone()) }

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

// Family returns the game of a variant or of a rating list: what stands before "/duel" or "-blitz".
func Family(id string) string {
	if i := strings.IndexAny(id, "/-"); i >= 0 {
		return id[:i]
	}
	return id
}

// VariantName returns what people call a variant, its id where it is not played any more.
func VariantName(in *message.Printer, id string) string {
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

// Class returns the speed class of a rating list: what stands after its family and "-".
func Class(list string) string {
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

// Halves writes points as score sheets do: "3½" for "3.5"; other fractions stay.
func Halves(points string) string {
	whole, ok := strings.CutSuffix(points, ".5")
	switch {
	case !ok:
		return points
	case whole == "0" || whole == "-0":
		return strings.TrimSuffix(whole, "0") + "½"
	}
	return whole + "½"
}

// ControlPart is one stage of a time control, for the templates to put into words. Lengths are seconds.
type ControlPart struct {
	Days    int // correspondence: days for a move; nothing else is set then
	Moves   int // moves of the stage, 0 in the last
	Base    float64
	Kind    string // "+", "d", "b", "y" or none, as in the canonical text
	Extra   float64
	Periods int
}

// ReadControl takes a canonical time control apart; no parts mean that there is no clock.
func ReadControl(text string) ([]ControlPart, error) {
	if text == "" || text == "none" {
		return nil, nil
	}
	if days, ok := strings.CutSuffix(text, "days"); ok {
		n, err := strconv.Atoi(days)
		return []ControlPart{{Days: n}}, err
	}
	var parts []ControlPart
	for stage := range strings.SplitSeq(text, ":") {
		part, err := readStage(stage)
		if err != nil {
			return nil, fmt.Errorf("time control %q: %w", text, err)
		}
		parts = append(parts, part)
	}
	return parts, nil
}

func readStage(text string) (part ControlPart, err error) {
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

// PrettyResult writes a result as score sheets do: "½ – ½" for "1/2-1/2".
func PrettyResult(text string) string {
	switch text {
	case "+--":
		return "+ : −"
	case "--+":
		return "− : +"
	case "---":
		return "− : −"
	}
	if strings.Contains(text, ",") {
		return strings.ReplaceAll(text, ",", ", ")
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "1/2", "½"), "-", " – ")
}

// Fold returns a text without accents and capitals.
func Fold(text string) string {
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), text)
	if err != nil {
		plain = text
	}
	return strings.ToLower(plain)
}

// Word matches the values of parameters that stand in the names of files.
var Word = regexp.MustCompile(`^[a-z0-9]+$`)

// tenths returns a change of a rating with its sign, to the tenth.
func tenths(in *message.Printer) func(v float64) string {
	return func(v float64) string {
		if v = math.Round(v*10) / 10; v > 0 {
			return "+" + in.Fixed(v, 1)
		}
		return Minus(in.Fixed(math.Abs(v), 1), v < 0)
	}
}

// Minus puts a minus sign before a number that is negative.
func Minus(text string, negative bool) string {
	if negative {
		return "−" + text
	}
	return text
}

// Offered lists the variants of a game that are played here.
func (k *Kit) Offered(game string) (ids []string) {
	for _, id := range catalog.IDs() {
		if Family(id) == game && (k.Variants == nil || slices.Contains(k.Variants, id)) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Say returns a text by its name. The tests of package message and of the pages see that it is there; the name stands
// in for one that is not.
func Say(in *message.Printer, id string, args ...any) string {
	text, err := in.Text(id, args...)
	if err != nil {
		return id
	}
	return text
}
