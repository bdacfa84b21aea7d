package scoring

import (
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// Resolve returns the verdict in the form that the pairing takes: with the missing seats, and with the result of two
// sides by the seats of a table with changing partners. Errors wrap ErrInvalid.
func Resolve(t *tournament.Tournament, p tournament.Pairing, v tournament.Verdict) (tournament.Verdict, error) {
	if t.Rules.Tables.Rotate && len(p.Seats) == tournament.UsualTable && len(v.Ranks) == 2 {
		if tournament.Unwon(v.Ranks) {
			return v, tournament.NotValid("only a game of two can end so that neither won; here write 1-0, 1/2-1/2 or 0-1")
		}
		return tournament.SideVerdict(v), nil
	}
	if v.Missing == nil {
		return v, nil
	}
	if len(p.Seats) < tournament.MinTable {
		return v, tournament.NotValid("board %d is not a table of three or more; enter a forfeit", p.Board)
	}
	out, err := tournament.TableVerdict(len(p.Seats), v.Ranks, v.Missing)
	out.Adjudicated, out.Rated = v.Adjudicated, v.Rated
	return out, err
}

// checkTable returns an error for a verdict that a table of three to five cannot have.
func checkTable(t *tournament.Tournament, v tournament.Verdict, seats int) error {
	if !t.Rules.Tables.Rotate || v.Ranks == nil || v.Forfeit || seats != tournament.UsualTable {
		return nil
	}
	for _, side := range tournament.Rotated {
		if a, b := v.Ranks[side[0]], v.Ranks[side[1]]; a != b && a != 0 && b != 0 {
			return tournament.NotValid("partners share their result, and seats %d and %d were given ranks %d and %d",
				side[0]+1, side[1]+1, a, b)
		}
	}
	return nil
}

// TableOver records the end of a server's game at a table of more than two where seats, from 1, left before their first
// move and count as absent. The table counts as played without them if the regulations allow it and at least three are
// left. Otherwise the pairing stays open, and the arbiter decides.
func TableOver(t *tournament.Tournament,
	round, board int, ranks, absent []int, reason string, at int64,
) (*tournament.Revision, error) {
	p, err := served(t, round, board)
	if err != nil {
		return nil, err
	}
	if len(ranks) != len(p.Seats) {
		return nil, tournament.NotValid("the game has ranks for %d seats, but the table has %d entries", len(ranks),
			len(p.Seats))
	}
	if !t.Rules.Tables.Short || t.Rules.Tables.Rotate || len(p.Seats)-len(absent) < tournament.MinShort {
		names := make([]string, len(absent))
		for i, seat := range absent {
			e, _ := t.Entry(p.Seats[seat-1])
			names[i] = e.Name
		}
		change := tournament.Change{Round: round, Board: board, By: tournament.ServerAccount, At: at}.
			Because(sentence.New("did not come: %s; the arbiter decides", strings.Join(names, ", ")))
		return t.WithPairing(round, board, &change, func(*tournament.Pairing) {})
	}
	v, err := tournament.TableVerdict(len(p.Seats), tournament.RanksWithout(ranks, absent), absent)
	if err != nil {
		return nil, err
	}
	return recordResult(t, round, p, v, reason, at)
}
