// Package play is the pages of games: to watch, to play, to look through and to find an opponent.
package play

import (
	"html/template"
	"sync"

	"golang.org/x/text/language"

	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/board"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/stream"
	"quatuor/engine/catalog"
)

// Pages are the pages of games.
type Pages struct {
	*kit.Kit
	gameFeeds map[language.Tag][4]*stream.GameFeed
	shown     *ttlcache.Cache[shownGame, template.HTML]
	paint     func() *board.Paint
	pictures  *ttlcache.Cache[kit.PictureKey, []byte] // shared with those of tournaments
}

// New returns the pages of games.
func New(k *kit.Kit, pictures *ttlcache.Cache[kit.PictureKey, []byte]) *Pages {
	p := &Pages{Kit: k, gameFeeds: map[language.Tag][4]*stream.GameFeed{}, pictures: pictures}
	p.paint = sync.OnceValue(func() *board.Paint { return newPaint(k.Assets) })
	p.shown = ttlcache.New[shownGame, template.HTML](kit.ShownMax, kit.RenderedLife, k.Now)
	for _, in := range k.Texts.All() {
		p.gameFeeds[in.Tag] = p.newGameFeeds(in)
	}
	return p
}

// Functions are for the templates that show games.
func Functions(in *message.Printer) template.FuncMap {
	return template.FuncMap{
		"seatNames": func(seats []SeatBody) (string, error) { return seatNames(in, seats) },
		"moveWords": func(variant, token string) string {
			return catalog.FaceOf(variant).Choice(board.Words(in), nil, 0, token).Words
		},
	}
}
