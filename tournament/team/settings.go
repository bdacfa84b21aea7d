// Package team has the values of tournaments of teams: their regulations, squads and line-ups with the rules of their
// order, the scoring and forfeiting of matches, the decision of level matches of a knock-out, and the Scheveningen
// tables.
//
// Teams meet in matches over several boards; a board is an ordinary duel. The team with seat 1 on the first board is
// White. Line-ups are lists of players by board, from the first.
package team

import (
	"slices"
	"strings"

	"quatuor/tournament"
)

// Settings are the regulations of a tournament of teams; see [Settings.Complete] for the usual values.
type Settings tournament.TeamRules

type (
	// Order is the rule for the order of the players in a line-up.
	Order = tournament.TeamOrder
	// GapRule is the rule for empty boards in a line-up.
	GapRule = tournament.GapRule
)

// Of returns the regulations of a tournament of teams, completed with the usual values.
func Of(t *tournament.Tournament) Settings {
	s := Settings(*t.Teams)
	s.Boards = slices.Clone(s.Boards)
	for i := range s.Boards {
		s.Boards[i].Game = t.TeamGame(i + 1)
	}
	return s.Complete()
}

// The rules.
const (
	FreeOrder   Order = "free"   // none
	FixedOrder  Order = "fixed"  // the order of registration
	RatingOrder Order = "rating" // no player sits below another with a rating lower by more than a margin
	GameOrder   Order = "game"   // the order of registration among the boards of a game, where all are registered for it
)

// The places.
const (
	GapsBottom GapRule = "bottom" // at the bottom only: the players below an empty board move up
	GapsAny    GapRule = "any"
)

// Bounds of the settings.
const (
	MinBoards   = 2
	MaxBoards   = 8
	maxLegs     = 2
	maxMargin   = 3000
	maxDeadline = 7 * 24 * 60 // minutes
	maxDays     = 120
)

// Complete returns the settings with the usual values in place of zero values.
func (s Settings) Complete() Settings {
	n := len(s.Boards)
	set(&s.Colours, strings.Repeat("WB", (n+1)/2)[:n])
	setPointer(&s.MatchPoints, StandardMatchPoints)
	setPointer(&s.GamePoints, StandardGamePoints)
	setPointer(&s.RatingMargin, 100)
	setPointer(&s.Deadline, tournament.DefaultDeadline)
	set(&s.Primary, MP)
	set(&s.Secondary, s.Primary.Other())
	set(&s.Preference, "A")
	set(&s.Order, FreeOrder)
	set(&s.Gaps, GapsBottom)
	set(&s.Squad.Least, n)
	set(&s.Squad.Most, max(n+4, s.Squad.Least))
	set(&s.Minimum, (n+1)/2)
	set(&s.Legs, 1)
	if s.KnockoutBreaks == nil {
		s.KnockoutBreaks = DefaultBreaks()
	}
	if !slices.Contains(s.KnockoutBreaks, ByLot) {
		s.KnockoutBreaks = append(slices.Clip(s.KnockoutBreaks), ByLot) // every match must be decided
	}
	setPointer(&s.PAB, s.Scoring().Drawn())
	return s
}

func set[T comparable](field *T, usual T) {
	var zero T
	if *field == zero {
		*field = usual
	}
}

func setPointer[T any](field **T, usual T) {
	if *field == nil {
		*field = &usual
	}
}

// Scoring returns the rules that score the matches.
func (s Settings) Scoring() Scoring {
	out := Scoring{Boards: len(s.Boards), Match: StandardMatchPoints, Game: StandardGamePoints}
	if s.MatchPoints != nil {
		out.Match = *s.MatchPoints
	}
	if s.GamePoints != nil {
		out.Game = *s.GamePoints
	}
	return out
}

// HasSeatOne reports whether a team of a colour has seat 1 on a board, from 1.
func (s Settings) HasSeatOne(c tournament.Colour, board int) bool {
	return (s.Colours[board-1] == 'W') == (c == tournament.White)
}

