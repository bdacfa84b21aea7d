package ledger

import "context"

// DeskStore keeps marks and ratings to start with.
type DeskStore interface {
	Marker
	Giver
}

// Desk lets an admin mark players and enter ratings to start with. It rates the affected games again at once.
type Desk struct {
	DeskStore
	Ledger *Ledger
}

// Mark adds a mark, and rates the games it covers again; ErrExtent for a mark that covers nothing.
func (d Desk) Mark(ctx context.Context, m Mark) error {
	if m.TournamentID != "" {
		m.From, m.Until = 0, 0
	} else if m.From < 0 || m.Until <= m.From {
		return ErrExtent
	}
	if err := d.DeskStore.Mark(ctx, m); err != nil {
		return err
	}
	_, err := d.Ledger.CatchUp(ctx)
	return err
}

// Lift ends a mark, and rates the games it covered again.
func (d Desk) Lift(ctx context.Context, id, by string, at int64) (Mark, error) {
	m, err := d.DeskStore.Lift(ctx, id, by, at)
	if err != nil {
		return m, err
	}
	_, err = d.Ledger.CatchUp(ctx)
	return m, err
}
