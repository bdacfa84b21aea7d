package message

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quatuor/engine/catalog"
)

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
