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
	body, tag, err := a.match(ctx, t, r.Round, r.Board)
	return gen.GetMatch200JSON{Body: body, Headers: gen.GetMatch200Headers{ETag: tag}}, err
}

// match returns a match as its viewer may see it, and its tag.
func (a *API) match(
	ctx context.Context, t *tournament.Tournament, round, match int,
) (v gen.Match, tag string, err error) {
	p, err := team.Match(t, round, match)
	if err != nil {
		return v, "", err
	}
	history, err := a.Tournaments.LineUpHistory(ctx, t, round, match)
	if err != nil {
		return v, "", err
	}
	names, err := a.namesIn(ctx, p, history)
	if err != nil {
		return v, "", err
	}
	due := team.LineUpsDue(t, round, p)
	v = gen.Match{Match: match, Revealed: p.Boards != nil, DueAt: command.Moment(due), Result: optional(p.Text())}
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
			return v, "", err
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
	return v, command.Tag(p), nil
}

// namesIn returns the names of the players of a match.
func (a *API) namesIn(
	ctx context.Context, p tournament.Pairing, history []tournament.LineUp,
) (map[string]string, error) {
	var ids []string
	for _, b := range p.Boards {
		ids = append(ids, b.Players[:]...)
	}
	for _, l := range history {
		ids = append(ids, l.Players...)
	}
	return a.commands.Names.Of(ctx, ids...)
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
			out[i].Points = pointTexts(r)
			out[i].Source = new(string(r.Source))
		}
	}
	return out
}

func boardPlayers(ids []string, names map[string]string) []gen.BoardPlayer {
	out := make([]gen.BoardPlayer, len(ids))
	for i, id := range ids {
		if id != "" {
			out[i].Player = playerRef(id, names)
		}
	}
	return out
}

func lineUpVersions(history []tournament.LineUp, names map[string]string, staff bool) []gen.LineUpVersion {
	out := make([]gen.LineUpVersion, len(history))
	for i, l := range history {
		out[i] = gen.LineUpVersion{
			EntryID: l.Entry, Version: l.N, Players: boardPlayers(l.Players, names), Final: l.Final, FiledAt: command.Moment(l.At),
		}
		if staff {
			out[i].By = &l.By
		}
	}
	return out
}

// GetLineUp shows a captain the own line-up.
func (a *API) GetLineUp(ctx context.Context, r gen.GetLineUpIn) (gen.GetLineUpOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	body, tag, err := a.lineUp(ctx, t, r.Round, r.Board)
	return gen.GetLineUp200JSON{Body: body, Headers: gen.GetLineUp200Headers{ETag: tag}}, err
}

func (a *API) lineUp(
	ctx context.Context, t *tournament.Tournament, round, match int,
) (v gen.LineUp, tag string, err error) {
	own, err := a.Tournaments.OwnLineUp(ctx, t, round, match, auth.From(ctx).PlayerID)
	if err != nil {
		return v, "", err
	}
	names, err := a.commands.Names.Of(ctx, own.Players...)
	if err != nil {
		return v, "", err
	}
	p, _ := t.Pairing(round, match)
	v = gen.LineUp{
		EntryID: p.Seats[own.Side], Version: own.N, Final: own.Final, Players: boardPlayers(own.Players, names),
		DueAt: command.Moment(team.LineUpsDue(t, round, p)),
	}
	if warning := team.Of(t).Short(own.Squad.Name, own.Players); !warning.IsZero() {
		v.Warning = new(warning.String())
	}
	return v, command.LineUpTag(own), nil
}

// SetLineUp files a line-up.
func (a *API) SetLineUp(ctx context.Context, r gen.SetLineUpIn) (gen.SetLineUpOut, error) {
	t, err := command.FileLineUp.Run(ctx, a.commands, command.On{ID: r.TournamentID}, command.LineUpFiling{
		Round: r.Round, Match: r.Board, Players: r.Body.Players, Seen: r.Params.IfMatch,
	})
	if err != nil {
		return nil, err
	}
	body, tag, err := a.lineUp(ctx, t, r.Round, r.Board)
	return gen.SetLineUp200JSON{Body: body, Headers: gen.SetLineUp200Headers{ETag: tag}}, err
}

// FinishLineUp notes that a captain waits no longer.
func (a *API) FinishLineUp(ctx context.Context, r gen.FinishLineUpIn) (gen.FinishLineUpOut, error) {
	t, err := command.FileLineUp.Run(ctx, a.commands, command.On{ID: r.TournamentID}, command.LineUpFiling{
		Round: r.Round, Match: r.Board, Final: true, Blind: true,
	})
	if err != nil {
		return nil, err
	}
	body, tag, err := a.lineUp(ctx, t, r.Round, r.Board)
	return gen.FinishLineUp200JSON{Body: body, Headers: gen.FinishLineUp200Headers{ETag: tag}}, err
}

