package standings

import (
	"cmp"
	"slices"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/trf"
)

// rule is a tie-break as some formats know it.
type rule struct {
	Offer
	of        func(b *book, page int, m modifiers) value      // of an entry, recording its terms,
	among     func(b *book, group []int, m modifiers) []value // or of all members of a tied group
	print     func(int64) string                              // a term
	worth     func(int64) string                              // strength of an opponent; nil where that does not count
	scores    bool                                            // opponents are as strong as their scores, adjusted or not
	mean      bool                                            // the value is the mean of its terms
	derived   bool                                            // the value follows from its terms in another way
	modifiers string                                          // the first letters of those it takes
	early     bool                                            // C cuts the first rounds
	formats   uint8
	text      string   // see Offer; "" for the code in lower case
	also      []string // other programs' names, in capitals, without spaces
}

// rules holds the tie-breaks in the order of the offer. A new code has other places too: the texts of pages
// (tie_breaks.json) and the description of TieBreaks in the contract; tests compare both with this table.
var rules = []rule{
	row("DE", "Direct encounter", "6", "points from the games among those who are tied, if they have met",
		rule{among: directEncounter, print: tenths, modifiers: "P", formats: inDuels, derived: true}, "HEADTOHEAD"),
	row("WIN", "Number of wins", "7.1", "rounds that brought as many points as a win, played or not",
		rule{of: wins, print: whole, formats: inDuels}, "WINS"),
	row("WIN", "First places", "", "first places at the tables",
		rule{of: placed(1), print: whole, formats: inTables, text: "win_tables"}),
	row("2ND", "Second places", "", "second places at the tables",
		rule{of: placed(2), print: whole, formats: inTables}),
	row("3RD", "Third places", "", "third places at the tables",
		rule{of: placed(3), print: whole, formats: inTables}),
	row("TSH", "Share of the tables’ points", "",
		"round by round, the own points over all that the table gave, added up",
		rule{of: tableShare, print: millionths, formats: inTables}),
	row("SEAT", "Mean seat", "", "the mean number of the own seat: who moved later had it harder",
		rule{of: meanSeat, print: whole, formats: inTables, mean: true}),
	row("WON", "Games won", "7.2", "games won at the board",
		rule{of: gamesWon, print: whole, formats: inDuels}),
	row("BPG", "Games with Black", "7.3", "games played with the second seat",
		rule{of: blackGames, print: whole, formats: inDuels}, "BLACKGAMES"),
	row("BWG", "Wins with Black", "7.4", "games won at the board with the second seat",
		rule{of: blackWins, print: whole, formats: inDuels}, "BLACKWINS"),
	row("PS", "Progressive scores", "7.5", "the scores after each round, added up",
		rule{of: progressive, print: tenths, modifiers: "C", early: true, formats: inAll},
		"CUMULATIVE", "PROGRESSIVE", "PROGRESSIVESCORE", "SUMOFPROGRESSIVESCORES"),
	row("REP", "Rounds one elected to play", "7.6", "rounds without a half- or zero-point bye or a forfeit loss",
		rule{of: electedToPlay, print: whole, formats: inAll}),
	row("STD", "Standard points", "7.7", "one for each round with more points than the opponent, a half for as many",
		rule{of: standardPoints, print: tenths, formats: inDuels}),
	row("TPN", "Pairing number", "7.8", "the place in the starting list, the first being the best",
		rule{of: pairingNumber, print: whole, formats: inAll}, "STARTINGRANK"),
	row("BH", "Buchholz", "8.1", "the adjusted scores of the opponents, added up",
		rule{of: buchholz, print: tenths, modifiers: "CMPF", formats: inSwiss, worth: tenths, scores: true},
		"MEDIAN/M1", "MEDIANBUCHHOLZ/M1"),
	row("BH", "Strength of the tables", "", "round by round, the mean score of the others at the table, added up",
		rule{
			of: tableBuchholz, print: twelfths, modifiers: "CM", formats: inTables, worth: twelfths, scores: true,
			text: "bh_tables",
		}),
	row("AOB", "Average of opponents’ Buchholz", "8.2", "the mean Buchholz of the opponents met at the board",
		rule{of: averageBuchholz, print: tenths, modifiers: "F", formats: inSwiss, worth: tenths, mean: true},
		"AVERAGEBUCHHOLZ"),
	row("FB", "Fore Buchholz", "8.3", "Buchholz with the games of the last round taken for draws",
		rule{of: foreBuchholz, print: tenths, modifiers: "CMP", formats: inSwiss, worth: tenths, scores: true}),
	row("SB", "Sonneborn-Berger", "9.1",
		"the adjusted score of each opponent times the points made against it, added up",
		rule{of: sonnebornBerger, print: hundredths, modifiers: "CMP", formats: inDuels, worth: tenths, scores: true},
		"BERGER"),
	row("KS", "Koya", "9.2", "points made against those who have at least half of the possible points",
		rule{of: koya, print: tenths, modifiers: "L", formats: inDuels, worth: tenths, scores: true}, "KOYASYSTEM"),
	row("ARO", "Average rating of opponents", "10.1", "the mean rating of the opponents met at the board",
		rule{of: averageRating, print: whole, modifiers: "CM", formats: inAll, worth: whole, mean: true}, "AVERAGERATING"),
	row("TPR", "Performance rating", "10.2",
		"the mean rating of the opponents and the difference that goes with the share of the points",
		rule{of: performance, print: whole, formats: inDuels, worth: whole, derived: true}, "PERFORMANCE"),
	row("PTP", "Perfect performance", "10.3", "the lowest rating with which the points made were to be expected",
		rule{of: perfectPerformance, print: whole, formats: inDuels, worth: whole, derived: true}),
	row("APRO", "Average performance of opponents", "10.4",
		"the mean performance rating of the opponents met at the board",
		rule{of: averageOf("TPR", performance), print: whole, formats: inDuels, worth: whole, mean: true}),
	row("APPO", "Average perfect performance of opponents", "10.5",
		"the mean perfect performance of the opponents met at the board",
		rule{of: averageOf("PTP", perfectPerformance), print: whole, formats: inDuels, worth: whole, mean: true}),
	row("RTNG", "Rating", "10.6", "the entry’s own rating",
		rule{of: ownRating, print: whole, formats: inAll}),
	row("KZR", "Keizer total", "", "what the rounds were worth with the present values, and the own value",
		rule{of: keizerTotal, formats: inKeizer, worth: valuesOf}),
	row("VAL", "Value", "", "what a win over the player is worth: the most for the first of the ranking, 1 less for each next",
		rule{of: keizerValue, formats: inKeizer}),
	row("LOT", "Drawing of lots", "4.2", "the place in a drawing of lots, which the tournament’s seed fixes",
		rule{of: lot, print: whole, formats: inAll}, "LOTS"),
}

