package store

import (
	"cmp"
	"context"
	"errors"

	"gorm.io/gorm"

	"quatuor/store/editions"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/paging"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/exchange"
)

// Tournaments keeps tournaments. It is a [director.Store] and a [director.Lister].
type Tournaments struct{ s *Store }

// Tournaments returns the store of tournaments.
func (s *Store) Tournaments() *Tournaments { return &Tournaments{s} }

var (
	_ director.Store  = (*Tournaments)(nil)
	_ director.Lister = (*Tournaments)(nil)
)

// Create stores a new tournament, with whatever entries and rounds it has, as version 1.
func (s *Tournaments) Create(ctx context.Context, t *tournament.Tournament) error {
	t.Version = 1
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
		return createTournament(tx, t)
	})
	return db.About("create a tournament", err)
}

func createTournament(tx *gorm.DB, t *tournament.Tournament, acts ...tournament.Act) error {
	row := toTournamentRow(t)
	if err := tx.Create(&row).Error; err != nil {
		return err
	}
	return writeDelta(tx, t.ID, tournament.Delta{Entries: t.Entries, Rounds: t.Rounds, Acts: acts})
}

// Load returns a tournament with entries and rounds, or tournament.ErrNotFound. Its lists are shared and must not be
// changed in place.
func (s *Tournaments) Load(ctx context.Context, id string) (*tournament.Tournament, error) {
	var e editions.Edition
	err := s.s.reads.WithContext(ctx).Model(&tournamentRow{}).Select("version", "created_at").Take(&e, "id = ?", id).Error
	if err == nil {
		if t := s.s.tournaments.Get(id, e); t != nil {
			return t, nil
		}
	}
	t, err := s.read(ctx, id)
	if err == nil {
		s.s.tournaments.Put(t)
	}
	return t, err
}

// read reads a tournament from the database.
func (s *Tournaments) read(ctx context.Context, id string) (*tournament.Tournament, error) {
	var t *tournament.Tournament
	err := s.s.snapshot(ctx, func(tx *gorm.DB) (err error) {
		t, err = loadTournament(tx, id)
		return err
	})
	return t, db.Promised("load a tournament", err, tournament.ErrNotFound)
}

func loadTournament(tx *gorm.DB, id string) (*tournament.Tournament, error) {
	var row tournamentRow
	if err := tx.Take(&row, "id = ?", id).Error; err != nil {
		return nil, err
	}
	t := (*tournament.Tournament)(&row.Tournament)
	var entries []entryRow
	// Entries without a number yet come after those with a number.
	err := tx.Where("tournament_id = ?", id).Order("CASE WHEN number > 0 THEN 0 ELSE 1 END, number, position").
		Find(&entries).Error
	if err != nil {
		return nil, err
	}
	for i := range entries {
		t.Entries = append(t.Entries, tournament.Entry(entries[i].Entry))
	}
	t.Rounds, err = loadRounds(tx, id)
	return t, err
}

func loadRounds(tx *gorm.DB, id string) ([]tournament.Round, error) {
	var rows []roundRow
	if err := tx.Where("tournament_id = ?", id).Order("number").Find(&rows).Error; err != nil {
		return nil, err
	}
	var rounds []tournament.Round
	index := map[int]int{}
	for i, r := range rows {
		index[r.Number] = i
		rounds = append(rounds, tournament.Round{
			Number: r.Number, Status: r.Status, PublishedAt: r.PublishedAt,
			Start: tournament.Start{At: r.StartsAt, Together: r.Together}, LineUpsDue: r.LineUpsDue,
		})
	}
	var pairings []pairingRow
	if err := tx.Where("tournament_id = ?", id).Order("round, board").Find(&pairings).Error; err != nil {
		return nil, err
	}
	for i := range pairings {
		r := &rounds[index[pairings[i].Round]] // a pairing without its round cannot be: foreign key
		r.Pairings = append(r.Pairings, tournament.Pairing(pairings[i].Pairing))
	}
	return rounds, nil
}

