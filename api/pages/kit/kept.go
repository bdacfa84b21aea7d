package kit

import (
	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"

	"quatuor/api/internal/ttlcache"
)

// Kept is the main part of a page that is expensive to compute, and is cached.
type Kept struct {
	// Key is comparable and has everything that the part depends on: versions, and the viewer's rights. The cache adds the
	// page, the language, the club's name and time zone, the server's address and the players' names.
	Key any
	// Body computes the data of the part.
	Body func() (any, error)
}

// keptKey is the cache key of the main part of a page.
type keptKey struct {
	page     string
	of       any
	language language.Tag
	site     string
	zone     string
	address  string
	names    uint64
}

// keptPart is a rendered main part with its stamp: to name a large part takes longer than to send it.
type keptPart struct {
	html  []byte
	stamp int64
}

// newKept returns the cache of main parts.
func newKept(k *Kit) *ttlcache.Cache[keptKey, keptPart] {
	return ttlcache.New[keptKey, keptPart](RenderedMax, RenderedLife, k.Now)
}

// keptMain returns the main part of a page from the cache, or renders it. The names are taken as of before the
// rendering, so that a page with a name that changes during it is not kept.
func (k *Kit) keptMain(c echo.Context, page string, part Kept) (keptPart, error) {
	in, club := k.Reader(c), k.Club(c.Request().Context())
	key := keptKey{
		page: page, of: part.Key, language: in.Tag, site: club.Name, zone: k.zoneName(), address: k.Address(c),
		names: k.Commands.Names.Epoch(),
	}
	return k.kept.Load(key, func() (keptPart, error) {
		body, err := part.Body()
		if err != nil {
			return keptPart{}, err
		}
		main, err := k.Render(in, page, "main", body)
		return keptPart{main, stamp(main)}, err
	})
}
