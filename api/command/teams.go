package command

import (
	"fmt"
	"math"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/team"
)

// LineUpFiling is a line-up that is filed; nil players confirm the line-up that counts.
type LineUpFiling struct {
	Round, Match int
	Players      []string
	Final        bool
	Seen         *string // the tag of the line-up as it was, as in an If-Match header
	Blind        bool    // no tag is needed
}

// FileLineUp files a line-up, or declares it final. Only the captain and the deputies of a team may; for all others the
// line-up does not exist.
var FileLineUp = Command[LineUpFiling]{
	Name: "line-up", May: auth.EnterTournament,
	Do: func(c Call, in LineUpFiling) (*tournament.Tournament, error) {
		own, err := c.OwnLineUp(c.Ctx, c.T, in.Round, in.Match, c.Who.PlayerID)
		if err == nil && (in.Seen != nil || !in.Blind) {
			err = CheckTag(in.Seen, LineUpTag(own))
		}
		if err != nil {
			return nil, err
		}
		return c.Director.FileLineUp(c.Ctx, c.T.ID, director.Filing{
			Round: in.Round, Match: in.Match, Player: c.Who.PlayerID, Players: in.Players, Final: in.Final, Seen: &own.N,
		}, c.Order)
	},
}

// LineUpTag returns the tag of a line-up.
func LineUpTag(own director.LineUpHeld) string { return Tag([]any{own.N, own.Players, own.Final}) }

// MatchBoard is a result of a board of a match, or a substitute there.
type MatchBoard struct {
	director.MatchBoard
	Verdict       *tournament.Verdict
	Entry, Player string // of a substitute
}

// SetMatchBoard sets the result of a board of a match, or a substitute.
var SetMatchBoard = Command[MatchBoard]{
	Name: "match-board", May: auth.EnterResults,
	Part: func(t *tournament.Tournament, in MatchBoard) ([]string, error) {
		p, err := team.Match(t, in.Round, in.Match)
		return []string{Tag(p)}, err
	},
	Do: func(c Call, in MatchBoard) (*tournament.Tournament, error) {
		if in.Verdict != nil {
			return c.act(director.SetBoard(in.MatchBoard, *in.Verdict))
		}
		return c.act(director.Substitute(in.MatchBoard, in.Entry, in.Player))
	},
}

// Reopening are the line-ups of a match that are opened again for some minutes.
type Reopening struct{ Round, Match, Minutes int }

// ReopenLineUps opens the line-ups of a match again, before anything was played in it.
var ReopenLineUps = Command[Reopening]{
	Name: "reopen-line-ups", May: auth.PairRounds,
	Do: func(c Call, in Reopening) (*tournament.Tournament, error) {
		if in.Minutes < 1 || in.Minutes > maxReopened {
			return nil, tournament.Fault("minutes", "%d minutes are not possible; write 1 to %d", in.Minutes, maxReopened)
		}
		return c.act(director.Reopen(in.Round, in.Match, in.Minutes))
	},
}

// maxReopened is for how many minutes line-ups can be opened again at most.
const maxReopened = 1440

// ProposeMatchDate proposes a date of a match, or agrees to a date. Only the captain and the deputies of a team may;
// for all others the match does not exist.
var ProposeMatchDate = Command[director.Dating]{
	Name: "propose-match-date", May: auth.EnterTournament,
	Do: func(c Call, in director.Dating) (*tournament.Tournament, error) {
		if in.Player = c.Who.PlayerID; in.Player == "" {
			return nil, tournament.Refuse(tournament.ErrNotFound, "match of yours")
		}
		return c.act(director.DateMatch(in))
	},
}

// SetMatchDate puts a match on a date, or sets its last day.
var SetMatchDate = Command[director.Dating]{
	Name: "match-date", May: auth.PairRounds,
	Part: func(t *tournament.Tournament, in director.Dating) ([]string, error) {
		p, err := team.Match(t, in.Round, in.Match)
		return []string{Tag(p)}, err
	},
	Do: func(c Call, in director.Dating) (*tournament.Tournament, error) {
		if (in.At == 0) == (in.Until == 0) {
			return nil, tournament.Fault("at", "give either a date or the last day")
		}
		return c.act(director.DateMatch(in))
	},
}

