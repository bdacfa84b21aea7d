package results

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/arena"
)

// ArenaRow is a player's line.
type ArenaRow struct {
	Place  int // 0 before the first game is over
	Number int
	Name   string
	Points tournament.Points
	Streak int
	Sheet  []ArenaMark
	Me     bool
}

// Fire reports whether the next game counts double.
func (r ArenaRow) Fire() bool { return r.Streak >= 2 }

// ArenaMark is the outcome of a game in points.
type ArenaMark struct {
	Points  tournament.Points
	Game    string // id; "" for none on the server
	Doubled bool
	Berserk bool
	Forfeit bool
}

// ArenaCall is an open game of an arena in the hall.
type ArenaCall struct {
	Table int
	Names []string
	Fresh bool // it is of the latest call
}

// ArenaCalls lists the open games of an arena in the hall, the latest first.
func ArenaCalls(t *tournament.Tournament) (calls []ArenaCall) {
	latest := int64(0)
	for _, r := range t.Rounds {
		for _, p := range slices.Backward(r.Pairings) {
			if p.Result != nil || p.Arena == nil || p.Arena.Table == 0 {
				continue
			}
			latest = max(latest, p.Arena.PairedAt)
			call := ArenaCall{Table: p.Arena.Table, Fresh: p.Arena.PairedAt == latest}
			for _, id := range p.Seats {
				e, _ := t.Entry(id)
				call.Names = append(call.Names, e.Name)
			}
			calls = append(calls, call)
		}
	}
	return calls
}

// ArenaRows returns the standings of an arena with what each game brought.
func ArenaRows(t *tournament.Tournament) ([]ArenaRow, error) {
	ranked, err := arena.Of(t).Rank()
	if err != nil {
		return nil, err
	}
	names := make(map[string]tournament.Entry, len(t.Entries))
	for _, e := range t.Entries {
		names[e.ID] = e
	}
	rows := make([]ArenaRow, len(ranked))
	for i, st := range ranked {
		e := names[st.Player]
		row := ArenaRow{
			Place: st.Rank, Number: e.Number, Name: e.Name, Points: tournament.Points(st.Points), Streak: st.Streak,
		}
		for _, s := range st.Scores {
			mark := ArenaMark{
				Points: tournament.Points(s.Points), Doubled: s.Doubled, Berserk: s.Berserk, Forfeit: s.Forfeit,
			}
			if p, err := t.Pairing(1, s.Board); err == nil {
				mark.Game = p.ShownGame()
			}
			row.Sheet = append(row.Sheet, mark)
		}
		rows[i] = row
	}
	return rows, nil
}
