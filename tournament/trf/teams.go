package trf

import (
	"slices"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/team"
)

// TeamReport is the content of a report of a tournament of teams (TRF-2026). Beside the records of [Report], whose
// byes, virtual points, forbidden pairs and abnormal points are empty, it has these (1-based columns):
//
//	013   5–36 name, 37–40, 42–45 … members; the number is the place in the file. Read only, ignored beside a 310
//	162   symbol 6, points 7–10, next at 15, 24 …: W D L A P (P: per board of a pairing-allocated bye)
//	240   5 F H Z, 7–9 round, 11–14, 16–19 … teams
//	250   5–8 match points, 10–13 game points, 15–17, 19–21 rounds, 23–26, 28–31 teams
//	260   5–7, 9–11 rounds, 13–16 … teams
//	299   5 type, 8–11 match points, 14–17 game points, perhaps after a sign, 20–22 round, 24–27 … teams
//	300   5–7 round, 9–11 team, 13–15 opponent, 17–20 … players on board 1, 2 … (0000 empty)
//	310   5–7 number, 9–40 name, 42–46 short name, 48–53 strength, 55–60 MP, 62–67 GP, 69–71 rank, 74–77 … members
//	320   5–8 MP and 10–13 GP of a pairing-allocated bye, 15–17 … its team in round 1, 2 … (000 none)
//	330   5–6 +- -+ --, 8–10 round, 12–14 White, 16–18 Black
//	352   from 5: colours of the boards of White
//	362   5–6 TW, 7–10 points, 14–15 TD, 16–19, 23–24 TL, 25–28
//
// Columns are exact: a number that is written beside its columns is refused. Other records are kept, and all that was
// not changed is written back as it was, in its place.
type TeamReport struct {
	Report
	Teams      []TeamLine
	GamePoints []SymbolPoints // of 162 as written
	MatchWorth []SymbolPoints // of 362 as written
	Colours    string         // of 352 as written; "" without a line
	Allocated  *AllocatedLine // of 320
	TeamByes   []Bye          // of 240; numbers are those of teams
	Boosts     []TeamVirtual  // of 250
	Apart      []Forbidden    // of 260
	Bonuses    []Bonus        // of 299 with a blank type
	LineUps    []LineUp       // of 300
	Forfeits   []Forfeit      // of 330
	Warnings   []string       // what a strict reader refuses

	beside  []misplaced
	system  teamSystem
	old     []TeamLine  // of 013 lines, which are kept as they are
	fromOld bool        // the teams are those
	order   []recordAt  // of all lines in the file,
	raw     []string    // as they were written there,
	asRead  []string    // and as they would be written if nothing was changed
	matches [][]match   // by team (index in Teams) and round (from 0)
	member  map[int]int // start number → index of the team
	players map[int]int // start number → index of the player
}

// TeamLine is a 310 line, or a 013 line.
type TeamLine struct {
	Number         int
	Name, Short    string
	Strength, Rank string
	Totals         team.Totals
	HasMP, HasGP   bool // the columns are not blank
	Members        []int
	line           int
	counted        []int // the members that are in no other team
}

// Line returns the number of the line in the file; 0 if it was not read from a file.
func (t TeamLine) Line() int { return t.line }

// SymbolPoints is a value of lines 162 and 362.
type SymbolPoints struct {
	Symbol string
	Points tournament.Points
}

// AllocatedLine is a 320 line.
type AllocatedLine struct {
	Totals team.Totals
	Teams  []int // by round, 0 for none
}

// TeamVirtual is a 250 line: virtual points of the teams From to To in the rounds First to Last.
type TeamVirtual struct {
	MP, GP      *tournament.Points // nil where blank
	First, Last int
	From, To    int
}

// Bonus is a 299 line with a blank type: points added to the totals of teams from a round on, or taken off.
type Bonus struct {
	MP, GP *tournament.Points // nil where blank
	Round  int                // 0 from the start
	Teams  []int
}

// LineUp is a 300 line: the start numbers on board 1, 2 …, 0 for an empty board.
type LineUp struct {
	Round, Team, Opponent int
	Players               []int
	line                  int
}

// Forfeit is a 330 line.
type Forfeit struct {
	Result              string // "+-": White won; "-+": Black won; "--": neither
	Round, White, Black int
}

