package administration

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/accounts"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/rating/ledger"
	"quatuor/tournament/wording"
)

// maxMarkReason is the maximum length of a reason, in characters.
const maxMarkReason = 500

// ratingDesk holds an admin's view of marks and of initial ratings.
type ratingDesk struct {
	Marks  []markLine
	Typed  map[string]string
	Fault  *accounts.Fault
	Given  []ledger.GivenOutcome // the outcome of each line
	Refuse bool                  // some are refused, and nothing is stored
}

// markLine is a mark with the name of its player.
type markLine struct {
	ledger.Mark
	Player kit.Person
}

// mountRatings adds the admin's pages of ratings.
func (p *Pages) mountRatings(e *echo.Echo) {
	p.Get(e, "/admin/ratings", p.ratingDeskPage)
	p.Post(e, "/admin/ratings/marks", command.OnNothing, p.addMark)
	p.Post(e, "/admin/ratings/marks/:id/lift", command.OnNothing, p.liftMark)
	p.Post(e, "/admin/ratings/import", command.OnNothing, p.importRatings)
}

func (p *Pages) ratingDeskPage(c echo.Context) error {
	if _, ok, err := p.staff(c); !ok {
		return err
	}
	return p.showRatingDesk(c, http.StatusOK, &ratingDesk{})
}

func (p *Pages) showRatingDesk(c echo.Context, status int, b *ratingDesk) error {
	ctx := c.Request().Context()
	marks, err := command.RatingMarks.Run(ctx, p.Commands, command.None{})
	if err != nil {
		return err
	}
	ids := make([]string, len(marks))
	for i := range marks {
		ids[i] = marks[i].PlayerID
	}
	named, err := p.Look(ctx, ids...)
	if err != nil {
		return err
	}
	for _, m := range marks {
		b.Marks = append(b.Marks, markLine{m, named.Person(m.PlayerID)})
	}
	return p.Answer(c, status, "rating-desk", kit.Frame{Body: b})
}

// refuseRatings shows the page again with the form's texts and their fault.
func (p *Pages) refuseRatings(c echo.Context, b *ratingDesk, err error) error {
	refusal := problem.RefusalOf(err)
	text := p.Reader(c).TextOr("", "rating_desk.fault."+refusal.Name, "Why", err.Error())
	if text == "" {
		return err
	}
	b.Fault = &accounts.Fault{Field: refusal.Input, Text: text}
	return p.showRatingDesk(c, refusal.Status, b)
}

func (p *Pages) addMark(c echo.Context) error {
	if _, ok, err := p.staff(c); !ok {
		return err
	}
	given, err := accounts.TypedAll(c, "player", "tournament", "from", "until", "reason")
	if err != nil {
		return err
	}
	if err := p.mark(c, given); err != nil {
		return p.refuseRatings(c, &ratingDesk{Typed: given}, err)
	}
	return p.Back(c, "/admin/ratings", "player_marked")
}

// lastPart returns the last part of a page's address, which is the id of its subject; an id alone is returned as it is.
func lastPart(address string) string {
	address = strings.TrimRight(strings.TrimSpace(address), "/")
	return address[strings.LastIndex(address, "/")+1:]
}

// mark carries out the form: days are those of the club's zone, the last day included.
func (p *Pages) mark(c echo.Context, given map[string]string) error {
	reason, err := wording.Line.Clean(given["reason"], maxMarkReason)
	if err != nil {
		return accounts.InvalidInput("reason", "reason_missing")
	}
	m := ledger.Mark{PlayerID: lastPart(given["player"]), TournamentID: lastPart(given["tournament"]), Reason: reason}
	if m.TournamentID == "" {
		from, first := time.ParseInLocation(time.DateOnly, given["from"], p.Zone())
		until, last := time.ParseInLocation(time.DateOnly, given["until"], p.Zone())
		if first != nil || last != nil {
			return ledger.ErrExtent
		}
		m.From, m.Until = from.UnixMilli(), until.AddDate(0, 0, 1).UnixMilli()
	}
	_, err = command.MarkPlayer.Run(c.Request().Context(), p.Commands, m)
	return err
}

func (p *Pages) liftMark(c echo.Context) error {
	if _, ok, err := p.staff(c); !ok {
		return err
	}
	if _, err := command.LiftMark.Run(c.Request().Context(), p.Commands, c.Param("id")); err != nil {
		return p.refuseRatings(c, &ratingDesk{}, err)
	}
	return p.Back(c, "/admin/ratings", "mark_lifted")
}

// importRatings tries an import or carries it out, as the button decides.
func (p *Pages) importRatings(c echo.Context) error {
	if _, ok, err := p.staff(c); !ok {
		return err
	}
	text := c.FormValue("csv")
	b := &ratingDesk{Typed: map[string]string{"csv": text}}
	try := c.FormValue("do") != "import"
	var err error
	in := command.RatingTable{Text: []byte(text), Try: try}
	if b.Given, err = command.GiveRatings.Run(c.Request().Context(), p.Commands, in); err != nil {
		return p.refuseRatings(c, b, err)
	}
	b.Refuse = ledger.Refused(b.Given)
	switch {
	case b.Refuse:
		return p.showRatingDesk(c, http.StatusUnprocessableEntity, b)
	case try:
		return p.showRatingDesk(c, http.StatusOK, b)
	}
	return p.Back(c, "/admin/ratings", "ratings_imported")
}
