package results

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"quatuor/api/pages/bracket"
	"quatuor/api/pages/kit"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/team"
)

// PairingLine is a board of a round.
type PairingLine struct {
	Tournament string // id
	Numbers    string // of the entries, to find them

	Board   int
	Seats   []PairingSeat
	Bye     tournament.Bye
	Result  string // "" while it is open
	GameID  string
	Earlier []bracket.Game // games of the pairing before that game
	Third   bool           // for the third place of a knock-out
	Reason  string
	Manual  bool // given by an arbiter

	Said        sentence.Sentence // what decides a level match of teams
	Match       string            // path of the page of a match of teams; "" for others
	Adjourned   string            // when and how an open game goes on
	Adjudicated bool
	Corrected   bool   // it replaced another result
	RatedAs     string // what counts for the ratings, if that was corrected alone
}

// PairingSeat is an entry at a board.
type PairingSeat struct {
	Tournament string // id

	Number int
	Name   string
	Before tournament.Points // score before the round
	Seed   int               // number in a knock-out, where scores mean nothing; else 0
	Won    bool
	Rank   int                // 0 = none yet
	Gained *tournament.Points // in the round, at a table; nil while that is not known
	Absent bool               // did not come to the table
	Side   int                // at a table with changing partners, 1 or 2; else 0
}

// FillPairings adds the boards of the round shown.
func (b *Body) FillPairings(ctx context.Context, k *kit.Kit) error {
	if b.Shown == 0 {
		return nil
	}
	b.Pairings = PairingLines(b.Tournament, b.Rounds[b.Shown-1])
	b.Tables = slices.ContainsFunc(b.Pairings, func(l PairingLine) bool { return len(l.Seats) > 2 })
	changes, err := k.Tournaments.History(ctx, b.ID)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if c.Corrects() && !c.RatingOnly() && c.Round == b.Shown && c.Board <= len(b.Pairings) {
			b.Pairings[c.Board-1].Corrected = true
		}
	}
	return nil
}

// MatchScore returns the game points of a match of teams.
func MatchScore(t *tournament.Tournament, pair tournament.Pairing) string {
	return MatchScoreOf(t, pair, 0)
}

// MatchScoreOf returns the game points of a match of teams, with those of a side first.
func MatchScoreOf(t *tournament.Tournament, pair tournament.Pairing, side int) string {
	s := team.Of(t)
	return kit.Halves(s.Outcome(pair, side).GP.String()) + " : " + kit.Halves(s.Outcome(pair, 1-side).GP.String())
}

// PairingLines returns the boards of a round.
func PairingLines(t *tournament.Tournament, round tournament.Round) []PairingLine {
	before := map[string]PairingSeat{}
	for _, card := range t.Cards(round.Number - 1) {
		seat := PairingSeat{Tournament: t.ID, Number: card.Entry.Number, Name: card.Entry.Name}
		for _, cell := range card.Cells {
			seat.Before += cell.Points
		}
		if t.Bonuses != nil {
			seat.Before += t.BonusOf(card.Entry.ID, round.Number-1).Of(t.Teams.Rank())
		}
		before[card.Entry.ID] = seat
	}
	lines := make([]PairingLine, len(round.Pairings))
	for i, pair := range round.Pairings {
		line := PairingLine{
			Board: pair.Board, Bye: pair.Bye, Result: kit.PrettyResult(ResultText(t, pair)), GameID: pair.ShownGame(),
			Adjourned: pair.Adjourned, Tournament: t.ID,
			Third: t.ForThirdPlace(round.Number, pair),
		}
		if t.Teams != nil && pair.Bye == tournament.NoBye && round.Status != tournament.Paired {
			line.Match, line.Result = MatchPath(t.ID, round.Number, pair.Board), ""
			if !t.Sealed(pair) {
				line.Result = MatchScore(t, pair)
				if pair.Result == nil || pair.Result.GoesOn > 0 {
					line.Said = team.Of(t).Decision(t, round.Number, pair).Text
				}
			}
		}
		for _, g := range bracket.GamesOf(t, pair) {
			if g.ID != pair.GameID {
				line.Earlier = append(line.Earlier, g)
			}
		}
		for seat, id := range pair.Seats {
			who := before[id]
			line.Numbers = strings.TrimSpace(line.Numbers + " " + strconv.Itoa(who.Number))
			if t.Format.Eliminates() {
				who.Seed = who.Number
			}
			if len(pair.Seats) > 2 {
				who.atTable(t, pair, seat)
			}
			if r := pair.Result; r != nil && seat < len(r.Ranks) && (len(pair.Seats) == 2 || !r.Forfeit) {
				who.Rank = r.Ranks[seat]
				who.Won = who.Rank == 1 && r.Points[seat] > t.Points.Draw || r.GoesOn == seat+1
			}
			line.Seats = append(line.Seats, who)
		}
		if r := pair.Result; r != nil {
			line.Reason = r.Reason
			line.Manual = r.Source == tournament.ByArbiter
			line.Adjudicated = r.Adjudicated
			line.RatedAs = kit.PrettyResult(r.RatedText())
		}
		lines[i] = line
	}
	return lines
}

// atTable adds the result of a seat, from 0, at a table.
func (s *PairingSeat) atTable(t *tournament.Tournament, pair tournament.Pairing, seat int) {
	if t.Rules.Tables.Rotate {
		s.Side = seat%2 + 1
	}
	if r := pair.Result; r != nil {
		s.Gained = &r.Points[seat]
		s.Absent = slices.Contains(r.Verdict().Absent(len(pair.Seats)), seat+1)
	}
}