// MatchDate shows when a match is played; proposals to a viewer in a team of the match, and to staff. It is nil where
// matches have no dates.
func MatchDate(t *tournament.Tournament, round int, p tournament.Pairing, player string, staff bool) *gen.MatchDate {
	if !t.Dated() {
		return nil
	}
	v := &gen.MatchDate{At: Moment(team.MatchAt(t, round, p)), LastDay: Moment(team.LastDay(t, round, p))}
	if p.Date == nil {
		return v
	}
	v.Agreed = p.Date.At > 0
	if !staff && !t.InsideMatch(p, player) {
		return v
	}
	proposals := []gen.DateProposal{}
	for side, at := range p.Date.Proposed {
		if at > 0 {
			proposals = append(proposals, gen.DateProposal{EntryID: p.Seats[side], At: Moment(at)})
		}
	}
	v.Proposals = &proposals
	return v
}

// SetBonuses replaces the penalties and bonuses of teams.
var SetBonuses = Command[[]tournament.Bonus]{
	Name: "bonuses", May: auth.PairRounds,
	Part: func(t *tournament.Tournament, _ []tournament.Bonus) ([]string, error) {
		return []string{Tag(t.Bonuses)}, nil
	},
	Do: func(c Call, list []tournament.Bonus) (*tournament.Tournament, error) {
		return c.act(director.SetBonuses(list))
	},
}

// Bonuses reads penalties and bonuses as they are sent.
func Bonuses(sent []gen.TeamBonus) ([]tournament.Bonus, error) {
	refusal := &Refusal{Err: ErrInvalid}
	points := func(i int, name string, v *float64) tournament.Points {
		if v == nil {
			return 0
		}
		tenths := math.Round(*v * 10)
		if math.Abs(*v*10-tenths) > 1e-6 {
			refusal.add(fmt.Sprintf("/items/%d/%s", i, name), "points have one decimal at most")
		}
		return tournament.Points(tenths)
	}
	out := make([]tournament.Bonus, len(sent))
	for i, b := range sent {
		out[i] = tournament.Bonus{
			Entry: b.EntryID, MP: points(i, "mp", b.Mp), GP: points(i, "gp", b.Gp), Why: b.Reason,
		}
		Set(&out[i].After, b.AfterRound)
	}
	return out, refusal.or()
}

