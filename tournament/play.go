package tournament

import "fmt"

// PlayRules are what the regulations say about play on the server's boards. The zero value adds nothing to clocks.
type PlayRules struct {
	NoShowMs   int64 // a player whose own first turn lasts longer loses by forfeit; ms, 0 for no such limit
	NoShows    int   // an entry that has lost so many games without playing is out from the next round on; 0 never
	DelayMoves int   // spectators see a game without its last moves, so many of them
	DelayMs    int64 // spectators see a game as it stood so many ms ago
	Takebacks  bool  // players may agree to take a move back
}

// What the regulations may ask for at most.
const (
	mostNoShowMs   = 30 * 24 * 3600 * 1000
	mostNoShows    = 100
	mostDelayMoves = 100
	mostDelayMs    = 24 * 3600 * 1000
)

func (r PlayRules) check(faults *FieldErrors) {
	for _, limit := range []struct {
		field string
		value int64
		most  int64
	}{
		{"no_show_ms", r.NoShowMs, mostNoShowMs},
		{"no_shows", int64(r.NoShows), mostNoShows},
		{"delay_moves", int64(r.DelayMoves), mostDelayMoves},
		{"delay_ms", r.DelayMs, mostDelayMs},
	} {
		if limit.value < 0 || limit.value > limit.most {
			faults.add("play/"+limit.field, "%d is not from 0 (off) to %d", limit.value, limit.most)
		}
	}
}

// noShows counts the games that an entry has lost because it did not play.
func (t *Tournament) noShows(id string) (n int) {
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Result == nil || p.Result.Source != ByServer {
				continue
			}
			for i, seat := range p.Seats {
				if seat == id && p.Result.noShow(i) {
					n++
				}
			}
		}
	}
	return n
}

// noShow reports whether a seat lost because it did not play.
func (r Result) noShow(seat int) bool {
	return r.Forfeit && (r.Reason == timeUp || r.Reason == forfeit) && seat < len(r.Ranks) && r.Ranks[seat] > 1
}

// withoutAbsent takes the entries out whose last game was one no-show too many. They may be reinstated.
func (t *Tournament) withoutAbsent(p Pairing, delta Delta, at int64) (*Tournament, Delta) {
	if t.Play.NoShows == 0 || p.Result == nil {
		return t, delta
	}
	for i, id := range p.Seats {
		missed := t.noShows(id)
		if !p.Result.noShow(i) || missed < t.Play.NoShows {
			continue
		}
		next, more, err := t.Withdraw(id)
		if err != nil || next == t {
			continue // it has withdrawn by itself
		}
		more.Acts = []Act{{
			Kind: ActWithdraw, By: ServerAccount, At: at, Entry: id, Round: len(t.Rounds),
			Why: fmt.Sprintf("did not come to play, %d times by now", missed),
		}}
		t, delta = next, delta.Then(more)
	}
	return t, delta
}
