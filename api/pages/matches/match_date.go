package matches

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
	"quatuor/api/problem"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/team"
)

// matchDate is the date of a match, with the proposals that the visitor can make or accept.
type matchDate struct {
	At, Last  int64
	Agreed    bool
	Home      string // name of the team
	Proposals []proposal
	Own       int    // the side of the visitor that proposes dates, from 1; 0 for none
	Set       bool   // the visitor sets dates
	Form      string // what a form begins with
	Path      string // of the match
	Team      string // id of the entry on the page that the forms lead back to; "" for the match's page
	Tag       string // of the match
}

// proposal is a date that a team has proposed.
type proposal struct {
	Team string
	Own  bool // of the visitor's side
	At   int64
}

// dateOf returns the date of a match as the visitor may see it; nil where matches have none.
func (p *Pages) dateOf(
	c echo.Context, t *tournament.Tournament, round int, pair tournament.Pairing, set bool,
) *matchDate {
	who := auth.Session(c)
	if !t.Dated() || pair.Bye != tournament.NoBye {
		return nil
	}
	home, _ := t.Entry(pair.Seats[0])
	d := &matchDate{
		At: team.MatchAt(t, round, pair), Last: team.LastDay(t, round, pair), Home: home.Name, Path: results.MatchPath(t.ID, round, pair.Board),
		Tag: command.Tag(pair),
	}
	open := t.Status == tournament.Running && t.Sealed(pair) && p.Now().UnixMilli() < team.LineUpsDue(t, round, pair)
	if side, err := team.Filing(t, pair, who.PlayerID); err == nil && open {
		d.Own = side + 1
	}
	d.Set = set && open
	suggested := d.At
	if pair.Date != nil {
		d.Agreed = pair.Date.At > 0
		inside := set || t.InsideMatch(pair, who.PlayerID)
		for side, at := range pair.Date.Proposed {
			if at > 0 && inside {
				e, _ := t.Entry(pair.Seats[side])
				d.Proposals = append(d.Proposals, proposal{e.Name, side+1 == d.Own, at})
				suggested = at
			}
		}
	}
	d.Form = time.UnixMilli(suggested).In(p.Zone()).Format(kit.LocalTime)
	return d
}

// dateMatch proposes, agrees to or sets the date of a match.
func (p *Pages) dateMatch(c echo.Context) error {
	round, _ := strconv.Atoi(c.Param("round"))
	match, _ := strconv.Atoi(c.Param("number"))
	back := results.MatchPath(c.Param("id"), round, match)
	if id := c.FormValue("team"); id != "" {
		back = entries.TeamPath(c.Param("id"), id)
	}
	if auth.Session(c).Anonymous() {
		return p.ToLogin(c, back)
	}
	in, do := director.Dating{Round: round, Match: match}, c.FormValue("do")
	at := int64(0)
	switch do {
	case "agree":
		at, _ = strconv.ParseInt(c.FormValue("agree"), 10, 64)
	case "propose", "set", "last":
		moment, err := time.ParseInLocation(kit.LocalTime, c.FormValue("at"), p.Zone())
		if err != nil {
			return p.Back(c, back, "date_unreadable")
		}
		at = moment.UnixMilli()
	case "back":
	default:
		return echo.NewHTTPError(http.StatusBadRequest)
	}
	ctx, on := c.Request().Context(), command.On{ID: c.Param("id")}
	var err error
	if do == "set" || do == "last" {
		seen := c.FormValue("seen")
		on.Seen = &seen
		in.At = at
		if do == "last" {
			in.At, in.Until = 0, at
		}
		_, err = command.SetMatchDate.Run(ctx, p.Commands, on, in)
	} else {
		in.At = at
		_, err = command.ProposeMatchDate.Run(ctx, p.Commands, on, in)
	}
	if problem.RefusalOf(err).Name == refusedInput {
		return p.Back(c, back, "date_refused")
	}
	return p.backToMatch(c, back, "date_noted", err)
}
