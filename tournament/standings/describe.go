package standings

import (
	"cmp"
	"slices"
	"strings"

	"quatuor/tournament"
)

// Offer is a tie-break that organisers may choose for a format.
type Offer struct {
	Code      string
	Name      string
	Article   string // of C.07
	What      string // in a sentence without a full stop
	Text      string // of its name on pages, below tie_breaks: "bh", "bh_tables" and the like
	Modifiers []Offer
}

// modifierOffers describe the modifiers by their first letter.
var modifierOffers = map[byte][]Offer{
	'C': {
		{Code: "C1", Text: "with_c1", Name: "lowest value cut", Article: "14.1", What: "without the least significant value, or without one’s least round not played by choice (16.5)"},
		{Code: "C2", Text: "with_c2", Name: "two lowest values cut", Article: "14", What: "the same for two values"},
	},
	'M': {
		{Code: "M1", Text: "with_m1", Name: "median", Article: "14.3", What: "without the least and the most significant value"},
		{Code: "M2", Text: "with_m2", Name: "median of two", Article: "14", What: "without the two least and the two most significant values"},
	},
	'P': {{
		Code: "P", Text: "with_p", Name: "forfeits as games", Article: "14",
		What: "forfeits count as games against who should have come",
	}},
	'F': {{Code: "F", Text: "with_f", Name: "fore", Article: "8.3", What: "games of the last round are taken for draws"}},
	'L': {
		{Code: "L+1", Text: "limit", Name: "limit a draw higher", Article: "14", What: "against those with half of the possible points and a draw more; L-1, L+2 and so on likewise"},
		{Code: "L60", Text: "limit", Name: "limit 60 per cent", Article: "14", What: "against those with 60 per cent of the possible points; any number from 1 to 100"},
	},
}

// earlyCuts describe C where the values are running totals.
var earlyCuts = []Offer{
	{Code: "C1", Text: "first_c1", Name: "first round cut", Article: "7.5", What: "without the score after the first round"},
	{Code: "C2", Text: "first_c2", Name: "first two rounds cut", Article: "7.5", What: "without the scores after the first two rounds"},
}

// Offers returns the tie-breaks of a format with the modifiers that each takes.
func Offers(f tournament.Format) []Offer {
	if ranksTeams(f) {
		return teamOffers(f)
	}
	var out []Offer
	for _, r := range rulesOf(f) {
		for _, letter := range []byte(r.modifiers) {
			r.Offer.Modifiers = append(r.Offer.Modifiers, r.more(letter)...)
		}
		out = append(out, r.Offer)
	}
	return out
}

// more describes the modifiers with a first letter.
func (r rule) more(letter byte) []Offer {
	if letter == 'C' && r.early {
		return earlyCuts
	}
	return modifierOffers[letter]
}

// Describe returns the tie-break of a code and its modifiers; false for a code that the format does not know.
func Describe(f tournament.Format, code string) (o Offer, modifiers []Offer, known bool) {
	if ranksTeams(f) {
		return describeTeams(f, code)
	}
	t, err := parseKnown(rulesOf(f), f, code)
	if err != nil {
		return o, nil, false
	}
	_, rest, _ := strings.Cut(code, "/")
	for part := range strings.SplitSeq(rest, "/") {
		if part == "" {
			continue
		}
		offered := t.rule.more(part[0])
		i := slices.IndexFunc(offered, func(m Offer) bool { return m.Code == part })
		if i < 0 { // another limit
			modifiers = append(modifiers, Offer{Code: part, Name: "limit " + part[1:], Article: "14", Text: "limit"})
			continue
		}
		modifiers = append(modifiers, offered[i])
	}
	return t.Offer, modifiers, true
}

// Title returns the names of a code and its modifiers, with the articles of C.07; "" for a code that the format does
// not know.
func Title(f tournament.Format, code string) string {
	o, modifiers, known := Describe(f, code)
	if !known {
		return ""
	}
	title := o.Name
	for _, m := range modifiers {
		title += ", " + m.Name
	}
	return title + Articles(append(modifiers, o)...)
}

// Articles returns the articles of C.07 on tie-breaks and modifiers, for example " (C.07, 8.1, 14.1)"; "" for none.
func Articles(offers ...Offer) string {
	var list []string
	for _, o := range offers {
		if o.Article != "" && !slices.Contains(list, o.Article) {
			list = append(list, o.Article)
		}
	}
	if list == nil {
		return ""
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return " (C.07, " + strings.Join(list, ", ") + ")"
}
