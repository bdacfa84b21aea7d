// Package matches serves the pages of matches between teams: a match, and the visitor's own team. Captains file line-ups
// there and agree on dates; arbiters enter results.
package matches

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
	"quatuor/api/problem"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/team"
)

// matchBody is the page of a match of teams.
type matchBody struct {
	results.TeamMatch
	Filed  *[2]bool          // which teams have filed a line-up, for staff; nil for others
	Own    *ownLineUp        // of a visitor that may file it now; nil for others
	Mine   bool              // a team of the match is the visitor's
	Enter  bool              // the visitor may enter results
	Reopen bool              // the visitor may open the line-ups again
	Date   *matchDate        // nil where matches have none
	Why    sentence.Sentence // the reason of a refusal, but of a line-up that can be filed again
}

// ownLineUp is the form of a captain.
type ownLineUp struct {
	Name    string
	Path    string // of the match
	Team    string // id of the entry on the page that the form leads back to; "" for the match's page
	Version int
	Final   bool
	Left    int64 // until it is due, ms
	Places  []place
	Tag     string
	Numbers string            // as typed
	Why     sentence.Sentence // it was not filed
	Warning sentence.Sentence // by it the match is forfeited
	MovesUp bool              // players below an empty board move up when it is filed
}

// place is a board of a line-up, with its candidates.
type place struct {
	Board   int
	Game    string
	Player  string // id
	Members []candidate
}

// candidate is a member of a squad, with the number and the rating that order a line-up.
type candidate struct {
	kit.Person
	No     int
	Rating float64 // of the board's game; 0 without a rating
}

// verdicts are the results of a board.
var verdicts = []string{"1-0", "1/2-1/2", "0-1", "+--", "--+", "---"}

// Verdicts lists the results of a board, as forms send them.
func (b matchBody) Verdicts() []string { return verdicts }

// Pretty returns a result as tables print it.
func (b matchBody) Pretty(result string) string { return kit.PrettyResult(result) }

func (p *Pages) match(c echo.Context) error { return p.showMatch(c, http.StatusOK, nil) }

// showMatch shows a match; refused is a line-up that was not filed, nil for none.
func (p *Pages) showMatch(c echo.Context, status int, refused *refusedLineUp) error {
	t, _, err := p.VisibleTournament(c)
	if err != nil {
		return err
	}
	round, _ := strconv.Atoi(c.Param("round"))
	match, _ := strconv.Atoi(c.Param("number"))
	pair, err := team.Match(t, round, match)
	if err != nil {
		return kit.ErrMissing
	}
	b, err := p.matchOf(c, t, round, pair)
	if err != nil {
		return err
	}
	if !b.Revealed {
		kit.Again(c, b.Due)
		if b.Own, err = p.ownLineUp(c, t, round, pair, refused); err != nil {
			return err
		}
	}
	b.Why = refused.elsewhere(b.Own)
	return p.Answer(c, status, "match", kit.Frame{Section: "tournaments", Body: b})
}

// matchOf returns a match as the visitor may see it, without the own line-up.
func (p *Pages) matchOf(
	c echo.Context, t *tournament.Tournament, round int, pair tournament.Pairing,
) (b matchBody, err error) {
	ctx, who := c.Request().Context(), auth.Session(c)
	staff := access.Staff(who, t)
	if b.TeamMatch, err = results.TeamMatchOf(ctx, p.Kit, t, round, pair); err != nil {
		return b, err
	}
	b.Enter = staff && who.Can(who.LevelIn(t), auth.EnterResults) && t.Status == tournament.Running
	b.Reopen = staff && t.Format.FilesLineUps() && who.Can(who.LevelIn(t), auth.PairRounds) &&
		t.Status == tournament.Running && round == len(t.Rounds) &&
		(pair.Boards != nil || pair.Result == nil)
	b.Date = p.dateOf(c, t, round, pair, staff && who.Can(who.LevelIn(t), auth.PairRounds))
	b.Mine = t.InsideMatch(pair, who.PlayerID)
	if staff && !b.Revealed {
		filed, err := p.Tournaments.Filed(ctx, t, round, pair.Board)
		if err != nil {
			return b, err
		}
		b.Filed = &filed
	}
	return b, nil
}

func ownForm(t *tournament.Tournament, e tournament.Entry, own director.LineUpHeld) *ownLineUp {
	form := &ownLineUp{Name: e.Name, Version: own.N, Final: own.Final, Tag: command.LineUpTag(own)}
	s := team.Of(t)
	form.Warning, form.MovesUp = s.Short(e.Name, own.Players), s.Gaps == team.GapsBottom
	for i, player := range own.Players {
		at := place{Board: i + 1, Game: t.TeamGame(i + 1), Player: player}
		for n, m := range own.Squad.Members {
			at.Members = append(at.Members, candidate{kit.Person{ID: m.Player, Name: m.Name}, n + 1, m.Ratings[s.ListOf(own.Squad, i+1)]})
		}
		form.Places = append(form.Places, at)
	}
	return form
}

