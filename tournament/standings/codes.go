package standings

import (
	"slices"
	"strconv"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/standings/teams"
)

// tieBreak is a code with its modifiers.
type tieBreak struct {
	code string
	rule
	modifiers
}

// The kinds of formats.
const (
	inSwiss  uint8 = 1 << iota // pairings follow the results
	inFixed                    // round-robins
	inTables                   // more than two at a table
	inKeizer                   // Keizer seasons
	inNone   uint8 = 0         // knock-outs: the matches decide; arenas
	inDuels        = inSwiss | inFixed
	inAll          = inDuels | inTables
)

// kindOf returns the kind of a format.
func kindOf(f tournament.Format) uint8 {
	switch {
	case f.Fixed():
		return inFixed
	case f.Tables():
		return inTables
	case f.Eliminates(), f.Continuous():
		return inNone
	case f.Traits().Ranking == tournament.ByValue:
		return inKeizer
	}
	return inSwiss
}

// ranksTeams reports whether package teams has the tie-breaks of a format.
func ranksTeams(f tournament.Format) bool { return f.Teams() && !f.Eliminates() }

// rulesOf returns the tie-breaks of a format.
func rulesOf(f tournament.Format) (list []rule) {
	for _, r := range rules {
		if r.formats&kindOf(f) != 0 {
			list = append(list, r)
		}
	}
	return list
}

// codesOf returns the codes of some tie-breaks in alphabetical order.
func codesOf(known []rule) []string {
	codes := make([]string, len(known))
	for i, r := range known {
		codes[i] = r.Code
	}
	slices.Sort(codes)
	return codes
}

// modifiers is the part of a code after slashes.
type modifiers struct {
	low, high int  // C, M: number of values cut
	played    bool // P: forfeits are games
	fore      bool // F: the last round's games are draws
	percent   int  // L: KS's limit
	draws     int  // L: number of draws added to it
}

// Check refuses codes that the format does not know; the message suggests known codes.
func Check(f tournament.Format, code string) error {
	if ranksTeams(f) {
		return teams.Check(f.Fixed(), code)
	}
	_, err := parse(rulesOf(f), f, code)
	return err
}

// Default returns the default tie-breaks of a format.
func Default(f tournament.Format) []string {
	if ranksTeams(f) {
		if !f.FilesLineUps() {
			return []string{} // a single match: level is level
		}
		return teams.Default(f.Fixed())
	}
	switch kindOf(f) {
	case inNone:
		return []string{}
	case inSwiss:
		return []string{"BH/C1", "BH", "DE", "SB", "WIN"}
	case inKeizer:
		return []string{"KZR", "VAL"}
	case inTables:
		return []string{"WIN", "2ND", "BH", "TSH", "SEAT"}
	}
	return []string{"DE", "SB", "WIN"}
}

func parseAll(f tournament.Format, codes []string) ([]tieBreak, error) {
	known := rulesOf(f)
	out := make([]tieBreak, len(codes))
	for i, code := range codes {
		t, err := parse(known, f, code)
		if err != nil {
			return nil, err
		}
		out[i] = t
	}
	return out, nil
}

// parse reads a code. A refusal suggests the code for another program's spelling.
func parse(known []rule, f tournament.Format, code string) (tieBreak, error) {
	t, err := parseKnown(known, f, code)
	if err == nil || kindOf(f) == inNone {
		return t, err
	}
	if meant := spelledHere(known, f, code); meant != "" && meant != code {
		return t, tournament.NotValid("there is no tie-break %q here; write %s", code, meant)
	}
	return t, err
}

