package trf

import (
	"fmt"
	"maps"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/team"
)

// complete reads the matches, and refuses a report that contradicts itself. A lenient reading keeps contradictions that
// leave the matches readable as warnings.
func (r *TeamReport) complete(lenient bool) error {
	if len(r.Teams) == 0 {
		r.Teams, r.fromOld = r.old, true
	}
	if len(r.Teams) == 0 {
		return tournament.NotValid("there is no team: a report of teams has a line 310 for each")
	}
	var err error
	r.system, err = readTeamSystem(r.System)
	if err != nil {
		return tournament.NotValid("line 192: %v", err)
	}
	faults := slices.Concat(r.Warnings, r.besideColumns(false))
	if len(faults) > 0 && !lenient {
		return tournament.NotValid("%s", faults[0])
	}
	if err := r.checkTeams(); err != nil {
		return err
	}
	byNumber, err := r.byNumber()
	if err != nil {
		return err
	}
	r.players = make(map[int]int, len(r.Players))
	for i := range r.Players {
		r.players[r.Players[i].Number] = i
		for round := range r.Players[i].Cells {
			if err := r.Players[i].checkCell(round, byNumber); err != nil {
				return err
			}
		}
	}
	if err := r.checkGaps(); err != nil {
		faults = append(faults, err.Error())
	}
	faults = append(faults, r.assignMembers()...)
	r.readMatches()
	faults = append(faults, r.besideColumns(true)...)
	faults = append(faults, r.checkLineups()...)
	faults = append(faults, r.checkOpponents()...)
	for _, wrong := range r.WrongTotals() {
		faults = append(faults, wrong.String())
	}
	if len(faults) > 0 && !lenient {
		return tournament.NotValid("%s", faults[0])
	}
	r.Warnings = faults
	return nil
}

// checkTeams refuses numbers that two teams have, or that a record has and no team.
func (r *TeamReport) checkTeams() error {
	known := make(map[int]*TeamLine)
	for i := range r.Teams {
		t := &r.Teams[i]
		if first := known[t.Number]; first != nil {
			return tournament.NotValid("line %d, team %d: line %d is that team, too", t.line, t.Number, first.line)
		}
		known[t.Number] = t
	}
	named := r.teamNumbers()
	for _, code := range slices.Sorted(maps.Keys(named)) {
		for _, number := range named[code] {
			if known[number] == nil {
				return tournament.NotValid("a line %s names team %d, and there is none", code, number)
			}
		}
	}
	return nil
}

// teamNumbers returns the teams that records name, by their codes.
func (r *TeamReport) teamNumbers() map[string][]int {
	out := make(map[string][]int)
	for _, b := range r.TeamByes {
		out["240"] = append(out["240"], b.Numbers...)
	}
	for _, f := range r.Apart {
		out["260"] = append(out["260"], f.Numbers...)
	}
	for _, b := range r.Bonuses {
		out["299"] = append(out["299"], b.Teams...)
	}
	for _, l := range r.LineUps {
		out["300"] = append(out["300"], l.Team)
		if l.Opponent > 0 {
			out["300"] = append(out["300"], l.Opponent)
		}
	}
	for _, f := range r.Forfeits {
		out["330"] = append(out["330"], f.White, f.Black)
	}
	if r.Allocated != nil {
		out["320"] = slices.DeleteFunc(slices.Clone(r.Allocated.Teams), func(n int) bool { return n == 0 })
	}
	return out
}

// assignMembers assigns to each team the members of its line that have a 001 line and are in no team before. It returns
// the others as faults.
func (r *TeamReport) assignMembers() (faults []string) {
	r.member = make(map[int]int)
	for i := range r.Teams {
		t := &r.Teams[i]
		for _, number := range t.Members {
			first, taken := r.member[number]
			switch _, known := r.players[number]; {
			case !known:
				faults = append(faults, fmt.Sprintf("line %d, team %d: there is no player %d", t.line, t.Number, number))
			case taken:
				other := r.Teams[first]
				faults = append(faults, fmt.Sprintf("line %d, team %d: player %d is in line %d as a member of team %d, too",
					t.line, t.Number, number, other.line, other.Number))
			default:
				r.member[number] = i
				t.counted = append(t.counted, number)
			}
		}
	}
	return faults
}

// checkLineups returns the players of 300 lines that are not in the team, or twice in the line.
func (r *TeamReport) checkLineups() (faults []string) {
	for _, l := range r.LineUps {
		for i, number := range l.Players {
			at, ok := r.member[number]
			switch {
			case number == 0:
			case !ok || r.Teams[at].Number != l.Team:
				faults = append(faults, fmt.Sprintf("line %d (300), team %d: player %d is not in the team", l.line, l.Team, number))
			case slices.Contains(l.Players[:i], number):
				faults = append(faults, fmt.Sprintf("line %d (300), team %d: player %d is on two boards", l.line, l.Team, number))
			}
		}
	}
	return faults
}

