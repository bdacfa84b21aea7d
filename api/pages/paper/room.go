// Package paper serves pages for use outside the site: sheets to print, pictures, frames on other sites, and static
// files of tournaments.
package paper

import (
	"strings"

	"github.com/labstack/echo/v4"
	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/awards"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
)

// Pages are the sheets, pictures, frames and feeds for use outside the site.
type Pages struct {
	*kit.Kit
	awards   *awards.Pages
	pictures *ttlcache.Cache[kit.PictureKey, []byte]
	fits     *ttlcache.Cache[fitKey, fit]
}

// New returns the pages.
func New(k *kit.Kit, won *awards.Pages, pictures *ttlcache.Cache[kit.PictureKey, []byte]) *Pages {
	fits := ttlcache.New[fitKey, fit](kit.RenderedMax, kit.RenderedLife, k.Now)
	return &Pages{k, won, pictures, fits}
}

// embed serves pairings and standings for a frame on another site.
func (p *Pages) embed(c echo.Context) error {
	t, err := p.PublicTournament(c)
	if err != nil {
		return err
	}
	body, err := results.Of(t, false, 0)
	if err != nil {
		return err
	}
	body.In = p.Reader(c)
	return p.Embed(c, "embed", body, kit.Kept{Key: sheetKeyOf(body, 0), Body: func() (any, error) {
		err := body.FillRound(c.Request().Context(), p.Kit)
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
