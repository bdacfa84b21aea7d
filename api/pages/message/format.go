package message

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// manner is the format of dates and numbers in a language.
type manner struct {
	months   [12]string
	date     string // of day, month and year, in this order
	dateTime string // of a date and a time
	decimal  string // decimal separator
	days     string // after a number of days on a clock
	ordinal  func(n int) string
	place    func(n int) string // the ordinal before the word place, which is feminine in French
}

var manners = map[language.Tag]manner{
	language.English: {
		months: [12]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
		date:   "%d %s %d", dateTime: "%s, %s", decimal: ".", days: "d", ordinal: englishOrdinal,
		place: englishOrdinal,
	},
	language.French: {
		months: [12]string{"janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."},
		date:   "%d %s %d", dateTime: "%s à %s", decimal: ",", days: "j", ordinal: frenchOrdinal("ᵉʳ"),
		place: frenchOrdinal("ʳᵉ"),
	},
	language.German: {
		months: [12]string{"Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."},
		date:   "%d. %s %d", dateTime: "%s, %s", decimal: ",", days: "T",
		ordinal: germanOrdinal, place: germanOrdinal,
	},
}

func englishOrdinal(n int) string {
	suffix := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// frenchOrdinal returns the ordinals of a gender, which differ for 1 alone.
func frenchOrdinal(first string) func(n int) string {
	return func(n int) string {
		if n == 1 {
			return "1" + first
		}
		return strconv.Itoa(n) + "ᵉ"
	}
}

func germanOrdinal(n int) string { return strconv.Itoa(n) + "." }

func (p *Printer) manner() manner { return manners[p.Tag] }

// Date returns the day of a moment in the moment's own zone: "22 Nov 2026", "22 nov. 2026", "22. Nov. 2026".
func (p *Printer) Date(at time.Time) string {
	m := p.manner()
	return fmt.Sprintf(m.date, at.Day(), m.months[at.Month()-1], at.Year())
}

// DateTime returns the day and the minute of a moment: "22 Nov 2026, 15:04", "22 nov. 2026 à 15:04".
func (p *Printer) DateTime(at time.Time) string {
	return fmt.Sprintf(p.manner().dateTime, p.Date(at), at.Format("15:04"))
}

// Decimal writes numbers that were printed with points as the language does: "2.5" is "2,5" in French and German.
func (p *Printer) Decimal(numbers string) string {
	return strings.ReplaceAll(numbers, ".", p.manner().decimal)
}

// Opponents joins the names of the seats of a board, or of the teams of a match: "Ada – Bob".
func Opponents(names ...string) string { return strings.Join(names, " – ") }

// Halves writes a half of a point as ½: "3½" for "3.5".
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

// Points returns points as the language writes them: "3½", "2,3".
func (p *Printer) Points(points tournament.Points) string { return p.Decimal(Halves(points.String())) }

// DecimalSign returns the decimal separator: a point or a comma.
func (p *Printer) DecimalSign() string { return p.manner().decimal }

// Fixed returns a number with the given number of digits after the decimal point or comma.
func (p *Printer) Fixed(v float64, digits int) string {
	return p.Decimal(strconv.FormatFloat(v, 'f', digits, 64))
}

// Ordinal returns a place: "1st", "1ᵉʳ", "1.".
func (p *Printer) Ordinal(n int) string { return p.manner().ordinal(n) }

// Days returns the unit of days on a clock: "d", "j", "T".
func (p *Printer) Days() string { return p.manner().days }

// Clock formats a clock reading in ms: 1:05, 1:02:03, or days and hours.
func (p *Printer) Clock(ms int64) string {
	seconds := ms / 1000
	h, m, s := seconds/3600, seconds/60%60, seconds%60
	switch {
	case h >= 48:
		return fmt.Sprintf("%d %s %d h", h/24, p.Days(), h%24)
	case h > 0:
		return fmt.Sprintf("%d:%02d:%02d", h, m, s)
	}
	return fmt.Sprintf("%d:%02d", m, s)
}

// Spent returns how long a move took, from milliseconds: 4.2 s below a minute, else as a clock.
func (p *Printer) Spent(ms int64) string {
	if ms < 60_000 {
		return p.Fixed(float64(ms/100)/10, 1) + " s"
	}
	return p.Clock(ms)
}

// Duration formats seconds: 90 s, 5 min, 1 h 30 min.
func (p *Printer) Duration(seconds float64) string {
	whole := int64(seconds)
	switch {
	case seconds != math.Trunc(seconds) || whole < 60 || whole%60 != 0 && whole < 600:
		return p.Fixed(seconds, -1) + " s"
	case whole%60 != 0:
		return fmt.Sprintf("%d min %d s", whole/60, whole%60)
	case whole < 3600 || whole%3600 != 0 && whole <= 7200:
		return fmt.Sprintf("%d min", whole/60)
	case whole%3600 != 0:
		return fmt.Sprintf("%d h %d min", whole/3600, whole/60%60)
	}
	return fmt.Sprintf("%d h", whole/3600)
}

// TextOr returns a text by name, or the fallback: for open sets of names, for example variants.
func (p *Printer) TextOr(fallback, id string, args ...any) string {
	if text, err := p.Text(id, args...); err == nil {
		return text
	}
	return fallback
}

// Field returns the translated label of a field, or its name in <code> if it has no label.
func (p *Printer) Field(field string) template.HTML {
	if text := p.TextOr(p.TextOr("", "bonuses."+field), "new."+field); text != "" {
		return template.HTML(template.HTMLEscapeString(text)) //nolint:gosec // it is escaped
	}
	return template.HTML("<code>" + template.HTMLEscapeString(field) + "</code>") //nolint:gosec // it is escaped
}

// TellHTML returns the translation of a domain message as HTML, in a span with lang="en" if only English exists.
func (p *Printer) TellHTML(s sentence.Sentence) template.HTML {
	text, own := p.Tell(s)
	if own {
		return template.HTML(template.HTMLEscapeString(text)) //nolint:gosec // it is escaped
	}
	text = `<span lang="en">` + template.HTMLEscapeString(text) + `</span>`
	return template.HTML(text) //nolint:gosec // it is escaped
}

// TellSeats is TellHTML with the words of a variant for the two seats; those of teams, which have none of a game, for "".
func (p *Printer) TellSeats(variant string, s sentence.Sentence) template.HTML {
	return p.TellHTML(s.Map(func(value any) any {
		word, is := value.(sentence.Word)
		if !is || word.Set != pairing.SeatWords {
			return value
		}
		seat := 1
		if word == pairing.SeatWord(pairing.Black) {
			seat = 2
		}
		name := p.seatOf(variant, seat)
		if p.SeatSign(variant, seat) == "" {
			name = p.TextOr(name, "words.quoted", "Text", name)
		}
		return name
	}))
}

func (p *Printer) seatOf(variant string, seat int) string {
	switch {
	case variant != "":
		return p.Seat(variant, seat, 2)
	case seat == 1:
		return p.TextOr("", "match.first")
	}
	return p.TextOr("", "match.second")
}

// Told returns the translation of a domain message as plain text.
func (p *Printer) Told(s sentence.Sentence) string {
	text, _ := p.Tell(s)
	return text
}
