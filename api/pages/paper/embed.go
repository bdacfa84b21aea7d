package paper

import (
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/tournaments"
)

// embedPolicy lets any site show a page in a frame. The page has no forms and knows no visitor.
const embedPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'none'; base-uri 'none'; frame-ancestors *"

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
	if err := p.tournaments.Fill(c.Request().Context(), &body); err != nil {
		return err
	}
	header := c.Response().Header()
	header.Del("X-Frame-Options") // the policy's frame-ancestors replaces it
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Del("Cross-Origin-Opener-Policy")
	return p.BareUnder(c, embedPolicy, kit.ToAll, "embed", kit.BareFrame{Kind: "embed", Body: body})
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
