package bracket

import (
	"html/template"
	"slices"
	"strings"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/knockout"
	"quatuor/tournament/team"
)

// Body holds the bracket on the page of a knock-out.
type Body struct {
	Picture template.HTML
	Left    int // rounds left out of the picture, from the first, because it would be too large
	Rounds  []roundLine
	Rules   tournament.KnockoutRules
	Breaks  string // the criteria of a level match of teams, in this order; "" for others
	Winner  string
}

// roundLine is a round in the list of matches.
type roundLine struct {
	Name    string
	Matches []matchLine
}

// matchLine is a match in the list. A match that is not played has a single side, or none.
type matchLine struct {
	Sides   []Side
	State   State
	Winner  string
	Nobody  bool   // both forfeited
	Result  string // as score sheets have it, in the seats of the last game
	Reason  string
	Said    sentence.Sentence // the decision of a match of teams
	Games   []Game
	Forfeit bool
	Third   bool
}

// maxRounds is the maximum number of rounds in a picture, the last of them: 32 matches in its first column.
const maxRounds = 6

// New returns the bracket on the page of a knock-out; nil before the first pairing.
func New(in *message.Printer, t *tournament.Tournament) *Body {
	b := knockout.Of(pairing.HistoryOf(t, t.PublishedRounds()+1))
	if !t.Format.Eliminates() || len(b.Rounds) == 0 {
		return nil
	}
	v := builder{in, t, t.Numbered(), len(b.Rounds)}
	body := &Body{Left: max(0, len(b.Rounds)-maxRounds), Rules: t.Rules.Match}
	if t.Teams != nil {
		body.Breaks = breaksOf(team.Of(t))
	}
	var tree Tree
	for r, matches := range b.Rounds {
		round := roundLine{Name: RoundName(v.in, r+1, len(b.Rounds))}
		column := Round{Name: round.Name}
		for _, m := range matches {
			told := v.match(m)
			round.Matches = append(round.Matches, told)
			column.Matches = append(column.Matches, v.box(m, told))
		}
		body.Rounds = append(body.Rounds, round)
		if r >= body.Left {
			tree.Rounds = append(tree.Rounds, column)
		}
	}
	last := len(b.Rounds) - 1
	if final := b.Rounds[last][0]; final.Winner > 0 {
		body.Winner = v.entries[final.Winner-1].Name
	}
	if b.Third != nil {
		third := v.match(*b.Third)
		third.Third = true
		box := v.box(*b.Third, third)
		tree.Third = &box
		body.Rounds[last].Matches = append(body.Rounds[last].Matches, third)
	}
	body.Picture = Draw(tree, Picture{
		ID: "bracket", Title: kit.Say(v.in, "bracket.title", "Name", t.Name), Words: body.describe(in, len(v.entries)),
		ThirdPlace: kit.Say(v.in, "bracket.third_place"),
	})
	return body
}

// describe returns the description of the picture.
func (b *Body) describe(in *message.Printer, entries int) string {
	out := kit.Say(in, "bracket.picture", "Entries", entries, "Count", len(b.Rounds))
	if b.Winner != "" {
		out = kit.Say(in, "bracket.has_won", "Name", b.Winner) + " " + out
	}
	return out
}

// breaksOf lists the criteria of a level match.
func breaksOf(s team.Settings) string {
	words := make([]string, len(s.KnockoutBreaks))
	for i, b := range s.KnockoutBreaks {
		words[i] = string(b)
		if b == team.ByRapid && s.TiebreakClock != "" {
			words[i] += " (" + s.TiebreakClock + ")"
		}
	}
	return strings.Join(words, ", ")
}

// builder builds the list and the picture; it indexes the entries by number.
type builder struct {
	in      *message.Printer
	t       *tournament.Tournament
	entries []tournament.Entry
	rounds  int // of the bracket
}

// match returns a match for the list.
func (v *builder) match(m knockout.Match) matchLine {
	told := matchLine{State: Waiting, Nobody: !m.Free() && m.Winner == knockout.NoEntry}
	p, err := v.t.Pairing(m.Paired, m.Board)
	there := err == nil
	for side, n := range m.Entries {
		if n != knockout.NoEntry {
			told.Sides = append(told.Sides, v.side(m, side, p))
		}
	}
	switch {
	case m.Free():
		told.State = Free
	case m.Winner != knockout.Open:
		told.State = Over
	case there:
		told.State = Playing
	}
	if m.Winner > 0 {
		told.Winner = v.entries[m.Winner-1].Name
	}
	if there {
		told.Result, told.Games = kit.PrettyResult(p.Text()), GamesOf(v.t, p)
		if v.t.Teams != nil {
			told.Said = team.Of(v.t).Decision(v.t, m.Paired, p).Text
		}
		if p.Result != nil {
			told.Reason, told.Forfeit = p.Result.Reason, p.Result.Forfeit
		}
	}
	return told
}

