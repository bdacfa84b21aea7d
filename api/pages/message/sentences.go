package message

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// Tell returns a sentence of the domain in the reader's language; false if it is in English only. Its values are V1, V2
// and so on; the first number among them selects the plural form.
func (p *Printer) Tell(s sentence.Sentence) (text string, own bool) {
	if p.Tag == Languages[0] {
		return p.english(s), true
	}
	if text, own = p.tell(s); !own {
		text = s.String()
	}
	return text, own
}

// english returns a sentence in English, with the pages' terms.
func (p *Printer) english(s sentence.Sentence) string {
	if !worded(s) {
		return s.String()
	}
	if parts, joint := s.Parts(); parts != nil {
		texts := make([]string, len(parts))
		for i, part := range parts {
			texts[i] = p.english(part)
		}
		return strings.Join(texts, joint)
	}
	values := slices.Clone(s.Values())
	for i, v := range values {
		switch v := v.(type) {
		case sentence.Sentence:
			values[i] = p.english(v)
		case sentence.Word, tournament.Points:
			values[i], _ = p.value(v)
		}
	}
	return s.Frame(values...)
}

// worded reports whether a sentence contains a word or points, which pages write in their own manner.
func worded(s sentence.Sentence) bool {
	parts, _ := s.Parts()
	return slices.ContainsFunc(parts, worded) || slices.ContainsFunc(s.Values(), func(v any) bool {
		within, nested := v.(sentence.Sentence)
		_, word := v.(sentence.Word)
		_, points := v.(tournament.Points)
		return word || points || nested && worded(within)
	})
}

func (p *Printer) tell(s sentence.Sentence) (text string, own bool) {
	if parts, joint := s.Parts(); parts != nil {
		for i, part := range parts {
			one, own := p.tell(part)
			if !own {
				return "", false
			}
			if i > 0 {
				text += joint
			}
			text += one
		}
		return text, true
	}
	values := make([]any, len(s.Values()))
	for i, v := range s.Values() {
		if values[i], own = p.value(v); !own {
			return "", false
		}
	}
	code := s.Code()
	if code == "" {
		return s.Frame(values...), true
	}
	var args []any
	for i, v := range values {
		args = append(args, fmt.Sprintf("V%d", i+1), v)
	}
	if i := slices.IndexFunc(s.Values(), isInt); i >= 0 {
		args = append(args, "Count", s.Values()[i])
	}
	text, err := p.Text("sentence."+code, args...)
	return text, err == nil
}

func isInt(v any) bool { _, is := v.(int); return is }

// value formats a value of a sentence in the reader's language.
func (p *Printer) value(v any) (text string, own bool) {
	switch v := v.(type) {
	case sentence.Sentence:
		return p.tell(v)
	case error:
		return p.tell(sentence.Of(v))
	case tournament.Format:
		return p.TextOr(string(v), "words.format."+string(v)), true
	case tournament.Status:
		return p.TextOr(string(v), "words.status."+string(v)), true
	case table.Status:
		return p.TextOr(string(v), "words.status."+string(v)), true
	case engine.Reason:
		return p.TextOr(string(v), "words.reason."+string(v)), true
	case sentence.Word:
		return p.TextOr(v.Word, "words."+v.Set+"."+v.Word), true
	case tournament.Points:
		return p.Points(v), true
	}
	return fmt.Sprint(v), true
}

// Variant returns the translated name of a variant, or the id of a variant that no longer exists.
func (p *Printer) Variant(id string) string {
	name := id
	if rules, err := catalog.Find(id); err == nil {
		name = rules.Info().Name
	}
	game, variant, _ := strings.Cut(id, "/")
	return p.TextOr(name, "variant."+game+"_"+variant)
}

// Game returns the name of a game.
func (*Printer) Game(game string) string {
	for _, rules := range catalog.All() {
		if info := rules.Info(); info.Family() == game {
			return info.Game
		}
	}
	return game
}

// Family returns the game of a variant or of a rating list: the part before "/duel" or "-blitz".
func Family(id string) string {
	if i := strings.IndexAny(id, "/-"); i >= 0 {
		return id[:i]
	}
	return id
}

// Seat returns the name of a seat of a game: the game's own word where two seats or two sides meet, for example "×
// Cross", else its number.
func (p *Printer) Seat(variant string, seat, seats int) string {
	number := p.TextOr("", "words.seat", "Seat", seat)
	if seats != 2 {
		return number
	}
	return p.TextOr(number, "seat."+Family(variant)+"."+strconv.Itoa(seat))
}

// SeatSign returns the sign that the word of a seat of two begins with, for example "×"; "" if it has none.
func (p *Printer) SeatSign(variant string, seat int) string {
	sign, _, _ := strings.Cut(p.Seat(variant, seat, 2), " ")
	if first, _ := utf8.DecodeRuneInString(sign); unicode.IsLetter(first) {
		return ""
	}
	return sign
}

// SeatSigns explains how two seats are marked, by their signs or by raised numbers: "× Cross, ○ Circle".
func (p *Printer) SeatSigns(variant string) string {
	first, second := p.Seat(variant, 1, 2), p.Seat(variant, 2, 2)
	if p.SeatSign(variant, 1) == "" {
		first, second = "¹ "+first, "² "+second
	}
	return first + ", " + second
}
