package store

import (
	"fmt"

	"gorm.io/gorm"

	"quatuor/engine/table"
)

// invitationLock is the first half of the advisory locks of accounts that invite; the second is a hash of the account.
const invitationLock = 0x7175_6902

// openInvitation picks the games of an account that wait for invited players, from the index games_invitations.
const openInvitation = "games.status = 'waiting' AND games.invited > 0 AND games.created_by = ?"

// allowInvitation refuses a game by which its creator would have more open invitations than an account may have, in all or
// to one of the players. On PostgreSQL the transactions of one account wait for each other here; on SQLite there is one at
// a time.
func (s *Store) allowInvitation(tx *gorm.DB, game *table.Game) error {
	if !s.backend.alone() {
		if err := tx.Exec("SELECT pg_advisory_xact_lock(?, hashtext(?))", invitationLock, game.CreatedBy).Error; err != nil {
			return err
		}
	}
	open := tx.Model(&gameRow{}).Where(openInvitation, game.CreatedBy)
	var all int64
	if err := open.Session(&gorm.Session{}).Count(&all).Error; err != nil {
		return err
	}
	if all >= table.MaxInvitations {
		return fmt.Errorf("%w: %d games that you created wait for players to accept, and %d is the limit; break one off, or wait",
			table.ErrInvitations, all, table.MaxInvitations)
	}
	for i, player := range game.Players {
		if player == "" || !game.Invited.Has(int8(i+1)) {
			continue
		}
		var same int64
		err := open.Session(&gorm.Session{}).Joins("JOIN game_players ON game_players.game_id = games.id").
			Where("game_players.player_id = ?", player).Count(&same).Error
		if err != nil {
			return err
		}
		if same >= table.MaxInvitationsTo {
			return fmt.Errorf("%w: %d games that you created with the player of seat %d wait to be accepted, and %d is the limit for one player",
				table.ErrInvitations, same, i+1, table.MaxInvitationsTo)
		}
	}
	return nil
}
