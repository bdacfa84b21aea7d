package teams

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/team"
)

// FieldOf returns the field of a tournament of teams after a round.
func FieldOf(t *tournament.Tournament, round int) Field {
	s := team.Of(t)
	f := Field{
		Table: t.Format.Fixed(), Rounds: t.RoundCount, Scoring: s.Scoring(), Primary: s.Primary,
		TieBreaks: t.TieBreaks, Seed: t.LotSeed,
	}
	annulled, numbers := t.Annulled(round), make(map[string]int)
	for _, e := range t.Numbered() {
		numbers[e.ID] = e.Number
		f.Teams = append(f.Teams, Team{
			ID: e.ID, Number: e.Number, Name: e.Name, Annulled: annulled[e.Number],
			Bonus:  t.BonusOf(e.ID, round),
			Rounds: make([]team.Outcome, min(round, t.PublishedRounds())),
		})
	}
	for i, r := range t.Rounds[:min(round, t.PublishedRounds())] {
		for _, p := range r.Pairings {
			for side, id := range p.Seats {
				if n := numbers[id]; n > 0 {
					f.Teams[n-1].Rounds[i] = outcome(s, p, side, numbers)
				}
			}
		}
	}
	return f
}

// outcome returns the outcome of a pairing for a team.
func outcome(s team.Settings, p tournament.Pairing, side int, numbers map[string]int) team.Outcome {
	if p.Bye != tournament.NoBye {
		return s.Scoring().Bye(team.KindOf(p.Bye), *s.PAB)
	}
	o := s.Outcome(p, side)
	o.Opponent = numbers[p.Seats[1-side]]
	return o
}

// BoardRow is a member's line in the prizes of a board.
type BoardRow struct {
	Board  int
	Player string
	Team   int               // number
	Points tournament.Points // on the board, forfeits won included
	Games  int               // played there
	Listed bool              // with enough games there for a prize: two thirds of the rounds
}

// Boards returns a line for each member that has played, on its most frequent board, the higher board if equal; the
// best of each board first.
func Boards(t *tournament.Tournament, round int) []BoardRow {
	s := team.Of(t)
	rows := make(map[[2]string][]BoardRow) // by entry and player, by board
	for _, r := range t.Rounds[:min(round, t.PublishedRounds())] {
		for _, p := range r.Pairings {
			own, _ := s.Split(p)
			for i, b := range own {
				for side, player := range b.Players {
					if player == "" || b.Result == nil {
						continue
					}
					key := [2]string{p.Seats[side], player}
					if rows[key] == nil {
						rows[key] = make([]BoardRow, len(s.Boards))
					}
					e, _ := t.Entry(p.Seats[side])
					row := &rows[key][team.PlaceOf(t, r.Number, e.Number, i)]
					row.Points += b.Result.Points[side]
					if !b.Result.Forfeit {
						row.Games++
					}
				}
			}
		}
	}
	var out []BoardRow
	for key, boards := range rows {
		best := 0
		for i := range boards {
			if boards[i].Games > boards[best].Games {
				best = i
			}
		}
		row := boards[best]
		e, _ := t.Entry(key[0])
		row.Board = best + 1
		row.Player = key[1]
		row.Team = e.Number
		row.Listed = 3*row.Games >= 2*min(round, t.PublishedRounds())
		out = append(out, row)
	}
	slices.SortFunc(out, func(a, b BoardRow) int {
		return cmp.Or(cmp.Compare(a.Board, b.Board), cmp.Compare(b.Points, a.Points), cmp.Compare(a.Games, b.Games),
			cmp.Compare(a.Team, b.Team), cmp.Compare(a.Player, b.Player))
	})
	return out
}