// fileLineUp files the visitor's line-up. A line-up that breaks a rule is shown again, with the rule.
func (p *Pages) fileLineUp(c echo.Context) error {
	round, _ := strconv.Atoi(c.Param("round"))
	match, _ := strconv.Atoi(c.Param("number"))
	who, back := auth.Session(c), results.MatchPath(c.Param("id"), round, match)
	if id := c.FormValue("team"); id != "" {
		back = entries.TeamPath(c.Param("id"), id)
	}
	if who.Anonymous() {
		return p.ToLogin(c, back)
	}
	t, _, err := p.VisibleTournament(c)
	if err != nil {
		return err
	}
	pair, err := team.Match(t, round, match)
	if err != nil {
		return err
	}
	side, err := team.Filing(t, pair, who.PlayerID)
	if err != nil {
		return err
	}
	e, _ := t.Entry(pair.Seats[side])
	seen := c.FormValue("seen")
	in := command.LineUpFiling{Round: round, Match: match, Final: c.FormValue("do") == "final", Seen: &seen}
	if in.Players, err = lineUpSent(c.Request().Form, e); err == nil {
		_, err = command.FileLineUp.Run(c.Request().Context(), p.Commands, command.On{ID: t.ID}, in)
	}
	if problem.RefusalOf(err).Name == refusedInput {
		return p.refuse(c, err, refusedLineUp{LineUp: true, Players: in.Players, Numbers: c.FormValue("numbers")})
	}
	return p.backToMatch(c, back, "filed", err)
}

// backToMatch redirects to a match with what was done, or shows it with what was refused, and why.
func (p *Pages) backToMatch(c echo.Context, back, done string, err error) error {
	if err == nil {
		return p.Back(c, back, "match_"+done)
	}
	switch problem.RefusalOf(err).Name {
	case "stale":
		return p.Back(c, back, "match_changed")
	case refusedInput, "wrong_state":
		return p.refuse(c, err, refusedLineUp{})
	}
	return err
}

// refusedInput is the name of the refusal of an invalid input; see [problem.RefusalOf].
const refusedInput = "invalid"

// refuse shows the page of the match or of the team that sent a request, with the reason of its refusal.
func (p *Pages) refuse(c echo.Context, err error, refused refusedLineUp) error {
	status, why := problem.Reason(err)
	refused.Why = why
	if c.FormValue("team") != "" {
		return p.showTeam(c, status, &refused)
	}
	return p.showMatch(c, status, &refused)
}

// reopen opens the line-ups of a match again.
func (p *Pages) reopen(c echo.Context) error {
	round, _ := strconv.Atoi(c.Param("round"))
	match, _ := strconv.Atoi(c.Param("number"))
	back := results.MatchPath(c.Param("id"), round, match)
	if auth.Session(c).Anonymous() {
		return p.ToLogin(c, back)
	}
	minutes, _ := strconv.Atoi(c.FormValue("minutes"))
	in := command.Reopening{Round: round, Match: match, Minutes: minutes}
	_, err := command.ReopenLineUps.Run(c.Request().Context(), p.Commands, command.On{ID: c.Param("id")}, in)
	return p.backToMatch(c, back, "reopened", err)
}

// setMatchBoard enters the result of a board of a match, or a substitute.
func (p *Pages) setMatchBoard(c echo.Context) error {
	round, _ := strconv.Atoi(c.Param("round"))
	match, _ := strconv.Atoi(c.Param("number"))
	board, err := strconv.Atoi(c.Param("board"))
	if err != nil {
		return echo.NewHTTPError(http.StatusNotFound)
	}
	back, seen := results.MatchPath(c.Param("id"), round, match), c.FormValue("seen")
	if auth.Session(c).Anonymous() {
		return p.ToLogin(c, back)
	}
	in := command.MatchBoard{MatchBoard: director.MatchBoard{Round: round, Match: match, Board: board, Why: c.FormValue("why")}}
	if player := c.FormValue("player"); player != "" {
		in.Entry, in.Player = c.FormValue("entry"), player
	} else {
		v, err := tournament.ParseVerdict(c.FormValue("result"))
		if err != nil {
			return p.backToMatch(c, back, "", err)
		}
		in.Verdict = &v
	}
	_, err = command.SetMatchBoard.Run(c.Request().Context(), p.Commands, command.On{ID: c.Param("id"), Seen: &seen}, in)
	return p.backToMatch(c, back, "entered", err)
}

// Pages are the pages of matches.
type Pages struct{ *kit.Kit }

// New returns the pages of matches.
func New(k *kit.Kit) *Pages { return &Pages{k} }

// Mount adds the pages to a server.
func (p *Pages) Mount(e *echo.Echo) {
	const match, team = "/tournaments/:id/matches/:round/:number", "/tournaments/:id/team"
	p.Routes(e, map[string]echo.HandlerFunc{match: p.match, team: p.myTeam})
	p.Post(e, match+"/lineup", command.OnTournament, p.fileLineUp)
	p.Post(e, match+"/reopen", command.OnTournament, p.reopen)
	p.Post(e, match+"/date", command.OnTournament, p.dateMatch)
	p.Post(e, match+"/boards/:board", command.OnTournament, p.setMatchBoard)
	for _, route := range []string{match, team} {
		p.Live(route, kit.Soon, func(c echo.Context) []string { return []string{kit.TournamentTopic(c)} })
	}
}