// teamSystem is the content of line 192.
type teamSystem struct {
	preference         string // A, B or none
	primary, secondary team.Score
	baku, table        bool
	scheveningen       bool
}

// HasTeams reports whether a report belongs to a tournament of teams: it has 310 or 013 lines, and in line 192 a system
// for teams or none.
func HasTeams(text []byte) bool {
	teams := false
	lines, _ := splittable(text)
	for line := range strings.SplitSeq(lines, "\n") {
		switch {
		case strings.HasPrefix(line, "310 "), strings.HasPrefix(line, "013 "):
			teams = true
		case strings.HasPrefix(line, "192"):
			if system := strings.TrimSpace(line[3:]); system != "" && !strings.Contains(strings.ToUpper(system), "TEAM") {
				return false
			}
		}
	}
	return teams
}

// readTeamSystem reads FIDE_TEAM[_TYPEA|_TYPEB][_MP|_GP][_GP|_MP][_BAKU]. FIDE_TEAM alone is FIDE_TEAM_TYPEA_MP_GP.
func readTeamSystem(text string) (teamSystem, error) {
	s := teamSystem{preference: "none", primary: team.MP, secondary: team.NoScore}
	upper := strings.ToUpper(text)
	words := strings.FieldsFunc(upper, func(c rune) bool { return c == '_' || c == ' ' })
	words = slices.DeleteFunc(words, func(word string) bool { return word == "2026" })
	known := len(words) > 1 && words[0] == "FIDE" && words[1] == "TEAM"
	if len(words) > 0 && !known && !strings.Contains(upper, "ROBIN") {
		return s, sentence.Errorf("%s is not a system of teams that can be followed", text)
	}
	words = words[min(2, len(words)):]
	typed, scores := false, []team.Score(nil)
	for _, word := range words {
		switch word {
		case "TYPEA", "TYPEB":
			s.preference, typed = word[4:], true
		case "MP", "GP":
			scores = append(scores, team.Score(word))
		case "BAKU":
			s.baku = true
		case "ROUNDROBIN", "ROBIN", "ROUND", "DOUBLE", "DOUBLEROUNDROBIN", "BERGER":
			s.table = true
		case "SCHEVENINGEN":
			s.scheveningen = true
		default:
			return s, sentence.Errorf("%s is not a system of teams that can be followed: it has %q", text, word)
		}
	}
	if len(scores) > 2 || len(scores) == 2 && scores[0] == scores[1] {
		return s, sentence.Errorf("%s has the same score twice", text)
	}
	switch len(scores) {
	case 0:
		s.secondary = team.GP
		if !typed {
			s.preference = "A"
		}
	case 2:
		s.secondary = scores[1]
		fallthrough
	case 1:
		s.primary = scores[0]
	}
	return s, nil
}

// Preference returns the type of colour preferences: A, B or none.
func (r *TeamReport) Preference() string { return r.system.preference }

// Primary returns the score that pairs and ranks teams.
func (r *TeamReport) Primary() team.Score { return r.system.primary }

// Secondary returns the other score, or team.NoScore if it decides nothing.
func (r *TeamReport) Secondary() team.Score { return r.system.secondary }

// Accelerated reports whether the Baku Acceleration is in force; 250 lines replace it, and it is for match points only.
func (r *TeamReport) Accelerated() bool {
	return r.system.baku && len(r.Boosts) == 0 && r.system.primary == team.MP
}

// Scheveningen reports whether all players of a team meet all of the other team; the code in line 192 is quatuor's own.
func (r *TeamReport) Scheveningen() bool { return r.system.scheveningen }

// Turned reports whether the tables of the tournament name the teams of a match the other way round than the file: the
// letters of its boards begin with B.
func (r *TeamReport) Turned() bool { return slices.Contains(r.Events, turned) }

var turned = Event{Kind: ColoursTurned, Result: 'B'}

// SetTurned records that the tables are turned; see [TeamReport.Turned].
func (r *TeamReport) SetTurned() { r.Events = append(r.Events, turned) }

// AbsenceAboveLoss reports whether line 162 has more for an absence than for a loss. That is followed, and refused by an
// import.
func (r *TeamReport) AbsenceAboveLoss() bool {
	game := r.Scoring().Game
	return game.Absence > game.Loss
}

// Table reports whether the pairings follow from tables: a round-robin, once or twice, or a Scheveningen.
func (r *TeamReport) Table() bool {
	return r.system.table || r.system.scheveningen || r.System == "" && r.Format().RoundRobin()
}