// checkOpponents returns the matches with boards that name two opponents, or with an opponent that names another.
func (r *TeamReport) checkOpponents() (faults []string) {
	for i, rounds := range r.matches {
		t := &r.Teams[i]
		for k, m := range rounds {
			round := k + 1
			if named := r.opponents(m.players, round); len(named) > 1 {
				faults = append(faults, fmt.Sprintf("line %d, team %d, round %d: its boards name two opponents, teams %d and %d",
					t.line, t.Number, round, named[0], named[1]))
				continue
			}
			j := r.index(m.opponent)
			if m.paired && j < 0 && slices.ContainsFunc(m.marks, team.Mark.AtBoard) {
				faults = append(faults, fmt.Sprintf("line %d, team %d, round %d: its opponents are in no team", t.line, t.Number,
					round))
			}
			if !m.paired || j < 0 {
				continue
			}
			switch other := r.matches[j][k]; {
			case j == i:
				faults = append(faults, fmt.Sprintf("line %d, team %d, round %d: it cannot meet itself", t.line, t.Number, round))
			case other.paired && other.opponent != 0 && other.opponent != t.Number:
				faults = append(faults, fmt.Sprintf(
					"line %d, team %d, round %d: its opponent is team %d, whose opponent is team %d", t.line, t.Number, round, m.opponent, other.opponent))
			}
		}
	}
	return faults
}

// WrongTotal is a number of points in line 001 or 310 that does not follow from the rounds.
type WrongTotal struct {
	Line   int
	Team   int // 0 for a player
	Player int // 0 for a team
	Text   string
}

// String returns a wrong total with its place.
func (w WrongTotal) String() string {
	if w.Player > 0 {
		return fmt.Sprintf("line %d, player %d: %s", w.Line, w.Player, w.Text)
	}
	return fmt.Sprintf("line %d, team %d: %s", w.Line, w.Team, w.Text)
}

// WrongTotals returns the points of players, and the match and game points of teams, that do not follow from the rounds.
// They are the last of the warnings, in this order.
func (r *TeamReport) WrongTotals() []WrongTotal { return append(r.checkPoints(), r.checkTotals()...) }

// checkPoints returns the players with points in columns 81 to 84 that do not follow from their games. Programs differ
// in the points that a bye of the team is worth to its members.
func (r *TeamReport) checkPoints() (faults []WrongTotal) {
	game := r.Scoring().Game
	byes := map[Result][]tournament.Points{
		Allocated: {0, game.Draw, game.Win, r.boardOfPAB()}, HalfPoint: {0, game.Draw}, FullPoint: {0, game.Win},
		ZeroPoint: {0, game.Absence},
	}
	for i := range r.Players {
		p := &r.Players[i]
		possible := map[tournament.Points]bool{0: true}
		for _, c := range p.Cells {
			worth := []tournament.Points{markOf(c).Points(game)}
			if c.Result.isBye() {
				worth = byes[c.Result]
			} else if !seated(c) {
				worth = []tournament.Points{0, game.Absence}
			}
			next := make(map[tournament.Points]bool)
			for sum := range possible {
				for _, points := range worth {
					next[sum+points] = true
				}
			}
			possible = next
		}
		if !p.NoPoints && !possible[p.Points] {
			faults = append(faults, WrongTotal{Line: p.line, Player: p.Number, Text: fmt.Sprintf(
				"%s points in columns 81 to 84 do not follow from the games", decimal(p.Points))})
		}
	}
	return faults
}

// boardOfPAB returns the points of a board of a pairing-allocated bye.
func (r *TeamReport) boardOfPAB() tournament.Points {
	return r.PABTotals().GP / tournament.Points(r.BoardCount())
}

// checkTotals returns the teams with match or game points that are not those of their rounds. Some programs already
// count byes for the round to come.
func (r *TeamReport) checkTotals() (faults []WrongTotal) {
	outcomes, scoring := r.Outcomes(), r.Scoring()
	for i := range r.Teams {
		t := &r.Teams[i]
		sum := r.BonusOf(t.Number, EveryRound)
		for _, o := range outcomes[i] {
			sum = sum.Plus(o.Totals)
		}
		with := sum
		if kind, asked := r.requested(t.Number, r.NextRound()); asked {
			with = with.Plus(scoring.Bye(kind, team.Totals{}).Totals)
		}
		for _, score := range []struct {
			score team.Score
			has   bool
		}{{team.MP, t.HasMP}, {team.GP, t.HasGP}} {
			is := t.Totals.Of(score.score)
			if score.has && is != sum.Of(score.score) && is != with.Of(score.score) {
				faults = append(faults, WrongTotal{Line: t.line, Team: t.Number, Text: fmt.Sprintf(
					"%s %s in line 310, but the rounds make %s", pointsOf(is), score.score, pointsOf(sum.Of(score.score)))})
			}
		}
	}
	return faults
}

func pointsOf(p tournament.Points) string { return signed(&p) }

// FollowedTeams refuses a report that makes other programs pair differently.
func (r *TeamReport) FollowedTeams() error {
	if r.Table() {
		return tournament.NotValid("line 192: %s has tables, which do not follow the results", r.System)
	}
	return nil
}
