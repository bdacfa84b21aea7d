package pages

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// maxMarkReason is how many characters a reason has at most.
const maxMarkReason = 500

// ratingDesk is what an admin sees of marks and of ratings to start with.
type ratingDesk struct {
	Marks  []markLine
	Typed  map[string]string
	Fault  *fault
	Given  []ledger.GivenOutcome // what would become of each line
	Refuse bool                  // some are refused, and nothing is stored
}

// markLine is a mark with the name of its player.
type markLine struct {
	ledger.Mark
	Player person
}

// mountRatings adds the admin's pages of ratings.
func (p *Pages) mountRatings(e *echo.Echo) {
	e.Match([]string{http.MethodGet, http.MethodHead}, "/admin/ratings", p.guard(p.ratingDeskPage))
	p.post(e, "/admin/ratings/marks", command.OnNothing, p.addMark)
	p.post(e, "/admin/ratings/marks/:id/lift", command.OnNothing, p.liftMark)
	p.post(e, "/admin/ratings/import", command.OnNothing, p.importRatings)
}

// ratingAdmin returns who visits if they may change ratings; else it answers.
func (p *Pages) ratingAdmin(c echo.Context) (who auth.Identity, ok bool, err error) {
	if who, ok, err = p.staff(c); !ok {
		return who, false, err
	}
	if !who.Can(who.Level(), auth.RecomputeRatings) || p.RatingDesk == nil {
		return who, false, p.Error(c, http.StatusForbidden)
	}
	return who, true, nil
}

func (p *Pages) ratingDeskPage(c echo.Context) error {
	if _, ok, err := p.ratingAdmin(c); !ok {
		return err
	}
	return p.showRatingDesk(c, http.StatusOK, &ratingDesk{})
}

func (p *Pages) showRatingDesk(c echo.Context, status int, b *ratingDesk) error {
	ctx := c.Request().Context()
	marks, err := p.RatingDesk.Marks(ctx, "")
	if err != nil {
		return err
	}
	ids := make([]string, len(marks))
	for i := range marks {
		ids[i] = marks[i].PlayerID
	}
	named, err := p.look(ctx, ids...)
	if err != nil {
		return err
	}
	for _, m := range marks {
		b.Marks = append(b.Marks, markLine{m, named.person(m.PlayerID)})
	}
	return p.answer(c, status, "rating-desk", frame{Body: b})
}

// refuseRatings shows the page again with what was typed and what is wrong with it.
func (p *Pages) refuseRatings(c echo.Context, b *ratingDesk, err error) error {
	in := p.reader(c)
	for _, known := range []struct {
		is  error
		key string
	}{
		{ledger.ErrExtent, "extent"},
		{ledger.ErrMarked, "marked"},
		{ledger.ErrNoMark, "no_mark"},
		{club.ErrNotFound, "no_player"},
		{tournament.ErrNotFound, "no_tournament"},
		{errUnreadable, "reason_missing"},
	} {
		if errors.Is(err, known.is) {
			text, e := in.Text("rating_desk.fault." + known.key)
			if e != nil {
				return e
			}
			b.Fault = &fault{Text: text}
			return p.showRatingDesk(c, http.StatusUnprocessableEntity, b)
		}
	}
	if errors.Is(err, ledger.ErrGiven) {
		text, e := in.Text("rating_desk.fault.file", "Why", err.Error())
		if e != nil {
			return e
		}
		b.Fault = &fault{Text: text}
		return p.showRatingDesk(c, http.StatusUnprocessableEntity, b)
	}
	return err
}

func (p *Pages) addMark(c echo.Context) error {
	who, ok, err := p.ratingAdmin(c)
	if !ok {
		return err
	}
	given, err := typedAll(c, "player", "tournament", "from", "until", "reason")
	if err != nil {
		return err
	}
	if err := p.mark(c, who, given); err != nil {
		return p.refuseRatings(c, &ratingDesk{Typed: given}, err)
	}
	return p.back(c, "/admin/ratings", "player_marked")
}

// lastPart returns the last part of a page's address, which is the id of what it shows; an id by itself is one.
func lastPart(address string) string {
	address = strings.TrimRight(strings.TrimSpace(address), "/")
	return address[strings.LastIndex(address, "/")+1:]
}

// mark carries out the form: days are those of the club's zone, the last one included.
func (p *Pages) mark(c echo.Context, who auth.Identity, given map[string]string) error {
	ctx := c.Request().Context()
	reason, err := wording.Line.Clean(given["reason"], maxMarkReason)
	if err != nil {
		return errUnreadable
	}
	player := lastPart(given["player"])
	if _, err := p.Players.Player(ctx, player); err != nil {
		return err
	}
	m := ledger.Mark{
		ID: uuid.Must(uuid.NewV7()).String(), PlayerID: player, TournamentID: lastPart(given["tournament"]), Reason: reason,
		By: who.AccountID, At: p.Now().UnixMilli(),
	}
	if m.TournamentID != "" {
		if _, err := p.Tournaments.Tournament(ctx, m.TournamentID); err != nil {
			return err
		}
		return p.RatingDesk.Mark(ctx, m)
	}
	zone := p.zone()
	from, err := time.ParseInLocation(time.DateOnly, given["from"], zone)
	if err != nil {
		return ledger.ErrExtent
	}
	until, err := time.ParseInLocation(time.DateOnly, given["until"], zone)
	if err != nil {
		return ledger.ErrExtent
	}
	m.From, m.Until = from.UnixMilli(), until.AddDate(0, 0, 1).UnixMilli()
	return p.RatingDesk.Mark(ctx, m)
}

func (p *Pages) liftMark(c echo.Context) error {
	who, ok, err := p.ratingAdmin(c)
	if !ok {
		return err
	}
	if _, err := p.RatingDesk.Lift(c.Request().Context(), c.Param("id"), who.AccountID, p.Now().UnixMilli()); err != nil {
		return p.refuseRatings(c, &ratingDesk{}, err)
	}
	return p.back(c, "/admin/ratings", "mark_lifted")
}

// importRatings tries an import, or carries it out: the button says which.
func (p *Pages) importRatings(c echo.Context) error {
	if _, ok, err := p.ratingAdmin(c); !ok {
		return err
	}
	text := c.FormValue("csv")
	b := &ratingDesk{Typed: map[string]string{"csv": text}}
	given, err := ledger.ReadGiven([]byte(text), systems.Known)
	if err != nil {
		return p.refuseRatings(c, b, err)
	}
	try := c.FormValue("do") != "import"
	if b.Given, err = p.RatingDesk.Give(c.Request().Context(), given, p.Now().UnixMilli(), try); err != nil {
		return err
	}
	b.Refuse = ledger.Refused(b.Given)
	switch {
	case b.Refuse:
		return p.showRatingDesk(c, http.StatusUnprocessableEntity, b)
	case try:
		return p.showRatingDesk(c, http.StatusOK, b)
	}
	return p.back(c, "/admin/ratings", "ratings_imported")
}
