package play

import (
	"context"
	"errors"
	"html/template"

	"quatuor/api/pages/board"
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/table"
)

// BoardLine is a running game as a small board.
type BoardLine struct {
	GameLine
	Board template.HTML
}

// Thumbnail draws a game as spectators see it, and returns when they will see more of it without a further move.
func (p *Pages) Thumbnail(ctx context.Context, in *message.Printer, line GameLine) (BoardLine, int64, error) {
	s, next, err := p.spectated(ctx, line.ID)
	if err != nil {
		return BoardLine{}, 0, err
	}
	return thumbnail(in, line, s), next, nil
}

// ThumbnailOf is Thumbnail of the game with an id; nil if it is not in play, or is being opened.
func (p *Pages) ThumbnailOf(ctx context.Context, in *message.Printer, id string) (*BoardLine, int64, error) {
	s, next, err := p.spectated(ctx, id)
	if errors.Is(err, table.ErrNotFound) {
		return nil, 0, nil
	}
	if err != nil || s.Game.Status != table.Running {
		return nil, next, err
	}
	lines, err := p.GameLines(ctx, []table.Game{s.Game})
	if err != nil {
		return nil, 0, err
	}
	return new(thumbnail(in, lines[0], s)), next, nil
}

func thumbnail(in *message.Printer, line GameLine, s *table.Snapshot) BoardLine {
	picture := board.Picture{ID: "g" + line.ID, Title: line.Title(), In: in}
	return BoardLine{line, board.Draw(position(s, engine.Viewer{}), picture)}
}

// spectated returns a game as spectators see it, and when they will see more of it without a further move.
func (p *Pages) spectated(ctx context.Context, id string) (seen *table.Snapshot, next int64, err error) {
	s, err := p.Games.Snapshot(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	return s.Spectated(p.Now().UnixMilli())
}
