package pages

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
)

// embedPolicy lets any site show a page in a frame. The page has no forms and knows no visitor.
const embedPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'none'; base-uri 'none'; frame-ancestors *"

// public loads the tournament that the address names as everyone may know it, whoever asks.
func (p *Pages) public(c echo.Context) (*tournament.Tournament, error) {
	nobody := auth.Identity{}
	t, _, err := access.Tournament(c.Request().Context(), p.Tournaments, c.Param("id"), nobody)
	if err != nil {
		return nil, err
	}
	return access.View(nobody, t), nil
}

// embed answers with pairings and standings for a frame on another site.
func (p *Pages) embed(c echo.Context) error {
	t, err := p.public(c)
	if err != nil {
		return err
	}
	body, err := outline(t, false, 0)
	if err != nil {
		return err
	}
	body.Tab, body.in = tabRound, p.reader(c)
	if err := p.fill(c.Request().Context(), &body); err != nil {
		return err
	}
	f := bareFrame{Site: p.Club(c.Request().Context()).Name, Kind: "embed", Body: body}
	html, err := p.render(body.in, "embed", "bare", f)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Del("X-Frame-Options") // the policy says who may
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Del("Cross-Origin-Opener-Policy")
	return p.send(c, 200, html, embedPolicy, toAll)
}

// Snippet returns the HTML with which another site shows the tournament.
func (b tournamentBody) Snippet() string {
	return `<iframe src="` + b.Address + "/embed/tournaments/" + url.PathEscape(b.ID) + `" width="100%" height="600"></iframe>`
}

// robots tells search engines what is worth reading.
func (p *Pages) robots(c echo.Context) error {
	lines := []string{"User-agent: *"}
	for _, path := range []string{
		"/api/", "/admin", "/embed/", "/login", "/me", "/r/", "/register", "/setup", "/wall",
		"/tournaments/*/desk", "/tournaments/*/live", "/tournaments/*/print/", "/tournaments/*/wall", "/games/*/live", "/games/*/plies", "/games/*/analysis", "/analysis?", "/*?find=", "/*&find=",
	} {
		lines = append(lines, "Disallow: "+path)
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=86400")
	return c.String(200, strings.Join(lines, "\n")+"\n")
}
