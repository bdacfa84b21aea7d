package tournaments

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/team"
)

// matchBody is the page of a match of teams.
type matchBody struct {
	*tournament.Tournament
	Round, Match int
	Path         string
	Teams        [2]tournament.Entry
	Due          int64
	Revealed     bool
	Points       [2]tournament.Points // game points
	Filed        *[2]bool             // which teams have filed a line-up, for staff; nil for others
	Boards       []matchLine
	GoesOn       string            // name of the team, in a knock-out
	Said         sentence.Sentence // what decides a match of a knock-out
	Own          *ownLineUp        // the visitor's, who may file it now; nil for others
	Enter        bool              // the visitor may enter results
	Reopen       bool              // the visitor may open the line-ups again
	Tag          string            // of the match, for results
}

// matchLine is one board of a match.
type matchLine struct {
	Board    int // in the page's addresses
	On       int // as the match has it
	Repeat   int // of the matches that decide a level one, 0 for the match itself
	Game     string
	Players  [2]kit.Person
	SeatOne  int // 0 for White's
	GameID   string
	Result   string // as tables print it
	Verdict  string // as forms send it
	Playable bool
	Reserves [2][]kit.Person // members who may take a place
}

// ownLineUp is the form of a captain.
type ownLineUp struct {
	Name    string
	Version int
	Final   bool
	Places  []place
	Tag     string
}

// place is one board of a line-up with those who can be put there.
type place struct {
	Board   int
	Game    string
	Player  string // id
	Members []kit.Person
}

// verdicts are the results of a board.
var verdicts = []string{"1-0", "1/2-1/2", "0-1", "+--", "--+", "---"}

// Verdicts lists the results of a board, as forms send them.
func (b matchBody) Verdicts() []string { return verdicts }

// Pretty returns a result as tables print it.
func (b matchBody) Pretty(result string) string { return kit.PrettyResult(result) }

func (p *Pages) match(c echo.Context) error {
	t, staff, err := p.Known(c)
	if err != nil {
		return err
	}
	round, _ := strconv.Atoi(c.Param("round"))
	match, _ := strconv.Atoi(c.Param("number"))
	pair, err := team.Match(t, round, match)
	if err != nil {
		return kit.ErrMissing
	}
	ctx, who := c.Request().Context(), auth.Session(c)
	b := matchBody{
		Tournament: t, Round: round, Match: match, Path: matchPath(t.ID, round, match), Due: t.LineUpsDue(round, pair),
		Revealed: !t.Sealed(pair), Enter: staff && who.Can(who.LevelIn(t), auth.EnterResults) && t.Status == tournament.Running,
		Tag: command.Tag(pair),
	}
	b.Reopen = staff && who.Can(who.LevelIn(t), auth.PairRounds) && t.Status == tournament.Running && round == len(t.Rounds) &&
		(pair.Boards != nil || pair.Result == nil)
	b.Said = team.Of(t).Decision(t, round, pair).Text
	for side, id := range pair.Seats {
		b.Teams[side], _ = t.Entry(id)
		if id == t.Winner(pair) {
			b.GoesOn = b.Teams[side].Name
		}
		b.Points[side] = team.Of(t).Outcome(pair, side).GP
	}
	if staff && !b.Revealed {
		filed, err := p.Tournaments.Filed(ctx, t, round, match)
		if err != nil {
			return err
		}
		b.Filed = &filed
	}
	people, err := p.Look(ctx, append(append([]string{}, b.Teams[0].Members...), b.Teams[1].Members...)...)
	if err != nil {
		return err
	}
	b.fillBoards(pair, people)
	if team.Open(t, round, pair, p.Now().UnixMilli()) == nil {
		own, err := p.Tournaments.OwnLineUp(ctx, t, round, match, who.PlayerID)
		if err == nil {
			b.Own = ownForm(t, b.Teams[own.Side], own, people)
		} else if !errors.Is(err, tournament.ErrNotFound) {
			return err
		}
	}
	return p.Show(c, "match", "tournaments", b)
}

func matchPath(id string, round, match int) string {
	return "/tournaments/" + url.PathEscape(id) + "/matches/" + strconv.Itoa(round) + "/" + strconv.Itoa(match)
}

// fillBoards adds the boards of a match whose line-ups are revealed.
func (b *matchBody) fillBoards(pair tournament.Pairing, people kit.People) {
	for i, board := range pair.Boards {
		line := matchLine{
			Board: i + 1, Game: b.TeamGame(i + 1), SeatOne: b.Tournament.Teams.SeatOne(i + 1), GameID: board.GameID,
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

func ownForm(t *tournament.Tournament, e tournament.Entry, own director.LineUpHeld, people kit.People) *ownLineUp {
	form := &ownLineUp{Name: e.Name, Version: own.N, Final: own.Final, Tag: command.LineUpTag(own)}
	var members []kit.Person
	for _, id := range e.Members {
		members = append(members, people.Person(id))
	}
	for i, player := range own.Players {
		form.Places = append(form.Places, place{i + 1, t.TeamGame(i + 1), player, members})
	}
	return form
}

// fileLineUp files the visitor's line-up.
func (p *Pages) fileLineUp(c echo.Context) error {
	round, _ := strconv.Atoi(c.Param("round"))
	match, _ := strconv.Atoi(c.Param("number"))
	back := matchPath(c.Param("id"), round, match)
	if auth.Session(c).Anonymous() {
		return p.ToLogin(c, back)
	}
	seen := c.FormValue("seen")
	in := command.LineUpFiling{Round: round, Match: match, Final: c.FormValue("do") == "final", Seen: &seen, Players: []string{}}
	for i := 1; c.Request().Form.Has("board" + strconv.Itoa(i)); i++ {
		in.Players = append(in.Players, c.FormValue("board"+strconv.Itoa(i)))
	}
	_, err := command.FileLineUp.Run(c.Request().Context(), p.Commands, command.On{ID: c.Param("id")}, in)
	return p.backToMatch(c, back, "filed", err)
}

// backToMatch redirects to a match with what happened: what was done, or why not.
func (p *Pages) backToMatch(c echo.Context, back, done string, err error) error {
	switch {
	case errors.Is(err, command.ErrTagStale) || errors.Is(err, tournament.ErrStale):
		done = "changed"
	case errors.Is(err, tournament.ErrInvalid):
		done = "refused"
	case errors.Is(err, tournament.ErrState):
		done = "too_late"
	case err != nil:
		return err
	}
	return p.Back(c, back, "match_"+done)
}

// reopen opens the line-ups of a match again.
func (p *Pages) reopen(c echo.Context) error {
	round, _ := strconv.Atoi(c.Param("round"))
	match, _ := strconv.Atoi(c.Param("number"))
	back := matchPath(c.Param("id"), round, match)
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
	back, seen := matchPath(c.Param("id"), round, match), c.FormValue("seen")
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