// row completes a rule.
func row(code, name, article, what string, r rule, also ...string) rule {
	r.Offer = Offer{Code: code, Name: name, Article: article, What: what, Text: cmp.Or(r.text, strings.ToLower(code))}
	r.also = slices.Concat(also, []string{notLetters.ReplaceAllString(strings.ToUpper(name), "")})
	return r
}

// FieldOfReport returns the field of a report file: its players after all rounds that are over or under way.
// The lots of a report are drawn from an empty seed.
func FieldOfReport(r *trf.Report) Field {
	f := Field{Format: r.Format(), Points: r.Points, Rounds: r.Rounds}
	listed := make(map[int]bool, len(r.Players))
	for _, p := range r.Players {
		listed[p.Number] = true
	}
	for _, e := range r.History(r.Held() + 1).Field {
		if listed[e.Card.Entry.Number] { // the others are fillers for gaps in the numbers
			f.Cards = append(f.Cards, e.Card)
		}
	}
	f.Annulled = annulled(r, f)
	return f
}

// annulled returns, for a round-robin, the numbers of annulled games: a report ranks all but entries that withdrew with
// fewer than half of their games played.
func annulled(r *trf.Report, f Field) map[int]bool {
	out := make(map[int]bool)
	unranked := make(map[int]bool)
	for _, p := range r.Players {
		if p.Rank == 0 {
			unranked[p.Number] = true
		}
	}
	if f.Format.Cycles() == 0 || len(unranked) == len(r.Players) {
		return out
	}
	for _, card := range f.Cards {
		played := 0
		for _, c := range card.Cells {
			if c.Kind == tournament.Played {
				played++
			}
		}
		if unranked[card.Entry.Number] && 2*played < f.Format.Cycles()*(len(f.Cards)-1) {
			out[card.Entry.Number] = true
		}
	}
	return out
}
