package administration

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/engine/sentence"
)

// Finding is the finding of a check of the installation.
type Finding struct {
	Check   string // its name among the texts
	Verdict string // "ok", "look" or "broken"
	What    sentence.Sentence
}

// doctor shows admins the findings about the service's own installation.
func (p *Pages) doctor(c echo.Context) error {
	if _, ok, err := p.allowed(c, auth.ManageBackups); !ok {
		return err
	}
	return p.Show(c, "doctor", "", p.Installation.Findings(c.Request().Context()))
}
