package rest

import (
	"context"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/team"
)

// GetMatch shows a match of teams.
func (a *API) GetMatch(ctx context.Context, r gen.GetMatchIn) (gen.GetMatchOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	return a.match(ctx, t, r.Round, r.Board)
}

// matchAfter is match with the unfiltered tournament, after a command.
func (a *API) matchAfter(ctx context.Context, t *tournament.Tournament, round, match int) (gen.TaggedMatchJSON, error) {
	return a.match(ctx, access.View(auth.From(ctx), t), round, match)
}

// match returns a match as its viewer may see it.
func (a *API) match(
	ctx context.Context, t *tournament.Tournament, round, match int,
) (out gen.TaggedMatchJSON, err error) {
	p, err := team.Match(t, round, match)
	if err != nil {
		return out, err
	}
	history, err := a.Tournaments.LineUpHistory(ctx, t, round, match)
	if err != nil {
		return out, err
	}
	var players []string
	for _, b := range p.Boards {
		players = append(players, b.Players[:]...)
	}
	for _, l := range history {
		players = append(players, l.Players...)
	}
	names, err := a.commands.Names.Of(ctx, players...)
	if err != nil {
		return out, err
	}
	due := team.LineUpsDue(t, round, p)
	v := gen.Match{Match: match, Revealed: p.Boards != nil, DueAt: command.Moment(due), Result: optional(p.Text())}
	s, staff := team.Of(t), runs(ctx, t)
	v.Date = command.MatchDate(t, round, p, auth.From(ctx).PlayerID, staff)
	scores := []gen.TeamScores{}
	for side, id := range p.Seats {
		e, _ := t.Entry(id)
		v.Seats = append(v.Seats, entryRef(e))
		scores = append(scores, *command.TeamScores(s.Outcome(p, side).Totals))
	}
	switch {
	case !t.Sealed(p):
		v.Scores = &scores
	case staff:
		filed, err := a.Tournaments.Filed(ctx, t, round, match)
		if err != nil {
			return out, err
		}
		v.Filed = new(filed[:])
	}
	if _, leg := t.LegOf(round); t.Legs() > 1 {
		v.Leg = &leg
	}
	if d := s.Decision(t, round, p); !d.Text.IsZero() {
		v.Decision = new(d.Text.String())
	}
	if w := t.Winner(p); w != "" {
		v.GoesOn = &w
	}
	if p.Boards != nil {
		v.Boards = new(matchBoards(t, p, names))
		v.LineUps = new(lineUpVersions(history, names, staff))
	}
	return gen.TaggedMatchJSON{Body: v, Headers: gen.Tagged{ETag: command.Tag(p)}}, nil
}

func matchBoards(t *tournament.Tournament, p tournament.Pairing, names map[string]string) []gen.MatchBoard {
	out := make([]gen.MatchBoard, len(p.Boards))
	for i, b := range p.Boards {
		out[i] = gen.MatchBoard{
			Board: i + 1, Game: t.TeamGame(i + 1), Players: boardPlayers(b.Players[:], names), SeatOne: t.Teams.SeatOne(i+1, b) + 1,
			GameID: optional(b.GameID),
		}
		if _, repeats := t.Teams.Place(i + 1); repeats > 0 {
			out[i].Repeat = &repeats
		}
		if r := b.Result; r != nil {
			out[i].Result = optional(r.Text())
			out[i].Points = pointTexts(r.Points)
			out[i].Source = new(string(r.Source))
		}
	}
	return out
}

func boardPlayers(ids []string, names map[string]string) []gen.BoardPlayer {
	return each(ids, func(id string) gen.BoardPlayer { return gen.BoardPlayer{Player: playerRef(id, names)} })
}

func lineUpVersions(history []tournament.LineUp, names map[string]string, staff bool) []gen.LineUpVersion {
	return each(history, func(l tournament.LineUp) gen.LineUpVersion {
		v := gen.LineUpVersion{
			EntryID: l.Entry, Version: l.N, Players: boardPlayers(l.Players, names), Final: l.Final,
			FiledAt: command.Moment(l.At),
		}
		if staff {
			v.By = &l.By
		}
		return v
	})
}

// GetLineUp shows a captain the own line-up.
func (a *API) GetLineUp(ctx context.Context, r gen.GetLineUpIn) (gen.GetLineUpOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	return a.lineUp(ctx, t, r.Round, r.Board)
}

func (a *API) lineUp(
	ctx context.Context, t *tournament.Tournament, round, match int,
) (out gen.TaggedLineUpJSON, err error) {
	own, err := a.Tournaments.OwnLineUp(ctx, t, round, match, auth.From(ctx).PlayerID)
	if err != nil {
		return out, err
	}
	names, err := a.commands.Names.Of(ctx, own.Players...)
	if err != nil {
		return out, err
	}
	p, _ := t.Pairing(round, match)
	v := gen.LineUp{
		EntryID: p.Seats[own.Side], Version: own.N, Final: own.Final, Players: boardPlayers(own.Players, names),
		DueAt: command.Moment(team.LineUpsDue(t, round, p)),
	}
	if warning := team.Of(t).Short(own.Squad.Name, own.Players); !warning.IsZero() {
		v.Warning = new(warning.String())
	}
	return gen.TaggedLineUpJSON{Body: v, Headers: gen.Tagged{ETag: command.LineUpTag(own)}}, nil
}

