package teams

import (
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/team"
)

// Offer is a tie-break that organisers may choose.
type Offer struct {
	Code, Name, Article string
	What                string // in a sentence without a full stop
	Modifiers           string // the first letters of those it takes; ":" for a score
	Swiss               bool   // not used in a round-robin
}

// rule is a tie-break with its computation: for a single team, or among all teams of a tied group.
type rule struct {
	Offer
	of    ofTeam
	among func(b *book, group []int, m modifiers) []value
}

// ofTeam computes the value of a single team.
type ofTeam func(b *book, page int, m modifiers) value

// modifiers is the part of a code after slashes and colons.
type modifiers struct {
	score     team.Score // after a colon; else the primary score
	low, high int        // C, M: number of values cut
	factor    int64      // K; 0 for the usual factor
}

// tieBreak is a code with its modifiers.
type tieBreak struct {
	code string
	rule
	modifiers
}

// rules holds the tie-breaks in the order of the offer.
var rules = []rule{
	row("MP", "Match points", "11.1", "the match points", "", false, total(team.MP)),
	row("GP", "Game points", "11.1", "the game points", "", false, total(team.GP)),
	row("MPvGP", "The other score", "13.1", "match or game points, those that are not primary", "", false, otherScore),
	row("BH", "Buchholz", "8.1", "the adjusted scores of the opponents, added up", ":CM", true, buchholz),
	row("SB", "Sonneborn-Berger", "13.2", "EMMSB or EGGSB by the primary score", "C", false,
		func(b *book, page int, m modifiers) value { return b.sonnebornBerger(page, m, b.Primary, b.Primary) }),
	extended("EMMSB", "match points of each opponent times own match points", team.MP, team.MP),
	extended("EMGSB", "match points of each opponent times own game points", team.MP, team.GP),
	extended("EGMSB", "game points of each opponent times own match points", team.GP, team.MP),
	extended("EGGSB", "game points of each opponent times own game points", team.GP, team.GP),
	row("SSSC", "Score and schedule strength", "13.4",
		"the secondary score, and a share of the Buchholz by the primary one", "K", true, scheduleStrength),
	{
		Offer: Offer{"BC", "Board count", "12.1", "the boards times the points on them: the lower is first", "", false},
		among: boardCount,
	},
	row("TBR", "Top board results", "12.2", "game points on board 1, then on board 2, and so on", "", false, topBoards),
	row("BBE", "Bottom board elimination", "12.3",
		"game points without the last board, then without the last two, and so on", "", false, bottomBoards),
	{
		Offer: Offer{"DE", "Direct encounter", "6", "points from the matches among those who are tied", ":", false},
		among: func(b *book, group []int, m modifiers) []value {
			return places(group, b.encounter(group, b.scoreOf(m)))
		},
	},
	extendedEncounter("EDE", "direct encounter by the primary score, then by the other"),
	extendedEncounter("EDEBT", "EDE, then for two BC and TBR", boardCount, among(topBoards)),
	extendedEncounter("EDEBB", "EDE, then for two BC and BBE", boardCount, among(bottomBoards)),
	extendedEncounter("EDET", "EDE, then for two TBR", among(topBoards)),
	extendedEncounter("EDEB", "EDE, then for two BBE", among(bottomBoards)),
	row("WIN", "Matches won", "7.1", "rounds that brought a win's match points", "", false, wins(false)),
	row("WON", "Matches won at the boards", "7.2", "matches won, of those played", "", false, wins(true)),
	row("TPN", "Pairing number", "7.8", "the place in the starting list, the first being the best", "", false,
		func(b *book, page int, _ modifiers) value {
			n := int64(b.pages[page].Number)
			return value{key: []int64{-n}, text: strconv.FormatInt(n, 10)}
		}),
	row("LOT", "Drawing of lots", "4.2", "the place in a drawing of lots from the tournament’s seed", "", false, lot),
}

// row returns the rule of a tie-break for a single team.
func row(code, name, article, what, modifiers string, swiss bool, of ofTeam) rule {
	return rule{Offer: Offer{code, name, article, what, modifiers, swiss}, of: of}
}

func extended(code, what string, theirs, own team.Score) rule {
	return row(code, "Extended Sonneborn-Berger", "13.2", what, "C", false,
		func(b *book, page int, m modifiers) value { return b.sonnebornBerger(page, m, theirs, own) })
}

func extendedEncounter(code, what string, steps ...func(*book, []int, modifiers) []value) rule {
	return rule{
		Offer: Offer{code, "Extended direct encounter", "13.3", what, "", false},
		among: func(b *book, group []int, _ modifiers) []value {
			return places(group, b.extendedEncounter(group, steps))
		},
	}
}

// among turns a rule for a single team into a rule for a group.
func among(of func(*book, int, modifiers) value) func(*book, []int, modifiers) []value {
	return func(b *book, group []int, m modifiers) []value {
		out := make([]value, len(group))
		for i, page := range group {
			out[i] = of(b, page, m)
		}
		return out
	}
}

