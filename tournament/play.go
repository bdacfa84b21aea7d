package tournament

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
			faults.Add("play/"+rule.field, "%d is not possible; write a number from 0 (off) to %d", rule.value, rule.limit)
		}
	}
}

// NoShow reports whether a seat lost because it did not play.
func (r Result) NoShow(seat int) bool {
	if len(r.Ranks) > 2 && seat < len(r.Ranks) && r.Ranks[seat] == 0 {
		return true
	}
	return r.Forfeit && (r.Reason == ReasonTime || r.Reason == ReasonForfeit) && seat < len(r.Ranks) && r.Ranks[seat] > 1
}
