package kit

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"quatuor/api/pages/message"
	"quatuor/tournament/arena"
)

// functions returns the template functions of a language. They format values; words come from the texts.
func (k *Kit) functions(in *message.Printer) template.FuncMap {
	return template.FuncMap{
		"t":           in.Text,
		"field":       in.Field,
		"tell":        in.TellHTML,
		"tellSeats":   in.TellSeats,
		"named":       func(names string, value any) string { return Named(in, names, value) },
		"personNames": func(who []Person) (string, error) { return personNames(in, who) },
		"names":       func(names []string) (string, error) { return Enumerate(in, names) },
		"language":    in.Language,
		"asset":       k.Assets.Address,
		"logo":        k.logoAt,
		"rfc3339":     func(ms int64) string { return k.At(ms).Format("2006-01-02T15:04:05Z07:00") },
		"datetime":    func(ms int64) string { return in.DateTime(k.At(ms)) },
		"date":        func(ms int64) string { return in.Date(k.At(ms)) },
		"zone":        k.zoneName,
		"family":      message.Family,

		"variantName": in.Variant,
		"variantList": func(ids []string) string { return variantList(in, ids) },
		"gameName":    in.Game,
		"seatName":    in.Seat,
		"seatSign":    in.SeatSign,
		"seatSigns":   in.SeatSigns,

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
		"sign":     in.DecimalSign,
		"rating":   func(v float64) string { return strconv.FormatFloat(math.Round(v), 'f', 0, 64) },
		"change":   change,
		"tenths":   tenths(in),
		"halves":   Halves,
		"halfOf":   HalfClass,
		"inc":      func(n int) int { return n + 1 },
		"atTable":  AtTable,
		"pack":     pack,
		"size":     func(bytes int64) string { return in.Decimal(fileSize(bytes)) },
		"join":     strings.Join,
		"dict":     dict,
		"list":     func(items ...string) []string { return items },
		"arenaEnd": arena.EndsAt,
		"offered":  func(variant string) bool { return len(k.Offered(message.Family(variant))) > 0 },
	}
}

// variantList returns the names of variants with commas between them.
func variantList(in *message.Printer, ids []string) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = in.Variant(id)
	}
	return strings.Join(names, ", ")
}

// AtTable returns the key of a text, with "_table" in formats for tables of more than two: "table" in place of "board".
func AtTable(key string, tables bool) string {
	if tables {
		return key + "_table"
	}
	return key
}

// pack builds the data of a template from alternating names and values.
func pack(pairs ...any) map[string]any {
	out := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		out[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return out
}

// Named returns the text of a value, with the key names.value; the value itself if it has none.
func Named(in *message.Printer, names string, value any) string {
	text := fmt.Sprint(value)
	return in.TextOr(text, names+"."+text)
}

func personNames(in *message.Printer, people []Person) (string, error) {
	names := make([]string, len(people))
	for i, one := range people {
		names[i] = one.Name
	}
	return Enumerate(in, names)
}

// Enumerate joins names in prose: "Ada, Bob and Cleo".
func Enumerate(in *message.Printer, names []string) (string, error) {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, ""), nil
	}
	return in.Text("words.and", "First", strings.Join(names[:last], ", "), "Last", names[last])
}

// LocalTime is the browsers' format of a time of day: without seconds and without a zone.
const LocalTime = "2006-01-02T15:04"

// Zone returns the time zone of times on pages; UTC by default.
func (k *Kit) Zone() *time.Location {
	if zone := k.Club(context.Background()).Zone; zone != nil {
		return zone
	}
	return time.UTC
}

// zoneName returns the name of the time zone, "" for UTC.
func (k *Kit) zoneName() string {
	if zone := k.Zone(); zone != time.UTC {
		return zone.String()
	}
	return ""
}

// At converts ms UTC to the time zone of the pages.
func (k *Kit) At(ms int64) time.Time { return time.UnixMilli(ms).In(k.Zone()) }

// dict is pack with checked names: an error if a name is not a string.
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

// Class returns the speed class of a rating list: the part after "-".
func Class(list string) string {
	_, class, _ := strings.Cut(list, "-")
	return class
}

// change formats a change of a rating as a whole number with its sign, "±0" if it rounds to zero.
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

// Halves writes points as on score sheets: "3½" for "3.5"; other fractions stay.
func Halves(points string) string { return message.Halves(points) }

// HalfClass returns the CSS class that aligns points with and without a half below each other; "" for other fractions.
func HalfClass(points string) string {
	switch {
	case strings.HasSuffix(points, ".5"):
		return "half"
	case strings.Contains(points, "."):
		return ""
	}
	return "whole"
}

// ControlPart is a stage of a time control, with durations in seconds.
type ControlPart struct {
	Days    int // correspondence: days per move; all else is 0
	Moves   int // number of moves in the stage, 0 for the last
	Base    float64
	Kind    string // "+", "d", "b", "y" or none, as in the canonical text
	Extra   float64
	Periods int
}

// ReadControl parses a canonical time control into its stages; none without a clock.
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

// fileSize formats a number of bytes with a decimal unit: 1.5 GB.
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

// PrettyResult writes a result as on score sheets: "½ – ½" for "1/2-1/2".
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

// Fold lowers the case of a text and strips its accents.
func Fold(text string) string {
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), text)
	if err != nil {
		plain = text
	}
	return strings.ToLower(plain)
}

// Word matches parameters that are safe in file names and addresses.
var Word = regexp.MustCompile(`^[a-z0-9]+$`)

// tenths returns a function that formats a change of a rating with its sign and a decimal.
func tenths(in *message.Printer) func(v float64) string {
	return func(v float64) string {
		if v = math.Round(v*10) / 10; v > 0 {
			return "+" + in.Fixed(v, 1)
		}
		return Minus(in.Fixed(math.Abs(v), 1), v < 0)
	}
}

// Minus puts a minus sign before a number if negative is true.
func Minus(text string, negative bool) string {
	if negative {
		return "−" + text
	}
	return text
}

// Say returns the text with a key, or the key itself if it is missing, which tests rule out.
func Say(in *message.Printer, id string, args ...any) string {
	text, err := in.Text(id, args...)
	if err != nil {
		return id
	}
	return text
}