// Save stores t's own fields and the parts in delta, if the stored version is from; else tournament.ErrStale.
func (s *Tournaments) Save(ctx context.Context, t *tournament.Tournament, from int64, delta tournament.Delta) error {
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error { return saveTournament(ctx, tx, t, from, delta) })
	if err == nil {
		s.s.tournaments.Saved(t, from, delta)
	}
	return asStored("save a tournament", err)
}

// RecordResult is Save that also moves the outbox cursor of the tournaments, unless it is there already.
func (s *Tournaments) RecordResult(ctx context.Context, cursor int64, t *tournament.Tournament, from int64,
	delta tournament.Delta,
) error {
	settled := false
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
		moved, err := outbox.Move(tx, outbox.OfTournaments, cursor, "seq < ?", cursor)
		settled = moved && t != nil
		if err != nil || !settled {
			return err
		}
		return saveTournament(ctx, tx, t, from, delta)
	})
	if err == nil && settled {
		s.s.tournaments.Saved(t, from, delta)
	}
	return asStored("settle a game", err)
}

// asStored keeps the errors that the port promises.
func asStored(what string, err error) error {
	return db.Keep(what, err, tournament.ErrStale, tournament.ErrNotFound, tournament.ErrState, club.ErrDeleted, club.ErrReserved)
}

func saveTournament(
	ctx context.Context, tx *gorm.DB, t *tournament.Tournament, from int64, delta tournament.Delta,
) error {
	if err := logArbiters(ctx, tx, t, delta); err != nil {
		return err
	}
	row := toTournamentRow(t)
	update := tx.Model(&tournamentRow{}).Where("id = ? AND version = ?", t.ID, from).
		Select("*").Omit("id", "entry_count", "last_round").Updates(&row)
	if err := db.Changed(update, tournament.ErrStale); errors.Is(err, tournament.ErrStale) {
		return whyNotSaved(tx, t.ID)
	} else if err != nil {
		return err
	}
	if err := writeDelta(tx, t.ID, delta); err != nil {
		return err
	}
	if err := storeNews(tx, t.ID, delta.At(), tournament.NewsOf(t, delta)...); err != nil {
		return err
	}
	return writeHallGames(tx, t, delta)
}

// whyNotSaved returns tournament.ErrNotFound for a missing tournament, and tournament.ErrStale for another version.
func whyNotSaved(tx *gorm.DB, id string) error {
	there, err := db.Any(tx.Model(&tournamentRow{}).Where("id = ?", id))
	if err == nil && !there {
		return tournament.ErrNotFound
	}
	return cmp.Or(err, tournament.ErrStale)
}

// Delete removes a tournament that has not started, or that was imported and not touched since; tournament.ErrState for
// others.
func (s *Tournaments) Delete(ctx context.Context, id string, from int64) error {
	return asStored("delete a tournament", s.s.backend.write(ctx, func(tx *gorm.DB) error {
		var gone tournamentRow
		err := tx.Take(&gone, "id = ? AND version = ?", id, from).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return whyNotSaved(tx, id)
		}
		if err != nil {
			return err
		}
		early := []tournament.Status{tournament.Draft, tournament.Open, tournament.Closed}
		r := tx.Where("id = ? AND version = ? AND (status IN ? OR version = 1)", id, from, early).Delete(&tournamentRow{})
		if err := db.Changed(r, tournament.ErrState); err != nil {
			return err
		}
		return logDeleted(ctx, tx, &gone)
	}))
}

// Pending lists the outbox rows of tournament games after the cursor, in order.
func (s *Tournaments) Pending(ctx context.Context, limit int) ([]director.Finished, error) {
	from, some, err := s.s.backend.Pending(ctx, outbox.OfTournaments)
	if err != nil {
		return nil, err
	}
	if !some {
		return []director.Finished{}, nil
	}
	query := s.s.reads.WithContext(ctx).Where("tournament_id IS NOT NULL AND seq > ?", from).Order("seq").Limit(limit)
	return db.List("read the outbox", query, (*outbox.Row).ForDirector)
}

