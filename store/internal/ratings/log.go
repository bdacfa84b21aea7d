package ratings

import (
	"context"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"quatuor/rating/ledger"
	"quatuor/tournament/adminlog"
)

// logMark logs a mark on a player as a cheat, or that it was lifted.
func (s *Ratings) logMark(ctx context.Context, tx *gorm.DB, kind adminlog.Kind, m ledger.Mark) error {
	var player Given
	if err := tx.Select("name").Limit(1).Find(&player, "id = ?", m.PlayerID).Error; err != nil {
		return err
	}
	what := adminlog.Values(nil).With("reason", m.Reason).With("tournament", m.TournamentID)
	if m.From != 0 {
		what = what.With("from", adminlog.Moment(m.From))
	}
	if m.Until != 0 {
		what = what.With("until", adminlog.Moment(m.Until))
	}
	e := adminlog.Entry{Kind: kind, About: adminlog.Player(m.PlayerID, player.Name), After: what}
	if kind == adminlog.MarkLifted {
		e.Before, e.After = what, nil
	}
	return s.Log(ctx, tx, e)
}

// logGiven logs ratings to start with: how many, and of the first of them what they were and are.
func (s *Ratings) logGiven(ctx context.Context, tx *gorm.DB, given []ledger.GivenOutcome) error {
	e := adminlog.Entry{
		Kind: adminlog.RatingsImported, About: adminlog.Subject{Kind: adminlog.OfRatings},
		Before: adminlog.Values{}, After: adminlog.Values{"count": strconv.Itoa(len(given))},
	}
	if len(given) == 1 {
		e.About = adminlog.Player(given[0].PlayerID, given[0].Name)
	}
	for _, g := range given[:min(len(given), adminlog.MaxListed)] {
		what := fmt.Sprintf("%s (%s) %s", g.Name, g.PlayerID, g.List)
		if g.Before != 0 {
			e.Before[what] = adminlog.Number(g.Before)
		}
		e.After[what] = adminlog.Number(g.Value)
	}
	return s.Log(ctx, tx, e)
}
