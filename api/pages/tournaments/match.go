package tournaments

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/team"
)

// MatchBody is a match of teams, as its page and the card on paper show it.
type MatchBody struct {
	*tournament.Tournament
	Round, Match int
	Path         string
	Teams        [2]tournament.Entry
	Due          int64
	Revealed     bool
	Over         bool                 // all boards have results
	Other        *otherLeg            // nil without another leg
	Points       [2]tournament.Points // game points
	Filed        *[2]bool             // which teams have filed a line-up, for staff; nil for others
	Boards       []matchLine
	GoesOn       string            // name of the team, in a knock-out
	Said         sentence.Sentence // what decides a match of a knock-out
	Own          *ownLineUp        // of a visitor that may file it now; nil for others
	Mine         bool              // a team of the match is the visitor's
	Enter        bool              // the visitor may enter results
	Reopen       bool              // the visitor may open the line-ups again
	Tag          string            // of the match, for results
	Date         *matchDate        // nil where matches have none
	Why          sentence.Sentence // the reason of a refusal, but of a line-up that can be filed again
}

// otherLeg is the other match of two legs.
type otherLeg struct {
	Leg    int
	Path   string
	Over   bool
	Points [2]tournament.Points // as the sides of this match
}

// matchLine is a board of a match.
type matchLine struct {
	Board    int // in the page's addresses
	On       int // as the match has it
	Repeat   int // number of the match that decides a level match, 0 for the match itself
	Game     string
	Players  [2]kit.Person
	SeatOne  int // 0 for White's
	GameID   string
	Result   string // as tables print it
	Verdict  string // as forms send it
	Playable bool
	Reserves [2][]kit.Person // members that may take a place
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
func (b MatchBody) Verdicts() []string { return verdicts }

// Pretty returns a result as tables print it.
func (b MatchBody) Pretty(result string) string { return kit.PrettyResult(result) }

func (p *Pages) match(c echo.Context) error { return p.showMatch(c, http.StatusOK, nil) }

// showMatch shows a match; refused is a line-up that was not filed, nil for none.
func (p *Pages) showMatch(c echo.Context, status int, refused *refusedLineUp) error {
	t, _, err := p.Known(c)
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
) (b MatchBody, err error) {
	ctx, who := c.Request().Context(), auth.Session(c)
	staff := access.Staff(who, t)
	if b, err = p.teamsMatch(ctx, t, round, pair); err != nil {
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

// teamsMatch returns a match as the public may see it.
func (p *Pages) teamsMatch(
	ctx context.Context, t *tournament.Tournament, round int, pair tournament.Pairing,
) (b MatchBody, err error) {
	b = MatchBody{
		Tournament: t, Round: round, Match: pair.Board, Path: MatchPath(t.ID, round, pair.Board), Due: t.LineUpsDue(round, pair),
		Revealed: !t.Sealed(pair), Over: pair.Result != nil, Tag: command.Tag(pair),
	}
	b.Said = team.Of(t).Decision(t, round, pair).Text
	for side, id := range pair.Seats {
		b.Teams[side], _ = t.Entry(id)
		if id == t.Winner(pair) {
			b.GoesOn = b.Teams[side].Name
		}
		b.Points[side] = team.Of(t).Outcome(pair, side).GP
	}
	b.Other = legBeside(t, round, pair)
	people, err := p.Look(ctx, slices.Concat(b.Teams[0].Members, b.Teams[1].Members)...)
	b.fillBoards(pair, people)
	return b, err
}

// legBeside returns the other leg of a match, once it is published.
func legBeside(t *tournament.Tournament, round int, pair tournament.Pairing) *otherLeg {
	at := round - 1
	other, ok := team.FirstLeg(t, round, pair)
	if !ok {
		at = round + 1
		if other, ok = team.SecondLeg(t, round, pair); !ok || at > t.PublishedRounds() {
			return nil
		}
	}
	_, leg := t.LegOf(at)
	out := &otherLeg{Leg: leg, Path: MatchPath(t.ID, at, other.Board), Over: other.Result != nil}
	for side := range out.Points {
		out.Points[1-side] = team.Of(t).Outcome(other, side).GP
	}
	return out
}

// MatchCards returns the matches of a published round for paper: before the reveal their boards are blank lines.
func (p *Pages) MatchCards(ctx context.Context, t *tournament.Tournament, round int) (list []MatchBody, err error) {
	for _, pair := range t.Rounds[round-1].Pairings {
		if pair.Bye != tournament.NoBye {
			continue
		}
		b, err := p.teamsMatch(ctx, t, round, pair)
		if err != nil {
			return nil, err
		}
		for i := len(b.Boards); i < len(t.Teams.Boards); i++ {
			blank := matchLine{Board: i + 1, On: i + 1, Game: t.TeamGame(i + 1)}
			blank.SeatOne = t.Teams.SeatOne(i+1, tournament.MatchBoard{})
			b.Boards = append(b.Boards, blank)
		}
		list = append(list, b)
	}
	return list, nil
}

// MatchPath returns the path of the page of a match of teams.
func MatchPath(id string, round, match int) string {
	return "/tournaments/" + url.PathEscape(id) + "/matches/" + strconv.Itoa(round) + "/" + strconv.Itoa(match)
}

// fillBoards adds the boards of a match with revealed line-ups.
func (b *MatchBody) fillBoards(pair tournament.Pairing, people kit.People) {
	for i, board := range pair.Boards {
		line := matchLine{
			Board: i + 1, Game: b.TeamGame(i + 1), SeatOne: b.Tournament.Teams.SeatOne(i+1, board), GameID: board.GameID,
			Verdict: board.Result.Text(), Playable: board.Players[0] != "" && board.Players[1] != "",
		}
		line.Result = kit.PrettyResult(line.Verdict)
		line.On, line.Repeat = b.Tournament.Teams.Place(i + 1)
		for side, id := range board.Players {
			if id != "" {
				line.Players[side] = people.Person(id)
			}
			for _, member := range b.Teams[side].Members {
				if len(pair.Boards) == len(b.Tournament.Teams.Boards) && !sits(pair, side, member) {
					line.Reserves[side] = append(line.Reserves[side], people.Person(member))
				}
			}
		}
		b.Boards = append(b.Boards, line)
	}
}

func sits(pair tournament.Pairing, side int, player string) bool {
	return slices.ContainsFunc(pair.Boards, func(b tournament.MatchBoard) bool { return b.Players[side] == player })
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
	who, back := auth.Session(c), MatchPath(c.Param("id"), round, match)
	if id := c.FormValue("team"); id != "" {
		back = entries.TeamPath(c.Param("id"), id)
	}
	if who.Anonymous() {
		return p.ToLogin(c, back)
	}
	t, _, err := p.Known(c)
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
	back := MatchPath(c.Param("id"), round, match)
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
	back, seen := MatchPath(c.Param("id"), round, match), c.FormValue("seen")
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
