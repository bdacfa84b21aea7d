package tournament

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// TeamRules are the regulations of formats with teams. Empty fields have the defaults of package team, which also
// validates them.
type TeamRules struct {
	Boards         []TeamBoard   `json:"boards"`
	Colours        string        `json:"colours,omitempty"` // seat 1 of a board is White's where the letter is W
	MatchPoints    *MatchPoints  `json:"match_points,omitempty"`
	GamePoints     *GamePoints   `json:"game_points,omitempty"`
	Primary        TeamScore     `json:"primary,omitempty"`
	Secondary      TeamScore     `json:"secondary,omitempty"`
	Preference     string        `json:"preference,omitempty"` // of colours in a Swiss: A, B or none
	PAB            *TeamTotals   `json:"pab,omitempty"`        // what a pairing-allocated bye brings; nil for a drawn match
	Order          TeamOrder     `json:"order,omitempty"`
	RatingMargin   *int          `json:"rating_margin,omitempty"` // for the order by rating
	Gaps           GapRule       `json:"gaps,omitempty"`
	Squad          SquadLimits   `json:"squad,omitzero"`
	SquadsClose    int           `json:"squads_close,omitempty"`     // before this round; 0 at the start
	Deadline       *int          `json:"deadline_minutes,omitempty"` // for line-ups, before the round
	Minimum        int           `json:"minimum,omitempty"`          // boards that must be manned
	Days           int           `json:"days,omitempty"`             // for the matches of a round; 0 for a common start
	KnockoutBreaks []TeamDecider `json:"knockout_breaks,omitempty"`
	TiebreakClock  string        `json:"tiebreak_clock,omitempty"` // of the second match, which decides a level match
	Legs           int           `json:"legs,omitempty"`           // matches that two teams of a knock-out play; 0 for 1
}

// TeamBoard is the game and the clock of a board of a match.
type TeamBoard struct {
	Game        string `json:"game,omitempty"`         // id of the variant; "" for that of the tournament
	TimeControl string `json:"time_control,omitempty"` // "" for that of the tournament
	Unrated     bool   `json:"unrated,omitempty"`
}

// SquadLimits are the least and the most members of a squad.
type SquadLimits struct {
	Least int `json:"least,omitempty"`
	Most  int `json:"most,omitempty"`
}

// TeamOrder is the rule for the order of the players in a line-up. Package team has the values, as of the next two
// types.
type TeamOrder string

// GapRule is the rule for empty boards in a line-up.
type GapRule string

// TeamDecider is a way to decide a level match of a knock-out.
type TeamDecider string

// TeamScore is a score of a team: match points or game points.
type TeamScore string

// The scores.
const (
	MP      TeamScore = "MP"   // match points
	GP      TeamScore = "GP"   // game points
	NoScore TeamScore = "none" // as a secondary score: it decides nothing
)

// Other returns the other score.
func (s TeamScore) Other() TeamScore {
	if s == GP {
		return MP
	}
	return GP
}

// MatchPoints are the points of a match by comparison of the game points.
type MatchPoints struct {
	Win  Points `json:"win"`
	Draw Points `json:"draw"`
	Loss Points `json:"loss"`
}

// GamePoints are the points of a board.
type GamePoints struct {
	Win     Points `json:"win"`
	Draw    Points `json:"draw"`
	Loss    Points `json:"loss"`
	Absence Points `json:"absence"` // of a board that was not manned, or with an absent player
}

// The usual points.
var (
	StandardMatchPoints = MatchPoints{Win: 20, Draw: 10}
	StandardGamePoints  = GamePoints{Win: 10, Draw: 5}
)

// TeamTotals is a pair of scores.
type TeamTotals struct {
	MP Points `json:"mp"`
	GP Points `json:"gp"`
}

// Of returns the named score; 0 for none.
func (t TeamTotals) Of(s TeamScore) Points {
	switch s {
	case MP:
		return t.MP
	case GP:
		return t.GP
	}
	return 0
}

// Plus returns the sum of two pairs of scores.
func (t TeamTotals) Plus(o TeamTotals) TeamTotals { return TeamTotals{t.MP + o.MP, t.GP + o.GP} }

// Rank returns the score that pairs and ranks teams.
func (r TeamRules) Rank() TeamScore { return cmp.Or(r.Primary, MP) }