// ReopenLineUps opens the line-ups of a match again.
func (a *API) ReopenLineUps(ctx context.Context, r gen.ReopenLineUpsIn) (gen.ReopenLineUpsOut, error) {
	in := command.Reopening{Round: r.Round, Match: r.Board, Minutes: r.Body.Minutes}
	t, err := command.ReopenLineUps.Run(ctx, a.commands, command.On{ID: r.TournamentID}, in)
	if err != nil {
		return nil, err
	}
	body, tag, err := a.match(ctx, access.View(auth.From(ctx), t), r.Round, r.Board)
	return gen.ReopenLineUps200JSON{Body: body, Headers: gen.ReopenLineUps200Headers{ETag: tag}}, err
}

// ProposeMatchDate proposes a date of a match, or agrees to a proposal.
func (a *API) ProposeMatchDate(ctx context.Context, r gen.ProposeMatchDateIn) (gen.ProposeMatchDateOut, error) {
	body, tag, err := dateMatch(ctx, a, command.ProposeMatchDate, command.On{ID: r.TournamentID}, r.Round, r.Board,
		r.Body.At, nil)
	return gen.ProposeMatchDate200JSON{Body: body, Headers: gen.ProposeMatchDate200Headers{ETag: tag}}, err
}

// SetMatchDate puts a match on a date, or sets its last day.
func (a *API) SetMatchDate(ctx context.Context, r gen.SetMatchDateIn) (gen.SetMatchDateOut, error) {
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	body, tag, err := dateMatch(ctx, a, command.SetMatchDate, on, r.Round, r.Board, r.Body.At, r.Body.LastDay)
	return gen.SetMatchDate200JSON{Body: body, Headers: gen.SetMatchDate200Headers{ETag: tag}}, err
}

func dateMatch(
	ctx context.Context, a *API, do command.Command[director.Dating], on command.On, round, match int, at, last *string,
) (v gen.Match, tag string, err error) {
	in := director.Dating{Round: round, Match: match}
	if in.At, err = command.ReadMoment(valueOf(at), "/at"); err == nil {
		in.Until, err = command.ReadMoment(valueOf(last), "/last_day")
	}
	if err != nil {
		return v, "", err
	}
	t, err := do.Run(ctx, a.commands, on, in)
	if err != nil {
		return v, "", err
	}
	return a.match(ctx, access.View(auth.From(ctx), t), round, match)
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
	t, err := command.SetMatchBoard.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, in)
	if err != nil {
		return nil, err
	}
	body, tag, err := a.match(ctx, access.View(auth.From(ctx), t), r.Round, r.Board)
	return gen.SetMatchBoard200JSON{Body: body, Headers: gen.SetMatchBoard200Headers{ETag: tag}}, err
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
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.Player
	}
	names, err := a.commands.Names.Of(ctx, ids...)
	if err != nil {
		return nil, err
	}
	out, numbered := gen.GetBoardPrizes200JSON{Items: []gen.BoardPrizeRow{}}, t.Numbered()
	for _, row := range rows {
		out.Items = append(out.Items, gen.BoardPrizeRow{
			Board: row.Board, Player: *playerRef(row.Player, names), Entry: entryRef(numbered[row.Team-1]),
			Points: row.Points.String(), Games: row.Games, Listed: row.Listed,
		})
	}
	return out, nil
}

// GetBonuses lists the penalties and bonuses of teams.
func (a *API) GetBonuses(ctx context.Context, r gen.GetBonusesIn) (gen.GetBonusesOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	return gen.GetBonuses200JSON{
		Body: bonusesView(t), Headers: gen.GetBonuses200Headers{ETag: command.Tag(t.Bonuses)},
	}, nil
}

// SetBonuses replaces the penalties and bonuses of teams.
func (a *API) SetBonuses(ctx context.Context, r gen.SetBonusesIn) (gen.SetBonusesOut, error) {
	list, err := command.Bonuses(r.Body.Items)
	if err != nil {
		return nil, err
	}
	changed, err := command.SetBonuses.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, list)
	if err != nil {
		return nil, err
	}
	return gen.SetBonuses200JSON{
		Body: bonusesView(changed), Headers: gen.SetBonuses200Headers{ETag: command.Tag(changed.Bonuses)},
	}, nil
}

func bonusesView(t *tournament.Tournament) gen.TeamBonuses {
	v := gen.TeamBonuses{Items: make([]gen.TeamBonus, len(t.Bonuses))}
	for i, b := range t.Bonuses {
		mp, gp := float64(b.MP)/10, float64(b.GP)/10
		v.Items[i] = gen.TeamBonus{EntryID: b.Entry, Mp: &mp, Gp: &gp, AfterRound: optional(b.After), Reason: b.Why}
	}
	return v
}
