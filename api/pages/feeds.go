package pages

import (
	"context"

	"quatuor/api/pages/message"
	"quatuor/api/stream"
	"quatuor/engine"
	"quatuor/engine/table"
)

// feeds are the streams of the pages in one language. Each renders a change once for each class of its readers.
type feeds struct {
	game  *stream.GameFeed
	event map[tab]*stream.TournamentFeed // what they send is one tab
}

func (p *Pages) newFeeds(in *message.Printer) feeds {
	return feeds{
		game: p.Hub.GameFeed(p.Games, func(ctx context.Context, s *table.Snapshot, v engine.Viewer, _ int64) ([]byte, error) {
			return p.gameFragment(ctx, in, s, v)
		}),
		event: p.tournamentFeeds(in),
	}
}
