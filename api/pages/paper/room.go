// Package paper serves pages for use outside the site: sheets to print, pictures, frames on other sites, and static
// files of tournaments.
package paper

import (
	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/awards"
	"quatuor/api/pages/kit"
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