// Check returns the contradictions in regulations, completed with the usual values: a fault for each field, named as in
// JSON.
func Check(r tournament.TeamRules) tournament.FieldErrors {
	s := Settings(r)
	if n := len(s.Boards); n < MinBoards || n > MaxBoards {
		return tournament.Fault("boards", "%d boards are not possible; choose %d to %d", n, MinBoards, MaxBoards)
	}
	s = s.Complete()
	return slices.Concat(s.boardFaults(), s.scoreFaults(), s.lineUpFaults())
}

func (s Settings) boardFaults() (faults tournament.FieldErrors) {
	n := len(s.Boards)
	if len(s.Colours) != n || strings.Trim(s.Colours, "WB") != "" {
		faults = append(faults, tournament.Fault("colours",
			"%q are not the colours of %d boards; write a letter W or B for each", s.Colours, n)...)
	}
	return faults
}

func (s Settings) scoreFaults() (faults tournament.FieldErrors) {
	if m := s.MatchPoints; m.Win < m.Draw || m.Draw < m.Loss || m.Win == m.Loss || m.Loss < 0 {
		faults = append(faults, tournament.Fault("match_points", "a win must be worth more than a loss, and a draw not less "+
			"than a loss nor more than a win")...)
	}
	if g := s.GamePoints; g.Win < g.Draw || g.Draw < g.Loss || g.Win == g.Loss || g.Loss < 0 || g.Absence < 0 {
		faults = append(faults, tournament.Fault("game_points", "a win must be worth more than a loss, and a draw not less "+
			"than a loss nor more than a win")...)
	}
	if s.PAB.MP < 0 || s.PAB.GP < 0 || s.PAB.MP > s.Scoring().Won().MP || s.PAB.GP > s.Scoring().Won().GP {
		faults = append(faults, tournament.Fault("pab", "a bye cannot be worth more than a match won on all boards")...)
	}
	choices := []struct {
		field, value string
		of           []string
	}{
		{"primary", string(s.Primary), []string{string(MP), string(GP)}},
		{"secondary", string(s.Secondary), []string{string(s.Primary.Other()), string(NoScore)}},
		{"preference", s.Preference, []string{"A", "B", "none"}},
		{"order", string(s.Order), []string{string(FreeOrder), string(FixedOrder), string(RatingOrder), string(GameOrder)}},
		{"gaps", string(s.Gaps), []string{string(GapsBottom), string(GapsAny)}},
	}
	for _, c := range choices {
		if !slices.Contains(c.of, c.value) {
			faults = append(faults, tournament.Fault(c.field, "%q is not possible; write %s", c.value,
				strings.Join(c.of, ", "))...)
		}
	}
	return faults
}

func (s Settings) lineUpFaults() (faults tournament.FieldErrors) {
	n := len(s.Boards)
	for _, c := range []struct {
		field            string
		value, low, high int
	}{
		{"rating_margin", *s.RatingMargin, 0, maxMargin},
		{"squad/least", s.Squad.Least, 1, n},
		{"squad/most", s.Squad.Most, max(s.Squad.Least, n), 99},
		{"squads_close", s.SquadsClose, 0, 200},
		{"deadline_minutes", *s.Deadline, 0, maxDeadline},
		{"minimum", s.Minimum, 1, n},
		{"days", s.Days, 0, maxDays},
		{"legs", s.Legs, 1, maxLegs},
	} {
		if c.value < c.low || c.value > c.high {
			faults = append(faults, tournament.Fault(c.field, "%d is not possible; choose %d to %d", c.value, c.low, c.high)...)
		}
	}
	for i, b := range s.KnockoutBreaks {
		if !slices.Contains(DefaultBreaks(), b) || slices.Contains(s.KnockoutBreaks[:i], b) {
			faults = append(faults, tournament.Fault("knockout_breaks", "%q is not possible; write each once of %s", b,
				"BC, TBR, BBE, RAPID, LOT")...)
		}
	}
	return faults
}
