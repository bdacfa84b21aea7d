package standings

import (
	"slices"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/team"
)

// rankTeams ranks teams by package teams.
func rankTeams(f Field) (*Standings, error) {
	rows, err := teams.Rank(*f.Teams)
	if err != nil {
		return nil, err
	}
	out := &Standings{Columns: slices.Clone(f.TieBreaks)}
	for _, card := range f.Cards {
		out.Round = max(out.Round, len(card.Cells))
	}
	for _, r := range rows {
		out.Rows = append(out.Rows, Row{
			Rank: r.Rank, Shared: r.Shared, Entry: f.Cards[r.Number-1].Entry, Points: r.Totals.Of(f.Teams.Primary),
			Team: &r.Totals, TieBreaks: r.TieBreaks,
		})
	}
	return out, nil
}

// teamKinds are the kinds of rounds of teams as those of entries.
var teamKinds = map[team.Kind]tournament.Kind{
	team.ZeroPoint:    tournament.Unpaired,
	team.HalfPoint:    tournament.Unpaired,
	team.FullPoint:    tournament.Unpaired,
	team.Allocated:    tournament.Unpaired,
	team.Underway:     tournament.Pending,
	team.Played:       tournament.Played,
	team.ForfeitWin:   tournament.ForfeitWin,
	team.ForfeitLoss:  tournament.ForfeitLoss,
	team.ForfeitShare: tournament.ForfeitLoss,
}

var teamCuts = map[teams.Cut]Cut{
	teams.CutLowest: CutLowest, teams.CutVoluntary: CutVoluntary, teams.CutHighest: CutHighest,
}

// accountsOfTeams is Accounts for teams.
func accountsOfTeams(f Field, number int) ([]*Account, error) {
	list, err := teams.Accounts(*f.Teams, number)
	if err != nil {
		return nil, err
	}
	out := make([]*Account, len(list))
	for i, a := range list {
		out[i] = &Account{Code: a.Code, Entry: f.Cards[number-1].Entry, Text: a.Text, Tied: a.Tied, sum: a.Tied == nil && a.Note == ""}
		for _, t := range a.Terms {
			term := Term{Kind: teamKinds[t.Kind], Bye: t.Kind.Bye()}
			term.Round = t.Round
			term.Opponent = t.Opponent
			term.Points = t.Own.Of(f.Teams.Primary)
			term.Dummy = t.Dummy
			term.Strength = int64(t.Strength)
			term.Text = t.Text
			term.Cut = teamCuts[t.Cut]
			if t.Strength > 0 {
				term.Worth = t.Strength.String()
			}
			out[i].Terms = append(out[i].Terms, term)
		}
	}
	return out, nil
}

// sharedTexts are the texts of teams' tie-breaks that share their code with a tie-break of entries.
var sharedTexts = map[string]string{"BH": "bh", "SB": "sb", "DE": "de", "LOT": "lot"}

func teamOffer(o teams.Offer) Offer {
	text, shared := sharedTexts[o.Code]
	if !shared {
		text = "team_" + strings.ToLower(o.Code)
	}
	out := Offer{Code: o.Code, Name: o.Name, Article: o.Article, What: o.What, Text: text}
	for _, letter := range []byte(o.Modifiers) {
		if letter == 'C' || letter == 'M' {
			out.Modifiers = append(out.Modifiers, modifierOffers[letter]...)
		}
	}
	return out
}

func teamOffers(f tournament.Format) (out []Offer) {
	for _, o := range teams.Offers(f.Fixed()) {
		out = append(out, teamOffer(o))
	}
	return out
}

// describeTeams is Describe for teams; a score after a colon belongs to the code.
func describeTeams(f tournament.Format, code string) (o Offer, modifiers []Offer, known bool) {
	if Check(f, code) != nil {
		return o, nil, false
	}
	name, modifier, _ := strings.Cut(strings.ToUpper(code), "/")
	name, _, _ = strings.Cut(name, ":")
	offers := teamOffers(f)
	o = offers[slices.IndexFunc(offers, func(o Offer) bool { return strings.ToUpper(o.Code) == name })]
	for _, m := range o.Modifiers {
		if m.Code == modifier {
			modifiers = append(modifiers, m)
		}
	}
	return o, modifiers, true
}