// SetLineUp files a line-up.
func (a *API) SetLineUp(ctx context.Context, r gen.SetLineUpIn) (gen.SetLineUpOut, error) {
	in := command.LineUpFiling{Round: r.Round, Match: r.Board, Players: r.Body.Players, Seen: r.Params.IfMatch}
	return afterAt(ctx, a, command.FileLineUp, command.On{ID: r.TournamentID}, in, a.lineUp, r.Round, r.Board)
}

// FinishLineUp notes that a captain waits no longer.
func (a *API) FinishLineUp(ctx context.Context, r gen.FinishLineUpIn) (gen.FinishLineUpOut, error) {
	in := command.LineUpFiling{Round: r.Round, Match: r.Board, Final: true, Blind: true}
	return afterAt(ctx, a, command.FileLineUp, command.On{ID: r.TournamentID}, in, a.lineUp, r.Round, r.Board)
}

// ReopenLineUps opens the line-ups of a match again.
func (a *API) ReopenLineUps(ctx context.Context, r gen.ReopenLineUpsIn) (gen.ReopenLineUpsOut, error) {
	in := command.Reopening{Round: r.Round, Match: r.Board, Minutes: r.Body.Minutes}
	return afterAt(ctx, a, command.ReopenLineUps, command.On{ID: r.TournamentID}, in, a.matchAfter, r.Round, r.Board)
}

// ProposeMatchDate proposes a date of a match, or agrees to a proposal.
func (a *API) ProposeMatchDate(ctx context.Context, r gen.ProposeMatchDateIn) (gen.ProposeMatchDateOut, error) {
	return dateMatch(ctx, a, command.ProposeMatchDate, command.On{ID: r.TournamentID}, r.Round, r.Board,
		r.Body.At, nil)
}

// SetMatchDate puts a match on a date, or sets its last day.
func (a *API) SetMatchDate(ctx context.Context, r gen.SetMatchDateIn) (gen.SetMatchDateOut, error) {
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	return dateMatch(ctx, a, command.SetMatchDate, on, r.Round, r.Board, r.Body.At, r.Body.LastDay)
}

func dateMatch(
	ctx context.Context, a *API, do command.Command[director.Dating], on command.On, round, match int, at, last *string,
) (out gen.TaggedMatchJSON, err error) {
	in := director.Dating{Round: round, Match: match}
	if in.At, err = command.ReadMoment(valueOf(at), "/at"); err == nil {
		in.Until, err = command.ReadMoment(valueOf(last), "/last_day")
	}
	if err != nil {
		return out, err
	}
	return afterAt(ctx, a, do, on, in, a.matchAfter, round, match)
}

// SetMatchBoard sets the result of a board of a match, or a substitute.
func (a *API) SetMatchBoard(ctx context.Context, r gen.SetMatchBoardIn) (gen.SetMatchBoardOut, error) {
	in := command.MatchBoard{MatchBoard: director.MatchBoard{
		Round: r.Round, Match: r.Board, Board: r.TeamBoard, Why: valueOf(r.Body.Reason),
	}}
	switch sent := r.Body; {
	case (sent.Result == nil) == (sent.Substitute == nil):
		return nil, command.Invalid("/result", "give either a result or a substitute")
	case sent.Result != nil:
		v, err := tournament.ParseVerdict(*sent.Result)
		if err != nil {
			return nil, err
		}
		in.Verdict = &v
	default:
		in.Entry, in.Player = sent.Substitute.EntryID, sent.Substitute.PlayerID
	}
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	return afterAt(ctx, a, command.SetMatchBoard, on, in, a.matchAfter, r.Round, r.Board)
}

// GetBoardPrizes lists the members of teams by the boards that they played.
func (a *API) GetBoardPrizes(ctx context.Context, r gen.GetBoardPrizesIn) (gen.GetBoardPrizesOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	if t.Teams == nil {
		return nil, tournament.Refuse(tournament.ErrNotFound, "boards of teams, and this is a %s", t.Format)
	}
	rows := teams.Boards(t, t.PublishedRounds())
	names, err := a.commands.Names.Of(ctx, each(rows, func(r teams.BoardRow) string { return r.Player })...)
	numbered := t.Numbered()
	return gen.BoardPrizes{Items: each(rows, func(r teams.BoardRow) gen.BoardPrizeRow {
		return gen.BoardPrizeRow{
			Board: r.Board, Player: *playerRef(r.Player, names), Entry: entryRef(numbered[r.Team-1]),
			Points: r.Points.String(), Games: r.Games, Listed: r.Listed,
		}
	})}, err
}

// GetBonuses lists the penalties and bonuses of teams.
func (a *API) GetBonuses(ctx context.Context, r gen.GetBonusesIn) (gen.GetBonusesOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	return bonuses(ctx, t)
}

// SetBonuses replaces the penalties and bonuses of teams.
func (a *API) SetBonuses(ctx context.Context, r gen.SetBonusesIn) (gen.SetBonusesOut, error) {
	list, err := command.Bonuses(r.Body.Items)
	if err != nil {
		return nil, err
	}
	return after(ctx, a, command.SetBonuses, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, list, bonuses)
}

func bonuses(_ context.Context, t *tournament.Tournament) (gen.TaggedTeamBonusesJSON, error) {
	items := each(t.Bonuses, func(b tournament.Bonus) gen.TeamBonus {
		mp, gp := float64(b.MP)/10, float64(b.GP)/10
		return gen.TeamBonus{EntryID: b.Entry, Mp: &mp, Gp: &gp, AfterRound: optional(b.After), Reason: b.Why}
	})
	return gen.TaggedTeamBonusesJSON{
		Body: gen.TeamBonuses{Items: items}, Headers: gen.Tagged{ETag: command.Tag(t.Bonuses)},
	}, nil
}
