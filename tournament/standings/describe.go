package standings

import (
	"cmp"
	"fmt"
	"maps"
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
	Modifiers []Offer
}

// offers describe the tie-breaks by name, in the order in which they are offered.
var offers = []Offer{
	{Code: "DE", Name: "Direct encounter", Article: "6", What: "points from the games among those who are tied, if they have met"},
	{Code: "WIN", Name: "Number of wins", Article: "7.1", What: "rounds that brought as many points as a win, played or not"},
	{Code: "2ND", Name: "Second places", What: "second places at the tables"},
	{Code: "3RD", Name: "Third places", What: "third places at the tables"},
	{Code: "TSH", Name: "Share of the tables’ points", What: "round by round, the own points over all that the table gave, added up"},
	{Code: "SEAT", Name: "Mean seat", What: "the mean number of the own seat: who moved later had it harder"},
	{Code: "WON", Name: "Games won", Article: "7.2", What: "games won at the board"},
	{Code: "BPG", Name: "Games with Black", Article: "7.3", What: "games played with the second seat"},
	{Code: "BWG", Name: "Wins with Black", Article: "7.4", What: "games won at the board with the second seat"},
	{Code: "PS", Name: "Progressive scores", Article: "7.5", What: "the scores after each round, added up"},
	{Code: "REP", Name: "Rounds one elected to play", Article: "7.6", What: "rounds without a half- or zero-point bye or a forfeit loss"},
	{Code: "STD", Name: "Standard points", Article: "7.7", What: "one for each round with more points than the opponent, a half for as many"},
	{Code: "TPN", Name: "Pairing number", Article: "7.8", What: "the place in the starting list, the first being the best"},
	{Code: "BH", Name: "Buchholz", Article: "8.1", What: "the adjusted scores of the opponents, added up"},
	{Code: "AOB", Name: "Average of opponents’ Buchholz", Article: "8.2", What: "the mean Buchholz of the opponents met at the board"},
	{Code: "FB", Name: "Fore Buchholz", Article: "8.3", What: "Buchholz with the games of the last round taken for draws"},
	{Code: "SB", Name: "Sonneborn-Berger", Article: "9.1", What: "the adjusted score of each opponent times the points made against it, added up"},
	{Code: "KS", Name: "Koya", Article: "9.2", What: "points made against those who have at least half of the possible points"},
	{Code: "ARO", Name: "Average rating of opponents", Article: "10.1", What: "the mean rating of the opponents met at the board"},
	{Code: "TPR", Name: "Performance rating", Article: "10.2", What: "the mean rating of the opponents and the difference that goes with the share of the points"},
	{Code: "PTP", Name: "Perfect performance", Article: "10.3", What: "the lowest rating with which the points made were to be expected"},
	{Code: "APRO", Name: "Average performance of opponents", Article: "10.4", What: "the mean performance rating of the opponents met at the board"},
	{Code: "APPO", Name: "Average perfect performance of opponents", Article: "10.5", What: "the mean perfect performance of the opponents met at the board"},
	{Code: "RTNG", Name: "Rating", Article: "10.6", What: "the entry’s own rating"},
	{Code: "LOT", Name: "Drawing of lots", Article: "4.2", What: "the place in a drawing of lots, which the tournament’s seed fixes"},
}

// tableOffers describe the tie-breaks that differ at tables of more than two.
var tableOffers = map[string]Offer{
	"WIN": {Code: "WIN", Name: "First places", What: "first places at the tables"},
	"BH":  {Code: "BH", Name: "Strength of the tables", What: "round by round, the mean score of the others at the table, added up"},
}

// modifierOffers describe the modifiers by their first letter.
var modifierOffers = map[byte][]Offer{
	'C': {
		{Code: "C1", Name: "lowest value cut", Article: "14.1", What: "without the least significant value, or without one’s least round not played by choice (16.5)"},
		{Code: "C2", Name: "two lowest values cut", Article: "14", What: "the same for two values"},
	},
	'M': {
		{Code: "M1", Name: "median", Article: "14.3", What: "without the least and the most significant value"},
		{Code: "M2", Name: "median of two", Article: "14", What: "without the two least and the two most significant values"},
	},
	'P': {{Code: "P", Name: "forfeits as games", Article: "14", What: "forfeits count as games against who should have come"}},
	'F': {{Code: "F", Name: "fore", Article: "8.3", What: "games of the last round are taken for draws"}},
	'L': {
		{Code: "L+1", Name: "limit a draw higher", Article: "14", What: "against those with half of the possible points and a draw more; L-1, L+2 and so on likewise"},
		{Code: "L60", Name: "limit 60 per cent", Article: "14", What: "against those with 60 per cent of the possible points; any number from 1 to 100"},
	},
}

// earlyCuts describe C where the values are running totals.
var earlyCuts = []Offer{
	{Code: "C1", Name: "first round cut", Article: "7.5", What: "without the score after the first round"},
	{Code: "C2", Name: "first two rounds cut", Article: "7.5", What: "without the scores after the first two rounds"},
}

// Offers returns the tie-breaks of a format with the modifiers that each takes.
func Offers(f tournament.Format) []Offer {
	known := rulesOf(f)
	var out []Offer
	for _, o := range offers {
		r, ok := known[o.Code]
		if !ok {
			continue
		}
		if t, special := tableOffers[o.Code]; special && f.Tables() {
			o = t
		}
		for _, letter := range []byte(r.modifiers) {
			more := modifierOffers[letter]
			if o.Code == "PS" {
				more = earlyCuts
			}
			o.Modifiers = append(o.Modifiers, more...)
		}
		out = append(out, o)
	}
	return out
}

// Title returns in a few words what a code with its modifiers stands for, with the articles of C.07; "" for a code
// that the format does not know.
func Title(f tournament.Format, code string) string {
	name, rest, _ := strings.Cut(code, "/")
	known := Offers(f)
	i := slices.IndexFunc(known, func(o Offer) bool { return o.Code == name })
	if i < 0 || Check(f, code) != nil {
		return ""
	}
	o := known[i]
	names, articles := []string{o.Name}, map[string]bool{o.Article: true}
	for part := range strings.SplitSeq(rest, "/") {
		for _, m := range o.Modifiers {
			if m.Code == part {
				names = append(names, m.Name)
				articles[m.Article] = true
			}
		}
		if strings.HasPrefix(part, "L") && !slices.ContainsFunc(o.Modifiers, func(m Offer) bool { return m.Code == part }) {
			names = append(names, "limit "+part[1:])
			articles["14"] = true
		}
	}
	delete(articles, "")
	title := strings.Join(names, ", ")
	if len(articles) > 0 {
		list := slices.SortedFunc(maps.Keys(articles), func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
		title += fmt.Sprintf(" (C.07, %s)", strings.Join(list, ", "))
	}
	return title
}
