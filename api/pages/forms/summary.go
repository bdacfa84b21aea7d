package forms

import (
	"cmp"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"quatuor/api/pages/kit"
	"quatuor/tournament"
)

// UsualRounds is the number of rounds of a Swiss if the form leaves it open.
const UsualRounds = 5

// Summary is a preview of the form's tournament, for a card beside it.
type Summary struct {
	Name, Control  string
	Games          []string // ids of variants
	Format         tournament.Format
	Hall, Rated    bool
	Rounds, Places int // 0 where that is not known, or not limited
	Minutes        int // of all rounds; 0 where that is not known
}

// Summary returns a preview of the form's tournament. entered is the number of entries, 0 for the number that the form
// expects; advised is the number of rounds of a Swiss if the form leaves it open, 0 for the usual number.
func (f TournamentForm) Summary(entered, advised int) Summary {
	s := Summary{
		Name: f.Field("name"), Games: f.variants(), Format: f.chosenFormat(), Control: f.Field("control"),
		Hall: f.Field("venue") == string(tournament.InHall), Rated: f.Ticked("rated"),
	}
	if other := ReadControl(f.Field("other_control")); other != "" {
		s.Control = other
	}
	if _, err := kit.ReadControl(s.Control); err != nil {
		s.Control = f.Settings.TimeControl
	}
	s.Places = wholeIn(f.Field("max_entries"))
	s.Rounds = roundsOf(s.Format, wholeIn(f.Field("rounds")), cmp.Or(entered, wholeIn(f.Field("players"))), advised)
	if parts, err := kit.ReadControl(s.Control); err == nil && (len(parts) == 0 || parts[0].Days == 0) {
		s.Minutes = s.Rounds * RoundMinutes(s.Control)
	}
	return s
}

// variants returns the games of the form: several for a match over boards of different games.
func (f TournamentForm) variants() []string {
	var teams *tournament.TeamRules
	if f.chosenFormat().Teams() {
		teams = &tournament.TeamRules{}
		for _, board := range readBoards(f.Field("boards"), func(string, ...any) {}) {
			teams.Boards = append(teams.Boards, tournament.TeamBoard{Game: showText(board["game"])})
		}
	}
	return teams.Games(f.Field("variant"))
}

// Seconds returns how long all rounds take.
func (s Summary) Seconds() float64 { return float64(60 * s.Minutes) }

// wholeIn returns the number in a field, 0 for none.
func wholeIn(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 || n > math.MaxInt16 {
		return 0
	}
	return n
}

// roundsOf returns how many rounds a tournament has, 0 if that is not known.
func roundsOf(f tournament.Format, typed, players, advised int) int {
	switch {
	case f.RoundRobin() && players > 1:
		return f.Cycles() * (players - 1 + players%2)
	case f.Eliminates() && players > 1:
		return bits.Len(uint(players - 1))
	case f.AdvisesRounds() && typed == 0:
		return cmp.Or(advised, UsualRounds)
	case f.Arrivals():
		return typed
	}
	return 0
}

// RoundMinutes estimates how long a round takes: two clocks with 30 moves each, and five minutes between rounds; half
// an hour without a clock.
func RoundMinutes(control string) int {
	parts, err := kit.ReadControl(control)
	if err != nil || len(parts) == 0 || parts[0].Days > 0 {
		return 30
	}
	seconds := 0.0
	for _, part := range parts {
		seconds += 2 * (part.Base + 30*part.Extra)
	}
	return int(math.Ceil(seconds/60)) + 5
}