// Running lists the ids of the tournaments that run.
func (s *Tournaments) Running(ctx context.Context) ([]string, error) {
	var ids []string
	err := s.s.reads.WithContext(ctx).Model(&tournamentRow{}).Where("status = ?", tournament.Running).
		Order("created_at, id").Pluck("id", &ids).Error
	return ids, db.About("list running tournaments", err)
}

// History lists the result changes of a tournament, oldest first.
func (s *Tournaments) History(ctx context.Context, id string) ([]tournament.Change, error) {
	query := s.s.reads.WithContext(ctx).Where("tournament_id = ?", id).Order("id")
	return db.List("read a tournament's history", query, func(r *changeRow) tournament.Change {
		return tournament.Change(r.Change)
	})
}

// PairingInput returns the history that a round was paired from, or tournament.ErrNotFound.
func (s *Tournaments) PairingInput(ctx context.Context, id string, round int) (tournament.PairingInput, error) {
	var row snapshotRow
	err := s.s.reads.WithContext(ctx).Take(&row, "tournament_id = ? AND round = ?", id, round).Error
	input := tournament.PairingInput{Round: row.Round, Text: row.Text}
	return input, db.Promised("read a pairing input", err, tournament.ErrNotFound)
}

// Acts lists the acts on a tournament, oldest first.
func (s *Tournaments) Acts(ctx context.Context, id string) ([]tournament.Act, error) {
	query := s.s.reads.WithContext(ctx).Where("tournament_id = ?", id).Order("id")
	return db.List("read what was done with a tournament", query, func(r *actRow) tournament.Act {
		return tournament.Act(r.Act)
	})
}

// List returns tournaments in an order, by default the newest first.
func (s *Tournaments) List(ctx context.Context, f director.Filter, limit int, cursor string) (
	[]director.Summary, string, error,
) {
	switch f.Order {
	case director.ByName:
		return s.byName(ctx, f, limit, cursor)
	case director.ByDate:
		return s.byDate(ctx, f, limit, cursor)
	}
	from, err := paging.Parse[newest]("tournaments", cursor)
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
		return nil, "", db.About("list tournaments", err)
	}
	rows, next := paging.Cut("tournaments", rows, limit, func(r *tournamentRow) any { return r.place() })
	return db.Map(rows, (*tournamentRow).summary), next, nil
}

// tournamentName is a place in the list of tournaments by name.
type tournamentName struct{ Name, ID string }

// byName lists tournaments by name. The database lowers the letters of both sides, so that a cursor fits its order.
func (s *Tournaments) byName(ctx context.Context, f director.Filter, limit int, cursor string) (
	[]director.Summary, string, error,
) {
	const list = "tournaments by name"
	from, err := paging.Parse[tournamentName](list, cursor)
	if err != nil {
		return nil, "", err
	}
	query := s.unordered(ctx, f).Order("lower(name), id")
	if from != nil {
		query = query.Where("(lower(name), id) > (lower(?), ?)", from.Name, from.ID)
	}
	place := func(r *tournamentRow) any { return tournamentName{r.Tournament.Name, r.Tournament.ID} }
	return db.Page(list, query, limit, place, (*tournamentRow).summary)
}

// tournamentDate is a place in the list of tournaments by date.
type tournamentDate struct {
	At int64 // as director.Summary.Date
	ID string
}

// byDate lists tournaments by their date, the newest first.
func (s *Tournaments) byDate(ctx context.Context, f director.Filter, limit int, cursor string) (
	[]director.Summary, string, error,
) {
	const list = "tournaments by date"
	const date = "coalesce(nullif(finished_at, 0), nullif(started_at, 0), nullif(starts_at, 0), created_at)"
	from, err := paging.Parse[tournamentDate](list, cursor)
	if err != nil {
		return nil, "", err
	}
	query := s.unordered(ctx, f).Order(date + " DESC, id DESC")
	if from != nil {
		query = query.Where("("+date+", id) < (?, ?)", from.At, from.ID)
	}
	place := func(r *tournamentRow) any { return tournamentDate{r.summary().Date(), r.Tournament.ID} }
	return db.Page(list, query, limit, place, (*tournamentRow).summary)
}