// Scoring returns the scoring of matches.
func (r *TeamReport) Scoring() team.Scoring {
	s := team.Scoring{Boards: r.BoardCount(), Match: team.StandardMatchPoints, Game: team.StandardGamePoints}
	for _, p := range r.MatchWorth {
		*map[string]*tournament.Points{"TW": &s.Match.Win, "TD": &s.Match.Draw, "TL": &s.Match.Loss}[p.Symbol] = p.Points
	}
	for _, p := range r.GamePoints {
		switch p.Symbol {
		case "W":
			s.Game.Win = p.Points
		case "D":
			s.Game.Draw = p.Points
		case "L":
			s.Game.Loss = p.Points
		case "A", "Z":
			s.Game.Absence = p.Points
		}
	}
	return s
}

// BoardCount returns the number of boards of a match: the letters of line 352, else the most that a team had at once.
func (r *TeamReport) BoardCount() int {
	if r.Colours != "" {
		return len(r.Colours)
	}
	most := 1
	for _, rounds := range r.matches {
		for _, m := range rounds {
			most = max(most, len(m.players))
		}
	}
	return most
}

// PABTotals returns the totals of a pairing-allocated bye: line 320, else a drawn match, with P of line 162 on each
// board.
func (r *TeamReport) PABTotals() team.Totals {
	if r.Allocated != nil {
		return r.Allocated.Totals
	}
	s := r.Scoring()
	out := s.Drawn()
	for _, p := range r.GamePoints {
		if p.Symbol == "P" {
			out.GP = tournament.Points(s.Boards) * p.Points
		}
	}
	return out
}

// letter returns the colour of White on a board, from 1. White has seat 1 on board 1, whatever team a program names
// first: letters that begin with B are read as their opposite.
func (r *TeamReport) letter(board int) byte {
	if board <= len(r.Colours) {
		return tournament.WhiteFirst(r.Colours)[board-1]
	}
	return "BW"[board%2]
}

// HasTeam reports whether a team has this number.
func (r *TeamReport) HasTeam(number int) bool { return r.index(number) >= 0 }

// RoundOf returns the matches of a round, by the number of the team that comes first in the file, and the byes of the
// teams without a match. A match without a named opponent has 0 for it.
func (r *TeamReport) RoundOf(round int) (matches []Encounter, byes map[int]team.Kind) {
	byes = make(map[int]team.Kind)
	listed := make(map[int]bool)
	for i, t := range r.Teams {
		m := r.matches[i][round-1]
		switch {
		case !m.paired:
			byes[t.Number] = m.bye
		case !listed[t.Number]:
			listed[m.opponent] = m.opponent > 0
			matches = append(matches, r.encounter(t.Number, m, round))
		}
	}
	return matches, byes
}

// encounter returns a match of a team, by White and Black. Where no cell has a colour the team is White.
func (r *TeamReport) encounter(number int, own match, round int) Encounter {
	e, sides := Encounter{White: number, Black: own.opponent, Ruling: own.ruling}, [2]match{own, {}}
	if j := r.index(own.opponent); j >= 0 {
		sides[1] = r.matches[j][round-1]
	}
	if own.colour == pairing.Black || own.colour == 0 && sides[1].colour == pairing.White {
		e.White, e.Black = e.Black, e.White
		e.Ruling = e.Ruling.Other()
		sides[0], sides[1] = sides[1], sides[0]
	}
	if own.paired && (len(sides[0].players) > 0 || len(sides[1].players) > 0) {
		e.Boards = make([]BoardGame, r.BoardCount())
	}
	for i := range e.Boards {
		b := &e.Boards[i]
		for side, m := range sides {
			if i < len(m.players) && m.players[i] > 0 {
				c := r.cell(m.players[i], round)
				b.Players[side], b.Results[side] = m.players[i], c.Result
				b.Turned = b.Turned || c.Colour != 0 && (c.Colour == pairing.White) != ((r.letter(i+1) == 'W') == (side == 0))
			}
		}
	}
	return e
}

// MarkOf returns the mark of a player with a number on a board of a match.
func (r *TeamReport) MarkOf(number, round int) team.Mark {
	if number == 0 {
		return team.Empty
	}
	return markOf(r.cell(number, round))
}
