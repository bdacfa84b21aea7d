package paper

import (
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/tournaments"
)

// embed serves pairings and standings for a frame on another site.
func (p *Pages) embed(c echo.Context) error {
	t, err := p.tournaments.Public(c)
	if err != nil {
		return err
	}
	body, err := tournaments.Outline(t, false, 0)
	if err != nil {
		return err
	}
	body.Tab, body.In = tournaments.TabRound, p.Reader(c)
	return p.Embed(c, "embed", body, kit.Kept{Key: sheetKeyOf(body, 0), Body: func() (any, error) {
		err := p.tournaments.Fill(c.Request().Context(), &body)
		return body, err
	}})
}

// robots serves robots.txt.
func (p *Pages) robots(c echo.Context) error {
	lines := []string{"User-agent: *"}
	for _, path := range []string{
		"/api/", "/admin", "/embed/", "/login", "/me", "/r/", "/register", "/setup", "/wall",
		"/tournaments/*/desk", "/tournaments/*/live", "/tournaments/*/print/", "/tournaments/*/wall",
		"/games/*/live", "/games/*/plies", "/games/*/analysis", "/analysis?", "/*?find=", "/*&find=",
	} {
		lines = append(lines, "Disallow: "+path)
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=86400")
	return c.String(200, strings.Join(lines, "\n")+"\n")
}
