package pages

import (
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/wording"
)

// maxReason is the maximum length of a reason, in characters, as the API has it.
const maxReason = 500

// deskReason returns the reason in a form in its normal form; "" is one.
func deskReason(text string) (string, error) {
	cleaned, err := wording.Paragraph.Optional(text, maxReason)
	if err != nil {
		return "", tournament.Fault("reason", "%v", err)
	}
	return cleaned, nil
}

// deskRefusal returns how a refused command is told where there is one line for it; status 0 stands for a fault of the
// server.
func deskRefusal(err error) (status int, said sentence.Sentence) {
	status, said, _ = refusalOf(err)
	if status < http.StatusBadRequest || status >= http.StatusInternalServerError {
		return 0, sentence.Sentence{}
	}
	return status, said
}

// deskFeed is the stream of the desk: it tells that the tournament has changed, and the page asks for what it shows.
func (p *Pages) deskFeed(c echo.Context) error {
	t, err := p.deskAccess(c, auth.SeeDrafts)
	if t == nil {
		return err
	}
	who := auth.Session(c)
	return p.deskChanges.Serve(c.Request().Context(), c.Response(), t.ID,
		func(t *tournament.Tournament) bool { return access.Staff(who, t) })
}

// deskChanged makes the data of the stream's events.
func deskChanged(_ context.Context, t *tournament.Tournament, _ bool, _ string) ([]byte, error) {
	return []byte(`<span data-part="desk-version" data-version="` + strconv.FormatInt(t.Version, 10) + `" hidden></span>`), nil
}