// points returns the points, by a score, of matches that are won, drawn, lost or not played.
func (r TeamRules) points(by TeamScore) PointSystem {
	match, game, n := StandardMatchPoints, StandardGamePoints, Points(len(r.Boards))
	if r.MatchPoints != nil {
		match = *r.MatchPoints
	}
	if r.GamePoints != nil {
		game = *r.GamePoints
	}
	out := PointSystem{
		Win: TeamTotals{match.Win, n * game.Win}.Of(by), Draw: TeamTotals{match.Draw, n * game.Draw}.Of(by),
		Loss: TeamTotals{MP: match.Loss}.Of(by),
	}
	out.ForfeitWin = out.Win
	out.ForfeitLoss = out.Loss
	out.Bye = out.Draw
	if r.PAB != nil {
		out.Bye = r.PAB.Of(by)
	}
	return out
}

// DefaultDeadline is the time between the deadline for line-ups and the round, minutes.
const DefaultDeadline = 10

// DueBefore returns the time between the deadline for line-ups and their match, ms.
func (r TeamRules) DueBefore() int64 {
	minutes := DefaultDeadline
	if r.Deadline != nil {
		minutes = *r.Deadline
	}
	return int64(minutes) * 60_000
}

// dueAt returns the deadline for the line-ups of a round that is published at a time: before its last day, if matches
// have dates. Else a round without a later start begins when they are revealed.
func (r TeamRules) dueAt(at int64, start Start) int64 {
	switch {
	case r.Days > 0:
		return max(at, at+int64(r.Days)*DayMs-r.DueBefore())
	case start.At == 0:
		return at + r.DueBefore()
	}
	return max(at, start.At-r.DueBefore())
}

// Place returns the board of the regulations for a board of a match, both from 1. The boards of matches that decide a
// level match are numbered on from those of the match itself: repeats is the number of matches before, 0 for the match
// itself.
func (r TeamRules) Place(board int) (on, repeats int) {
	return (board-1)%len(r.Boards) + 1, (board - 1) / len(r.Boards)
}

// Split returns the boards of a match, and those of each match that was played to decide it.
func (r TeamRules) Split(boards []MatchBoard) (own []MatchBoard, repeats [][]MatchBoard) {
	own = boards[:min(len(boards), len(r.Boards))]
	for rest := boards[len(own):]; len(rest) > 0; rest = rest[min(len(rest), len(r.Boards)):] {
		repeats = append(repeats, rest[:min(len(rest), len(r.Boards))])
	}
	return own, repeats
}

// SeatOne returns the side, 0 for White, that has seat 1 on a board of a match, from 1. The sides change in each match
// that decides a level match, and on boards that the Scheveningen table turned.
func (r TeamRules) SeatOne(board int, b MatchBoard) int {
	on, repeats := r.Place(board)
	letter := "BW"[on%2]
	if on <= len(r.Colours) {
		letter = r.Colours[on-1]
	}
	if (letter == 'W') == (repeats%2 == 0) != b.Turned {
		return 0
	}
	return 1
}

// squad returns the limits of the number of members.
func (r TeamRules) squad() SquadLimits {
	l := r.Squad
	if l.Least == 0 {
		l.Least = len(r.Boards)
	}
	if l.Most == 0 {
		l.Most = max(len(r.Boards)+4, l.Least)
	}
	return l
}

// CheckSquad checks the members, captain and deputies of a team. The captain is the first member if none is named.
func (t *Tournament) CheckSquad(e *Entry, faults *FieldErrors) {
	if t.Teams == nil {
		if e.Captain != "" || len(e.Deputies) > 0 {
			faults.Add("captain", "only a team over several boards has a captain, and this is a %s", t.Format)
		}
		return
	}
	limits := t.Teams.squad()
	if n := len(e.Members); n < limits.Least || n > limits.Most {
		faults.Add("members", "%d players were named, and a squad has %d to %d", n, limits.Least, limits.Most)
	}
	if e.Captain == "" && len(e.Members) > 0 {
		e.Captain = e.Members[0]
	}
	if len(e.Deputies) > limits.Most || slices.Contains(e.Deputies, "") {
		faults.Add("deputies", "at most %d deputies are possible, each with an id", limits.Most)
	}
	if e.HasBot() {
		faults.Add("members", "bots play in no squad")
	}
}

