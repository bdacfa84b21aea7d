package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/rating"
	"quatuor/rating/ledger"
)

var _ ledger.Giver = (*Ratings)(nil)

// Give stores ratings to start with if none is refused, and nothing if try is set; see [ledger.Giver].
func (s *Ratings) Give(ctx context.Context, ratings []ledger.GivenRating, try bool) (out []ledger.GivenOutcome, err error) {
	err = s.s.backend.write(ctx, func(tx *gorm.DB) error {
		if err := lockOutbox(tx); err != nil { // no game ends meanwhile
			return err
		}
		var players map[string]*playerRow
		if out, players, err = judgeGiven(tx, ratings); err != nil || try || ledger.Refused(out) {
			return err
		}
		for _, o := range out {
			p := players[o.PlayerID]
			if p.Rating.v == nil {
				p.Rating.v = map[string]float64{}
			}
			if p.Deviation.v == nil {
				p.Deviation.v = map[string]float64{}
			}
			p.Rating.v[o.List] = o.Value
			if delete(p.Deviation.v, o.List); o.Deviation > 0 {
				p.Deviation.v[o.List] = o.Deviation
			}
		}
		for _, p := range players {
			p.Version++
			if err := tx.Model(p).Select("rating", "deviation", "version").Updates(p).Error; err != nil {
				return err
			}
		}
		return nil
	})
	return out, about("store ratings to start with", err)
}

// judgeGiven returns what becomes of ratings, and their players, who are locked.
func judgeGiven(tx *gorm.DB, ratings []ledger.GivenRating) ([]ledger.GivenOutcome, map[string]*playerRow, error) {
	ids := make([]string, 0, len(ratings))
	for _, g := range ratings {
		ids = append(ids, g.PlayerID)
	}
	players := map[string]*playerRow{}
	played := map[[2]string]bool{}
	for part := range chunks(ids) {
		var rows []playerRow
		if err := tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).Order("id").Find(&rows, "id IN ?", part).Error; err != nil {
			return nil, nil, err
		}
		for i := range rows {
			players[rows[i].ID] = &rows[i]
		}
		var over []struct{ PlayerID, List string }
		err := tx.Raw(`SELECT DISTINCT p.player_id AS player_id, o.list AS list FROM game_players p JOIN outbox o ON o.game_id = p.game_id
			WHERE p.player_id IN ? AND o.rated = ?`, part, true).Scan(&over).Error
		if err != nil {
			return nil, nil, err
		}
		for _, one := range over {
			played[[2]string{one.PlayerID, one.List}] = true
		}
	}
	out := make([]ledger.GivenOutcome, len(ratings))
	for i, g := range ratings {
		o := &out[i]
		o.GivenRating = g
		p := players[g.PlayerID]
		if p == nil {
			o.Refusal = "unknown"
			continue
		}
		o.Name, o.Before = p.Name, p.Rating.v[g.List]
		if played[[2]string{g.PlayerID, g.List}] {
			o.Refusal = "played"
		}
	}
	return out, players, nil
}

// given returns what a player starts with in a list.
func (r *playerRow) given(list string) (rating.Rating, bool) {
	value, ok := r.Rating.v[list]
	return rating.Rating{Value: value, Deviation: r.Deviation.v[list]}, ok
}
