package reference

import (
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// kept are the kinds of data in the table of the page about privacy, with the texts privacy.KIND.what, .why and .long.
var kept = []string{
	"account", "sessions", "player", "results", "boards", "casual", "admin_log", "replies", "server_log", "backups",
}

// privacyBody holds the data of the page about privacy.
type privacyBody struct {
	Imprint []string // paragraphs of the club's own, none without
	Kept    []string
	Mails   bool // the service sends e-mails
}

// privacy serves the data stored about people, the reason and the time, and the people responsible.
func (p *Pages) privacy(c echo.Context) error {
	body := privacyBody{Kept: kept, Mails: p.mails}
	if p.mails {
		body.Kept = append(slices.Clone(kept), "mail")
	}
	if text := p.Club(c.Request().Context()).Imprint; text != "" {
		body.Imprint = strings.Split(text, "\n")
	}
	return p.Show(c, "privacy", "", body)
}