// checkSquads refuses settings that do not suit the entered teams.
func (t *Tournament) checkSquads(s Settings) error {
	if s.Teams == nil || t.Started() {
		return nil
	}
	next := *t
	next.take(s)
	for _, e := range t.Entries {
		var faults FieldErrors
		next.CheckSquad(&e, &faults)
		if e.Status != Withdrawn && len(faults) > 0 {
			return Fault("teams", "%s: %v", e.Name, faults.Sentence())
		}
	}
	return nil
}

// Leads reports whether a player files the line-ups of a team.
func (e Entry) Leads(player string) bool {
	return player != "" && (e.Captain == player || slices.Contains(e.Deputies, player))
}

// LeadersOutside returns the captain and deputies that are not members.
func (e Entry) LeadersOutside() (players []string) {
	if e.Captain != "" && !slices.Contains(e.Members, e.Captain) {
		players = append(players, e.Captain)
	}
	for _, p := range e.Deputies {
		if !slices.Contains(e.Members, p) {
			players = append(players, p)
		}
	}
	return players
}

// Inside reports whether a player leads the team, or is a member and has agreed to it.
func (e Entry) Inside(player string) bool {
	return e.Leads(player) || player != "" && e.agreed(player)
}

// InsideMatch reports whether a player is inside a team of a match. Only these players and staff see the dates that are
// proposed for it.
func (t *Tournament) InsideMatch(p Pairing, player string) bool {
	return slices.ContainsFunc(p.Seats, func(id string) bool {
		e, _ := t.Entry(id)
		return e.Inside(player)
	})
}

// checkTeams returns the settings with the points of matches, and adds faults in the regulations of teams.
func (s Settings) checkTeams(c Checks, faults *FieldErrors) Settings {
	switch {
	case !s.Format.Teams() && s.Teams != nil:
		faults.Add("teams", "a %s has no matches of teams over several boards", s.Format)
	case !s.Format.Teams():
	case s.Teams == nil:
		faults.Add("teams", "a %s needs the boards of a match (teams.boards)", s.Format)
	case c.Teams == nil:
		faults.Add("format", "there are no tournaments of teams here")
	default:
		s = s.withTeams(c, faults)
	}
	return s
}

func (s Settings) withTeams(c Checks, faults *FieldErrors) Settings {
	for _, f := range c.Teams(*s.Teams) {
		f.Field = "teams/" + f.Field
		*faults = append(*faults, f)
	}
	s.Teams.checkNew(c.Had, faults)
	usual := s.Teams.points(s.Teams.Rank())
	if set := s.Points; set != (PointSystem{}) && set != usual {
		faults.Add("points", "what matches and boards of teams are worth is in teams.match_points and teams.game_points")
	}
	if !s.Format.Eliminates() && (s.Teams.KnockoutBreaks != nil || s.Teams.TiebreakClock != "" || s.Teams.Legs > 1) {
		faults.Add("teams", "only a %s decides level matches (teams.knockout_breaks, teams.tiebreak_clock) or has two legs "+
			"(teams.legs), and this is a %s", TeamKnockout, s.Format)
	}
	rules := *s.Teams
	if !s.Format.FilesLineUps() {
		rules = rules.scheveningen(faults)
	}
	if rules.TiebreakClock != "" {
		control, err := c.TimeControl(rules.TiebreakClock)
		if err != nil {
			faults.Add("teams/tiebreak_clock", "%v", err)
		}
		rules.TiebreakClock = control
	}
	rules.Boards = slices.Clone(rules.Boards)
	for i := range rules.Boards {
		s.checkTeamBoard(c, i, &rules.Boards[i], rules.TiebreakClock, faults)
	}
	s.Points, s.Teams = usual, &rules
	return s
}