// values returns the values of a group of tied pages, in the group's order.
func (t tieBreak) values(b *book, group []int) []value {
	if t.among != nil {
		return t.among(b, group, t.modifiers)
	}
	return among(t.of)(b, group, t.modifiers)
}

// scoreOf returns the score that a code uses.
func (b *book) scoreOf(m modifiers) team.Score {
	if m.score != "" {
		return m.score
	}
	return b.Primary
}

// Offers returns the tie-breaks of Swiss tournaments, or of round-robins.
func Offers(table bool) []Offer {
	var out []Offer
	for _, r := range rules {
		if !table || !r.Swiss {
			out = append(out, r.Offer)
		}
	}
	return out
}

// Default returns the default tie-breaks of Swiss tournaments, or of round-robins.
func Default(table bool) []string {
	if table {
		return []string{"MPvGP", "EDEB", "EMMSB"}
	}
	return []string{"MPvGP", "EDE", "BH/C1", "EMGSB"}
}

// Check refuses codes that do not exist or do not suit the format; capitals and small letters are the same.
func Check(table bool, code string) error {
	_, err := parse(table, code)
	return err
}

func parseAll(f Field) ([]tieBreak, error) {
	out := make([]tieBreak, len(f.TieBreaks))
	for i, code := range f.TieBreaks {
		t, err := parse(f.Table, code)
		if err != nil {
			return nil, err
		}
		out[i] = t
	}
	return out, nil
}

// parse reads CODE[:SCORE][/MODIFIER].
func parse(table bool, code string) (tieBreak, error) {
	name, modifier, modified := strings.Cut(strings.ToUpper(code), "/")
	name, score, scored := strings.Cut(name, ":")
	at := slices.IndexFunc(rules, func(r rule) bool { return strings.ToUpper(r.Code) == name })
	if at < 0 {
		var codes []string
		for _, o := range Offers(table) {
			codes = append(codes, o.Code)
		}
		return tieBreak{}, tournament.NotValid("there is no tie-break %q of teams; choose from %s", code,
			strings.Join(codes, ", "))
	}
	t := tieBreak{code: code, rule: rules[at]}
	switch {
	case table && t.Swiss:
		return t, tournament.NotValid("%s is not used in a round-robin, where all have the same opponents", code)
	case scored && (!strings.Contains(t.Modifiers, ":") || score != "MP" && score != "GP"):
		return t, tournament.NotValid("%s: %q is not a score of it", code, score)
	case modified && !t.modify(modifier):
		return t, tournament.NotValid("%s: %q is not a modifier of it", code, modifier)
	}
	t.score = team.Score(score)
	return t, nil
}

// modify applies a modifier, or returns false.
func (t *tieBreak) modify(text string) bool {
	if len(text) < 2 || !strings.Contains(t.Modifiers, text[:1]) || text[0] == ':' {
		return false
	}
	n, err := strconv.Atoi(text[1:])
	if err != nil || n < 1 || n > 99 || text[1] == '+' {
		return false
	}
	switch text[0] {
	case 'C':
		t.low = n
	case 'M':
		t.low, t.high = n, n
	case 'K':
		t.factor = int64(n)
	}
	return true
}

func total(score team.Score) func(*book, int, modifiers) value {
	return func(b *book, page int, _ modifiers) value { return b.total(page, score) }
}

func otherScore(b *book, page int, _ modifiers) value { return b.total(page, b.Primary.Other()) }

// total is a score, with the rounds that it comes from.
func (b *book) total(page int, score team.Score) value {
	p := &b.pages[page]
	var terms []Term
	for i, r := range p.Rounds {
		t := b.term(p, i)
		t.value = int64(r.Of(score))
		terms = append(terms, t)
	}
	n := int64(p.total.Of(score))
	return value{key: []int64{n}, text: tenths(n), terms: printed(terms, tenths)}
}

// wins counts the rounds that brought a win's match points, or only the matches played among them.
func wins(played bool) func(*book, int, modifiers) value {
	return func(b *book, page int, _ modifiers) value {
		p := &b.pages[page]
		var terms []Term
		for i, r := range p.Rounds {
			if r.Kind != team.Underway && r.MP >= b.Scoring.Match.Win && (!played || r.Kind == team.Played) {
				t := b.term(p, i)
				t.value = 1
				terms = append(terms, t)
			}
		}
		n := int64(len(terms))
		return value{key: []int64{n}, text: strconv.FormatInt(n, 10), terms: printed(terms, whole)}
	}
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

// lot is the last resort of article 4.2.
func lot(b *book, page int, _ modifiers) value {
	if b.lots == nil {
		ids := make([]string, len(b.pages))
		for i, p := range b.pages {
			ids[i] = p.ID
		}
		b.lots = tournament.Lots(b.Seed, ids)
	}
	place := int64(b.lots[page])
	return value{key: []int64{-place}, text: whole(place)}
}
