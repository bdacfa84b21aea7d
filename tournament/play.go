package tournament

import (
	"quatuor/engine/sentence"
)

// PlayRules are the regulations of games on the server. The zero value has no limits beyond the clocks.
type PlayRules struct {
	// longest first turn of a player before losing by forfeit; ms, 0 for no limit
	NoShowMs int64 `json:"no_show_ms,omitempty"`
	// an entry is withdrawn after this number of games lost without playing; 0 for never
	NoShows    int   `json:"no_shows,omitempty"`
	DelayMoves int   `json:"delay_moves,omitempty"` // number of last moves that spectators do not see yet
	DelayMs    int64 `json:"delay_ms,omitempty"`    // age of the state that spectators see, ms
	Takebacks  bool  `json:"takebacks,omitempty"`   // players may agree to take a move back
	Bots       bool  `json:"bots,omitempty"`        // the organiser may enter bots
}

// Limits of the regulations.
const (
	maxNoShowMs   = 30 * 24 * 3600 * 1000
	maxNoShows    = 100
	maxDelayMoves = 100
	maxDelayMs    = 24 * 3600 * 1000
)

func (r PlayRules) check(faults *FieldErrors) {
	for _, rule := range []struct {
		field string
		value int64
		limit int64
	}{
		{"no_show_ms", r.NoShowMs, maxNoShowMs},
		{"no_shows", int64(r.NoShows), maxNoShows},
		{"delay_moves", int64(r.DelayMoves), maxDelayMoves},
		{"delay_ms", r.DelayMs, maxDelayMs},
	} {
		if rule.value < 0 || rule.value > rule.limit {
			faults.add("play/"+rule.field, "%d is not possible; write a number from 0 (off) to %d", rule.value, rule.limit)
		}
	}
}

// noShows returns the number of games that an entry has lost because it did not play.
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
	if len(r.Ranks) > 2 && seat < len(r.Ranks) && r.Ranks[seat] == 0 {
		return true
	}
	return r.Forfeit && (r.Reason == timeUp || r.Reason == forfeit) && seat < len(r.Ranks) && r.Ranks[seat] > 1
}

// withoutAbsent withdraws the entries of a pairing that have reached the limit of no-shows. They may be reinstated.
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
			continue // already withdrawn
		}
		more.Acts = []Act{Act{
			Kind: ActWithdraw, By: ServerAccount, At: at, Entry: id, Round: len(t.Rounds),
		}.Because(sentence.New("did not come to play, %d times by now", missed))}
		t, delta = next, delta.Then(more)
	}
	return t, delta
}