// checkNew refuses values that are allowed only in regulations that had them before; had is nil for new regulations.
// Colours that begin with B would only name the teams the other way round.
func (r TeamRules) checkNew(had *TeamRules, faults *FieldErrors) {
	if had == nil {
		had = &TeamRules{}
	}
	if strings.HasPrefix(r.Colours, "B") && r.Colours != had.Colours {
		faults.Add("teams/colours", "%q begins with B, which would only name the teams the other way round; write %s",
			r.Colours, WhiteFirst(r.Colours))
	}
	if g := r.GamePoints; g != nil && g.Absence > g.Loss && (had.GamePoints == nil || *g != *had.GamePoints) {
		faults.Add("teams/game_points", "an absence cannot be worth more than a loss: %s is more than %s", g.Absence, g.Loss)
	}
}

// WhiteFirst returns colours for the team with seat 1 on board 1: the letters themselves or, if they begin with B, the
// opposite letters.
func WhiteFirst(colours string) string {
	if strings.HasPrefix(colours, "B") {
		return Opposite(colours)
	}
	return colours
}

// Opposite returns the colours of the other team.
func Opposite(colours string) string { return strings.NewReplacer("B", "W", "W", "B").Replace(colours) }

// scheveningen returns the regulations of a Scheveningen: it is a single match, so that game points decide, and its
// players keep their places.
func (r TeamRules) scheveningen(faults *FieldErrors) TeamRules {
	r.Primary = cmp.Or(r.Primary, GP)
	r.Secondary = cmp.Or(r.Secondary, NoScore)
	r.Gaps = cmp.Or(r.Gaps, "any")
	if r.Primary != GP {
		faults.Add("teams/primary", "a %s is one match, which game points (GP) decide", TeamScheveningen)
	}
	if r.Gaps != "any" || r.Order != "" && r.Order != "free" {
		faults.Add("teams/order", "in a %s players keep their places, so the order is free and gaps may be anywhere (any)",
			TeamScheveningen)
	}
	return r
}

// checkTeamBoard checks the game and the clock of a board, from 0, that differ from those of the tournament; deciding
// is the clock of matches that decide a level match, "" for the same clock.
func (s Settings) checkTeamBoard(c Checks, i int, b *TeamBoard, deciding string, faults *FieldErrors) {
	variant, options := s.gameOf(*b)
	shape, err := c.Variant(variant, options)
	switch {
	case err != nil:
		faults.Add("teams/boards", "board %d: %v", i+1, err)
		return
	case shape != (Shape{Min: 2, Max: 2, Members: 1}):
		faults.Add("teams/boards", "board %d: %s is not a game between two players", i+1, variant)
	}
	control := s.TimeControl
	if b.TimeControl != "" {
		control, err = c.TimeControl(b.TimeControl)
		if err != nil {
			faults.Add("teams/boards", "board %d: %v", i+1, err)
			return
		}
		b.TimeControl = control
	}
	if c.Ends != nil && len(*faults) == 0 {
		err := c.Ends(variant, options, control)
		if err == nil && deciding != "" {
			err = c.Ends(variant, options, deciding)
		}
		if err != nil {
			faults.Add("teams/boards", "board %d: %v", i+1, err)
		}
	}
}

// gameOf returns the variant of a board and its options: those of the tournament are for its own variant only.
func (s Settings) gameOf(b TeamBoard) (variant string, options map[string]string) {
	if b.Game == "" || b.Game == s.Variant {
		return s.Variant, s.Options
	}
	return b.Game, nil
}

// TeamGame returns the id of the variant that is played on a board, from 1, of a match.
func (t *Tournament) TeamGame(board int) string {
	on, _ := t.Teams.Place(board)
	variant, _ := Settings{Variant: t.Variant}.gameOf(t.Teams.Boards[on-1])
	return variant
}

// Games returns the ids of the variants that are played: several in matches of teams over boards of different games.
func (t *Tournament) Games() []string { return t.Teams.Games(t.Variant) }

// Games returns the ids of the variants of the boards; usual is the variant of boards without their own, and the only
// variant without regulations of teams.
func (r *TeamRules) Games(usual string) []string {
	if r == nil {
		return []string{usual}
	}
	var list []string
	for _, board := range r.Boards {
		if game := cmp.Or(board.Game, usual); !slices.Contains(list, game) {
			list = append(list, game)
		}
	}
	return list
}

// sameTeams reports whether the regulations of teams are equal.
func sameTeams(a, b *TeamRules) bool {
	return a == b || a != nil && b != nil && alike(reflect.ValueOf(*a), reflect.ValueOf(*b))
}
