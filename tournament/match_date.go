package tournament

// DayMs is a day in milliseconds.
const DayMs = 24 * 3600 * 1000

// MatchDate is the date of a match of teams, in a round that has several days for its matches; times are ms UTC.
type MatchDate struct {
	At       int64    `json:"at,omitempty"`    // as agreed, or as an arbiter set it; 0 for not yet
	Until    int64    `json:"until,omitempty"` // the match's own last day; 0 for that of the round
	Proposed [2]int64 `json:"proposed"`        // by each side and not agreed; 0 for none
}

// Dated reports whether the matches of a tournament have dates of their own.
func (t *Tournament) Dated() bool { return t.Teams != nil && t.Teams.Days > 0 }

// settled returns the date without proposals; nil if there is nothing else.
func (d *MatchDate) settled() *MatchDate {
	if d == nil || d.At == 0 && d.Until == 0 {
		return nil
	}
	return &MatchDate{At: d.At, Until: d.Until}
}