// side is the upper (0) or the lower (1) of a match.
func (v *builder) side(m knockout.Match, side int, p tournament.Pairing) Side {
	n := m.Entries[side]
	if n > 0 {
		e := v.entries[n-1]
		return Side{Seed: n, Name: e.Name, Score: v.score(m.Paired, p, e.ID), Won: m.Winner == n && !m.Free()}
	}
	if m.Place == 0 {
		return Side{Name: kit.Say(v.in, "bracket.loser", "Number", side+1)}
	}
	id := "bracket.winner_of_match"
	switch v.rounds - (m.Round - 1) {
	case 1:
		id = "bracket.winner_of_semi_final"
	case 2:
		id = "bracket.winner_of_quarter_final"
	}
	return Side{Name: kit.Say(v.in, id, "Number", 2*m.Place-1+side)}
}

// box returns a match for the picture.
func (v *builder) box(m knockout.Match, told matchLine) Match {
	out := Match{State: told.State}
	at := 0
	for side, n := range m.Entries {
		switch {
		case n != knockout.NoEntry:
			out.Sides[side] = told.Sides[at]
			at++
		case m.Round == 1:
			out.Sides[side].Name = kit.Say(v.in, "bracket.bye")
		default:
			out.Sides[side].Name = kit.Say(v.in, "bracket.nobody")
		}
	}
	return out
}

// score returns an entry's score in a match: its game points in the legs that are over, if it is a team.
func (v *builder) score(round int, p tournament.Pairing, id string) string {
	if v.t.Teams == nil {
		return score(p, id)
	}
	var legs []string
	first, _ := team.FirstLeg(v.t, max(round, 1), p)
	for _, leg := range []tournament.Pairing{first, p} {
		if leg.Result != nil {
			legs = append(legs, v.in.Points(team.Of(v.t).Outcome(leg, slices.Index(leg.Seats, id)).GP))
		}
	}
	return strings.Join(legs, " + ")
}

// score returns an entry's results in the games of a match, a sign for each that counts: "½1", or "+" for a forfeit.
func score(p tournament.Pairing, id string) string {
	var out strings.Builder
	for _, g := range p.Earlier {
		if g.Ranks != nil {
			out.WriteString(sign(g.Seats, g.Ranks, id))
		}
	}
	switch r := p.Result; {
	case r == nil:
	case r.Reason == tournament.ReasonLot && r.Source == tournament.ByServer:
		out.WriteString("½") // the last game; the winner is set off
	case r.Forfeit && r.Ranks == nil:
		out.WriteString("−")
	case r.Forfeit:
		out.WriteString(map[string]string{"1": "+", "0": "−"}[sign(p.Seats, r.Ranks, id)])
	default:
		out.WriteString(sign(p.Seats, r.Ranks, id))
	}
	return out.String()
}

// sign returns an entry's result in a game of two.
func sign(seats []string, ranks []int, id string) string {
	for i, seat := range seats {
		switch {
		case seat != id:
		case ranks[i] != 1:
			return "0"
		case ranks[1-i] == 1:
			return "½"
		default:
			return "1"
		}
	}
	return ""
}

// RoundOf returns the name of a round of a tournament: that of the bracket, and its leg.
func RoundOf(in *message.Printer, t *tournament.Tournament, round int) string {
	stage, leg := t.LegOf(round)
	name := RoundName(in, stage, t.RoundCount/t.Legs())
	if t.Legs() > 1 {
		name = kit.Say(in, "bracket.leg", "Round", name, "Leg", leg)
	}
	return name
}

// RoundName returns the translated name of a round of a knock-out; knockout.Name has the English.
func RoundName(in *message.Printer, round, rounds int) string {
	switch left := rounds - round; left {
	case 0:
		return kit.Say(in, "bracket.final")
	case 1:
		return kit.Say(in, "bracket.semi_finals")
	case 2:
		return kit.Say(in, "bracket.quarter_finals")
	default:
		return kit.Say(in, "bracket.round_of", "Entries", 2<<left)
	}
}

// Game is a game of a pairing that can be looked at.
type Game struct {
	ID   string
	Kind tournament.GameKind
	Mark string // "½ – ½", "1 – 0", "" while it is played and if it does not count
}

// GamesOf lists the games of a pairing.
func GamesOf(t *tournament.Tournament, p tournament.Pairing) (list []Game) {
	for _, g := range t.GamesOf(p) {
		list = append(list, Game{g.ID, g.Kind, kit.PrettyResult(g.Result)})
	}
	return list
}
