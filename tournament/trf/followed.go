package trf

import (
	"slices"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// mention is a line that names players by their numbers.
type mention struct {
	line    int
	code    string
	numbers []int
}

// unfollowed is a line that would make another program pair differently.
type unfollowed struct {
	line      int
	code, why string
	team      bool
}

// dutch are the systems of line 192 that are followed: the rules in force since 2026, by their names then and before.
var dutch = []string{
	"FIDE_DUTCH", "FIDE_DUTCH_BAKU", "FIDE_DUTCH_2025", "FIDE_DUTCH_2025_BAKU", "FIDE_DUTCH_2026",
	"FIDE_DUTCH_2026_BAKU",
}

// teamLines are the lines that only reports of team tournaments have.
var teamLines = []string{"013", "300", "310", "320", "330", "801", "802"}

// note keeps a line that cannot be followed.
func (r *Report) note(line int, code, text string) {
	u := unfollowed{line: line, code: code}
	switch system := strings.ToUpper(text); {
	case code == "013" && strings.Contains(strings.ToUpper(r.Kind), "INDIVIDUAL"): // clubs or countries, as a side prize
		return
	case slices.Contains(teamLines, code):
		u.why, u.team = "this is a report of a tournament of teams; only those of individuals can be read", true
	case code == "192" && text != "" && !slices.Contains(dutch, system):
		u.why = sentence.New("%s is not a system that can be followed; FIDE_DUTCH and FIDE_DUTCH_BAKU can be paired",
			text).String()
	case code == "XXC" && slices.Contains(strings.Fields(strings.ToLower(text)), "rank"):
		u.why = "pairing by ranks instead of by numbers (rank) cannot be followed; number the players in that order"
	default:
		return
	}
	r.unfollowed = append(r.unfollowed, u)
}

// name keeps the numbers of players in the line that was read last.
func (r *Report) name(line int, code string) {
	m := mention{line: line, code: code}
	switch code {
	case "240":
		m.numbers = r.Byes[len(r.Byes)-1].Numbers
	case "250", "XXA":
		if len(r.Virtual) > 0 {
			v := r.Virtual[len(r.Virtual)-1]
			m.numbers = []int{v.From, v.To}
		}
	case "260", "XXP":
		m.numbers = r.Forbidden[len(r.Forbidden)-1].Numbers
	case "XXZ":
		m.numbers = r.absent
	default:
		return
	}
	r.mentions = append(r.mentions, m)
}

// Followed refuses a report with a line that makes other programs pair differently.
func (r *Report) Followed() error { return r.refuse(func(unfollowed) bool { return true }) }

// Individual refuses a report of a tournament of teams.
func (r *Report) Individual() error { return r.refuse(func(u unfollowed) bool { return u.team }) }

func (r *Report) refuse(which func(unfollowed) bool) error {
	if i := slices.IndexFunc(r.unfollowed, which); i >= 0 {
		u := r.unfollowed[i]
		return tournament.NotValid("line %d (%s): %s", u.line, u.code, u.why)
	}
	return nil
}

// Baku reports whether line 192 requires the Baku Acceleration.
func (r *Report) Baku() bool { return strings.HasSuffix(strings.ToUpper(r.System), "_BAKU") }

// checkMentions refuses numbers that no player has.
func (r *Report) checkMentions(byNumber map[int]*Player) error {
	for _, m := range r.mentions {
		for _, number := range m.numbers {
			if byNumber[number] == nil {
				return tournament.NotValid("line %d (%s): there is no player %d", m.line, m.code, number)
			}
		}
	}
	return nil
}

// checkAllocated refuses a second pairing-allocated bye of a player, and a second in a round; a round-robin may have
// given each player an allocated bye in each cycle.
func (r *Report) checkAllocated() error {
	if r.Format().Fixed() {
		return nil
	}
	inRound := make(map[int]*Player)
	for i := range r.Players {
		p, before := &r.Players[i], 0
		for round, c := range p.Cells {
			round++
			if c.Result != Allocated {
				continue
			}
			if before > 0 {
				return tournament.NotValid("line %d, player %d, round %d: the player had the pairing-allocated bye (U) in "+
					"round %d already; nobody gets two (%s)", p.line, p.Number, round, before, cellColumns(round))
			}
			if other := inRound[round]; other != nil {
				return tournament.NotValid("line %d, player %d, round %d: player %d in line %d has the pairing-allocated bye "+
					"(U) of this round; there is one at most (%s)", p.line, p.Number, round, other.Number, other.line,
					cellColumns(round))
			}
			before, inRound[round] = round, p
		}
	}
	return nil
}

// Format distinguishes round-robins from a Swiss by the report's system (192) or type (092).
func (r *Report) Format() tournament.Format {
	for _, text := range []string{r.System, r.Kind} {
		text = strings.ToUpper(text)
		letters := strings.FieldsFunc(text, func(c rune) bool { return c < 'A' || c > 'Z' })
		joined := strings.Join(letters, " ")
		switch {
		case strings.Contains(joined, "SWISS") || strings.Contains(joined, "DUTCH"):
			return tournament.Swiss
		case strings.Contains(joined, "ROBIN") || strings.Contains(joined, "BERGER") ||
			strings.Contains(" "+joined+" ", " RR "):
			if strings.Contains(joined, "DOUBLE") {
				return tournament.DoubleRoundRobin
			}
			return tournament.RoundRobin
		}
	}
	return tournament.Swiss
}
