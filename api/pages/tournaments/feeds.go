package tournaments

import (
	"context"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/tournament"
)

// TournamentChange renders the data of an event for one tab of a tournament's page.
func (p *Pages) TournamentChange(
	ctx context.Context, in *message.Printer, at Tab, t *tournament.Tournament, staff bool, since int64,
) ([]byte, error) {
	if t.Status == tournament.Draft && !staff {
		return nil, nil // it has become a draft again
	}
	body, err := Outline(t, staff, 0)
	if err != nil {
		return nil, err
	}
	if body.Tab, err = body.tabOf(at); err != nil {
		return nil, nil // the tab is gone, with the first round
	}
	body.In = in
	after, err := p.RenderTournament(ctx, body)
	if err != nil {
		return nil, err
	}
	key := body.key()
	key.version = since
	before, _ := p.rendered.Get(key) // a page of another round has another key
	return kit.Difference(before, after), nil
}
