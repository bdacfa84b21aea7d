package store

import (
	"context"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
	"quatuor/tournament/ladder"
	"quatuor/tournament/registration"
)

// BeforeErase returns the person's games of ladders that they have not joined yet: these have to be broken off before
// [People.Erase]. Otherwise it returns the error that Erase would return anyway. It changes nothing.
func (p *People) BeforeErase(ctx context.Context, e club.Erasure) (games []string, err error) {
	err = p.s.backend.write(ctx, func(tx *gorm.DB) error {
		erasing := erasing{tx: tx, Erasure: e}
		if err := erasing.read(); err != nil || max(erasing.player.Gone, erasing.account.Gone) > 0 {
			return err
		}
		if err := erasing.checkAdmin(); err != nil {
			return err
		}
		if games, err = erasing.waitsOnLadders(); err != nil {
			return err
		}
		_, err := erasing.running()
		return err
	})
	return games, db.Keep("look for the games of a person", err, club.ErrNotFound, account.ErrNotFound,
		account.ErrLastAdmin, club.ErrErasePlaying, club.ErrEraseEntered)
}

// waitsOnLadders returns the games of ladders that wait for the player or the opponent to come. The error is
// club.ErrErasePlaying if the player is in another game that is not over.
func (e *erasing) waitsOnLadders() ([]string, error) {
	if e.Player == "" {
		return nil, nil
	}
	var open []struct {
		ID     string
		Status table.Status
	}
	err := e.tx.Model(&gamePlayerRow{}).Joins("JOIN games ON games.id = game_players.game_id").Distinct("games.id, games.status").
		Where("game_players.player_id = ? AND games.status NOT IN ?", e.Player, []table.Status{table.Finished, table.Aborted}).
		Order("games.id").Scan(&open).Error
	if err != nil {
		return nil, err
	}
	var waiting []string
	for _, g := range open {
		if g.Status != table.Waiting {
			return nil, club.ErrErasePlaying
		}
		waiting = append(waiting, g.ID)
	}
	ladders := e.tx.Model(&ladderActRow{}).Where("player = ? OR other = ?", e.Player, e.Player).Select("ladder_id")
	known, err := db.Known(e.tx.Model(&ladderActRow{}).Where("kind = ? AND ladder_id IN (?)", ladder.ActGame, ladders), "game", waiting)
	if err == nil && len(known) < len(waiting) {
		err = club.ErrErasePlaying
	}
	return waiting, err
}

// withdraw withdraws the player from running tournaments.
func (e *erasing) withdraw(ctx context.Context) error {
	entered, err := e.running()
	if err != nil {
		return err
	}
	for _, in := range entered {
		next, err := registration.Withdraw(in.t, in.entry)
		if err != nil {
			return err
		}
		next.Delta.Acts = []tournament.Act{{
			Kind: tournament.ActWithdraw, By: adminlog.From(ctx).Account, At: e.At, Entry: in.entry, Round: next.PublishedRounds(),
		}}
		next.Succeed(in.t)
		if err := saveTournament(ctx, e.tx, next.Tournament, in.t.Version, next.Delta); err != nil {
			return err
		}
	}
	return nil
}

// entered is an entry of the player alone in a running tournament.
type entered struct {
	t     *tournament.Tournament
	entry string
}

// running returns the player's entries in running tournaments. The error is club.ErrEraseEntered if an entry is at a
// board that has no result yet, or is a team's.
func (e *erasing) running() (all []entered, err error) {
	if e.Player == "" {
		return nil, nil
	}
	var members []memberRow
	err = e.tx.Model(&memberRow{}).Joins("JOIN tournaments t ON t.id = entry_members.tournament_id").
		Joins("JOIN entries e ON e.tournament_id = t.id AND e.id = entry_members.entry_id").
		Where("entry_members.player_id = ? AND t.status = ? AND e.status <> ?", e.Player, tournament.Running,
			tournament.Withdrawn).Order("entry_members.tournament_id, entry_members.entry_id").Find(&members).Error
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		err := e.tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).Select("id").
			Take(&tournamentRow{}, "id = ?", m.TournamentID).Error
		if err != nil {
			return nil, err
		}
		t, err := loadTournament(e.tx, m.TournamentID)
		if err != nil {
			return nil, err
		}
		entry, _ := t.Entry(m.EntryID)
		if len(entry.Members) > 1 || t.Teams != nil || sits(t, m.EntryID) {
			return nil, club.ErrEraseEntered
		}
		all = append(all, entered{t, m.EntryID})
	}
	return all, nil
}

// sits reports whether an entry is at a published board that has no result.
func sits(t *tournament.Tournament, entry string) bool {
	for _, r := range t.Rounds {
		if r.Status == tournament.Paired {
			continue
		}
		for _, p := range r.Pairings {
			if p.Result == nil && p.Bye == tournament.NoBye && slices.Contains(p.Seats, entry) {
				return true
			}
		}
	}
	return false
}