// unordered selects the tournaments of a filter. No index has the orders that readers choose: they are sorted, and a
// club has few.
func (s *Tournaments) unordered(ctx context.Context, f director.Filter) *gorm.DB {
	query := narrow(s.s.reads.WithContext(ctx), f, unindexed)
	if len(f.Status) > 0 {
		query = query.Where("status IN ?", f.Status)
	}
	return query
}

// findTournaments is findGames for tournaments: those of an organiser or a player are few enough to be filtered.
func findTournaments(query *gorm.DB, f director.Filter) ([]tournamentRow, error) {
	few := f.Organiser != "" || f.Player != ""
	filter := indexed
	if few {
		filter = unindexed
	}
	query = narrow(query, f, filter)
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

// narrow adds the conditions of a filter but the status; filter decides whether their indexes are used.
func narrow(query *gorm.DB, f director.Filter, filter func(column string) string) *gorm.DB {
	if f.Variant != "" {
		query = query.Where(filter("variant")+" = ?", f.Variant)
	}
	if f.Organiser != "" {
		query = query.Where("organiser = ?", f.Organiser)
	}
	if f.Player != "" {
		entered, players := "SELECT tournament_id FROM entry_members WHERE player_id = ?", []any{f.Player}
		if f.Leads {
			entered += " UNION SELECT tournament_id FROM entry_leaders WHERE player_id = ?"
			players = append(players, f.Player)
		}
		query = query.Where("id IN ("+entered+")", players...)
	}
	return query
}

func (r *tournamentRow) place() newest { return newest{r.Tournament.CreatedAt, r.Tournament.ID} }

func (r *tournamentRow) summary() director.Summary {
	t := tournament.Tournament(r.Tournament)
	s := director.SummaryOf(&t)
	s.Entries, s.Round = r.EntryCount, r.LastRound // its entries and rounds are not read
	return s
}

type originalRow struct {
	TournamentID string `gorm:"primaryKey"`
	Report       []byte
	Entries      []string `gorm:"serializer:text"`
}

func (originalRow) TableName() string { return "tournament_originals" }

// Import stores a tournament from a file as version 1, with its players and the file.
func (s *Tournaments) Import(ctx context.Context, t *tournament.Tournament, with director.Imported) error {
	t.Version = 1
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
		if err := createTournament(tx, t, with.Act); err != nil {
			return err
		}
		if err := newPlayers(tx, with.Players); err != nil {
			return err
		}
		original := originalRow{t.ID, with.Original.Text, with.Original.Entries}
		if err := tx.Create(&original).Error; err != nil {
			return err
		}
		return logTaken(ctx, tx, t, with.Players)
	})
	return db.About("import a tournament", err)
}

// Original returns the file that a tournament was imported from, or tournament.ErrNotFound.
func (s *Tournaments) Original(ctx context.Context, id string) (*exchange.Original, error) {
	var row originalRow
	err := s.s.reads.WithContext(ctx).Take(&row, "tournament_id = ?", id).Error
	if err != nil {
		return nil, db.Promised("read the file of a tournament", err, tournament.ErrNotFound)
	}
	return &exchange.Original{Text: row.Report, Entries: row.Entries}, nil
}

// HallRecord returns the record with a digest, or tournament.ErrNotFound.
func (s *Tournaments) HallRecord(ctx context.Context, id, digest string) (tournament.RecordText, error) {
	text, err := hallRecord(s.s.reads.WithContext(ctx), id, digest)
	record := tournament.RecordText{Digest: digest, Text: text}
	return record, db.Promised("read the record of a game", err, tournament.ErrNotFound)
}