// applyTeams puts what was sent into the regulations of teams; what was left out stays.
func applyTeams(to *tournament.Settings, sent *gen.TeamSettings) error {
	if sent == nil {
		return nil
	}
	r := tournament.TeamRules{}
	if to.Teams != nil {
		r = *to.Teams
	}
	if sent.Boards != nil {
		if len(*sent.Boards) != len(r.Boards) { // what depends on the number is the usual again
			r.Colours = ""
			r.PAB = nil
			r.Squad = tournament.SquadLimits{}
			r.Minimum = 0
		}
		r.Boards = nil
		for _, b := range *sent.Boards {
			board := tournament.TeamBoard{Unrated: b.Rated != nil && !*b.Rated}
			Set(&board.Game, b.Game)
			Set(&board.TimeControl, b.TimeControl)
			r.Boards = append(r.Boards, board)
		}
	}
	refusal := &Refusal{Err: ErrInvalid}
	points := func(name string, v gen.PointsValue) tournament.Points {
		tenths := math.Round(v * 10)
		if math.Abs(v*10-tenths) > 1e-6 {
			refusal.add("/teams/"+name, "points have one decimal at most")
		}
		return tournament.Points(tenths)
	}
	if v := sent.MatchPoints; v != nil {
		r.MatchPoints = &tournament.MatchPoints{
			Win: points("match_points/win", v.Win), Draw: points("match_points/draw", v.Draw), Loss: points("match_points/loss", v.Loss),
		}
	}
	if v := sent.GamePoints; v != nil {
		var absence gen.PointsValue
		Set(&absence, v.Absence)
		r.GamePoints = &tournament.GamePoints{
			Win: points("game_points/win", v.Win), Draw: points("game_points/draw", v.Draw), Loss: points("game_points/loss", v.Loss),
			Absence: points("game_points/absence", absence),
		}
	}
	if v := sent.Pab; v != nil {
		r.PAB = &tournament.TeamTotals{MP: points("pab/mp", v.Mp), GP: points("pab/gp", v.Gp)}
	}
	Set(&r.Colours, sent.Colours)
	if sent.Primary != nil && tournament.TeamScore(*sent.Primary) != r.Rank() {
		r.Primary, r.Secondary = tournament.TeamScore(*sent.Primary), ""
	}
	Set((*string)(&r.Secondary), sent.Secondary)
	Set(&r.Preference, sent.Preference)
	Set((*string)(&r.Order), sent.Order)
	Set((*string)(&r.Gaps), sent.Gaps)
	if sent.RatingMargin != nil {
		r.RatingMargin = sent.RatingMargin
	}
	if sent.DeadlineMinutes != nil {
		r.Deadline = sent.DeadlineMinutes
	}
	if sent.Squad != nil {
		Set(&r.Squad.Least, sent.Squad.Least)
		Set(&r.Squad.Most, sent.Squad.Most)
	}
	Set(&r.SquadsClose, sent.SquadsClose)
	Set(&r.Minimum, sent.Minimum)
	Set(&r.Days, sent.Days)
	if sent.KnockoutBreaks != nil {
		r.KnockoutBreaks = nil
		for _, b := range *sent.KnockoutBreaks {
			r.KnockoutBreaks = append(r.KnockoutBreaks, team.Decider(b))
		}
	}
	Set(&r.TiebreakClock, sent.TiebreakClock)
	Set(&r.Legs, sent.Legs)
	to.Teams = &r
	return refusal.or()
}

// teamsView shows the regulations of teams, completed with the usual values, and the rules of a knock-out alone, or
// all rules; nil for none.
func teamsView(r *tournament.TeamRules, knockout bool) *gen.TeamRules {
	if r == nil {
		return nil
	}
	s := team.Settings(*r).Complete()
	v := &gen.TeamRules{
		Colours: s.Colours, Primary: string(s.Primary), Secondary: string(s.Secondary), Preference: s.Preference,
		Order: string(s.Order), RatingMargin: *s.RatingMargin, Gaps: string(s.Gaps), SquadsClose: s.SquadsClose,
		DeadlineMinutes: *s.Deadline, Minimum: s.Minimum, Days: optional(s.Days), Pab: *TeamScores(*s.PAB),
		Squad:       gen.SquadLimits{Least: &s.Squad.Least, Most: &s.Squad.Most},
		MatchPoints: gen.MatchPoints{Win: pointsOf(s.MatchPoints.Win), Draw: pointsOf(s.MatchPoints.Draw), Loss: pointsOf(s.MatchPoints.Loss)},
		GamePoints: gen.GamePoints{
			Win: pointsOf(s.GamePoints.Win), Draw: pointsOf(s.GamePoints.Draw), Loss: pointsOf(s.GamePoints.Loss),
			Absence: new(pointsOf(s.GamePoints.Absence)),
		},
	}
	if knockout {
		v.KnockoutBreaks = new([]string{})
		v.TiebreakClock = optional(s.TiebreakClock)
		v.Legs = &s.Legs
		for _, b := range s.KnockoutBreaks {
			*v.KnockoutBreaks = append(*v.KnockoutBreaks, string(b))
		}
	}
	for _, b := range s.Boards {
		v.Boards = append(v.Boards, gen.TeamBoard{
			Game: optional(b.Game), TimeControl: optional(b.TimeControl), Rated: new(!b.Unrated),
		})
	}
	return v
}

func pointsOf(p tournament.Points) gen.PointsValue { return float64(p) / 10 }

// TeamScores shows match and game points.
func TeamScores(t tournament.TeamTotals) *gen.TeamScores {
	return &gen.TeamScores{Mp: pointsOf(t.MP), Gp: pointsOf(t.GP)}
}