func parseKnown(known []rule, f tournament.Format, code string) (tieBreak, error) {
	name, rest, _ := strings.Cut(code, "/")
	named := func(r rule) bool { return r.Code == name }
	at := slices.IndexFunc(known, named)
	switch {
	case f.Continuous():
		return tieBreak{}, tournament.NotValid(
			"an arena has no tie-breaks, and %q was given; fewer games and the earlier last gain decide", code)
	case kindOf(f) == inNone:
		return tieBreak{}, tournament.NotValid("a knock-out has no tie-breaks, and %q was given; its matches decide", code)
	case at < 0 && kindOf(f) == inFixed && slices.ContainsFunc(rulesOf(tournament.Swiss), named):
		return tieBreak{}, tournament.NotValid(
			"%s is not used in a round-robin, where all have the same opponents; use SB or KS", code)
	case at < 0:
		return tieBreak{}, tournament.NotValid("there is no tie-break %q in this format; choose from %s", name,
			strings.Join(codesOf(known), ", "))
	}
	t := tieBreak{code: code, rule: known[at], modifiers: modifiers{percent: 50}}
	if !strings.Contains(code, "/") {
		return t, nil
	}
	for part := range strings.SplitSeq(rest, "/") {
		if err := t.modify(part); err != nil {
			return t, tournament.NotValid("%s: %v", code, err)
		}
	}
	return t, nil
}

// modify applies a modifier.
func (t *tieBreak) modify(part string) error {
	if part == "" || !strings.Contains(t.rule.modifiers, part[:1]) {
		return sentence.Errorf("%q is not a modifier of it; %s", part, t.choice())
	}
	cuts := map[string]int{"1": 1, "2": 2}[part[1:]]
	switch {
	case part == "P" && !t.played:
		t.played = true
	case part == "F" && !t.fore:
		t.fore = true
	case part[0] == 'C' && cuts > 0 && t.low == 0:
		t.low = cuts
	case part[0] == 'M' && cuts > 0 && t.low == 0:
		t.low, t.high = cuts, cuts
	case part[0] == 'L' && t.percent == 50 && t.draws == 0:
		return t.limit(part[1:])
	default:
		return sentence.Errorf("%q cannot be added to it; %s", part, t.choice())
	}
	return nil
}

// limit parses the rest of an L modifier: +1, -2, or 60 for per cent.
func (t *tieBreak) limit(text string) error {
	n, err := strconv.Atoi(text)
	signed := strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-")
	switch {
	case err != nil || n < -100 || n > 100 || !signed && n == 0:
		return sentence.Errorf("%q is not a limit; write for example L+1 (a draw more than half of the points), L-1 or "+
			"L60 (per cent)", text)
	case signed:
		t.draws = n
	default:
		t.percent = n
	}
	return nil
}

// choice returns the modifiers that a tie-break takes, in words.
func (t *tieBreak) choice() sentence.Sentence {
	if t.rule.modifiers == "" {
		return sentence.New("it takes none")
	}
	spelled := map[rune]string{'C': "C1, C2", 'M': "M1, M2", 'P': "P", 'F': "F", 'L': "L+1, L-1, L60"}
	var out []string
	for _, letter := range t.rule.modifiers {
		out = append(out, spelled[letter])
	}
	return sentence.New("it takes %s, each kind once", strings.Join(out, ", "))
}

// compute returns the values of a group of tied pages, in the group's order.
func (b *book) compute(t tieBreak, group []int) []value {
	if t.among != nil {
		return t.among(b, group, t.modifiers)
	}
	values := make([]value, len(group))
	for i, page := range group {
		b.terms = b.terms[:0]
		values[i] = t.of(b, page, t.modifiers)
	}
	return values
}

// all returns the keys of a tie-break for every page, as the base of other tie-breaks. It discards the terms at hand.
func (b *book) all(name string, of func(*book, int, modifiers) value, m modifiers) []int64 {
	keys, ok := b.known[name]
	if !ok {
		keys = make([]int64, len(b.pages))
		for page := range b.pages {
			b.terms = b.terms[:0]
			keys[page] = of(b, page, m).key
		}
		b.known[name] = keys
	}
	b.terms = b.terms[:0]
	return keys
}
