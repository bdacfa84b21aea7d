package store

import (
	"context"

	"gorm.io/gorm"

	"quatuor/tournament/director"
)

// List gives tournaments, the newest first.
func (s *Tournaments) List(ctx context.Context, f director.Filter, limit int, cursor string) (
	[]director.Summary, string, error,
) {
	from, err := parseCursor[newest]("tournaments", cursor)
	if err != nil {
		return nil, "", err
	}
	limit = max(limit, 1)
	query := s.s.reads.WithContext(ctx).Order("created_at DESC, id DESC").Limit(limit + 1)
	if from != nil {
		query = query.Where("(created_at, id) < (?, ?)", from.CreatedAt, from.ID)
	}
	rows, err := findTournaments(query, f)
	if err != nil {
		return nil, "", about("list tournaments", err)
	}
	rows, next := page("tournaments", rows, limit, func(r *tournamentRow) any { return r.place() })
	list := make([]director.Summary, len(rows))
	for i := range rows {
		list[i] = rows[i].summary()
	}
	return list, next, nil
}

// findTournaments is to tournaments what findGames is to games: an organiser's or a player's are few enough to be
// filtered.
func findTournaments(query *gorm.DB, f director.Filter) ([]tournamentRow, error) {
	few := f.Organiser != "" || f.Player != ""
	filter := indexed
	if few {
		filter = unindexed
	}
	if f.Variant != "" {
		query = query.Where(filter("variant")+" = ?", f.Variant)
	}
	if f.Organiser != "" {
		query = query.Where("organiser = ?", f.Organiser)
	}
	if f.Player != "" {
		query = query.Where("id IN (SELECT tournament_id FROM entry_members WHERE player_id = ?)", f.Player)
	}
	if len(f.Status) > 0 && !few {
		return findByStatus(query, "status", f.Status, (*tournamentRow).place)
	}
	if len(f.Status) > 0 {
		query = query.Where(filter("status")+" IN ?", f.Status)
	}
	var rows []tournamentRow
	err := query.Find(&rows).Error
	return rows, err
}

func (r *tournamentRow) place() newest { return newest{r.CreatedAt, r.ID} }

func (r *tournamentRow) summary() director.Summary {
	return director.Summary{
		ID: r.ID, Name: r.Name, Variant: r.Variant, Format: r.Format, Status: r.Status, TimeControl: r.TimeControl,
		Entries: r.EntryCount, Round: r.LastRound, RoundCount: r.RoundCount, CreatedAt: r.CreatedAt,
		StartsAt: r.StartsAt, StartedAt: r.StartedAt, FinishedAt: r.FinishedAt, Organiser: r.Organiser,
	}
}
