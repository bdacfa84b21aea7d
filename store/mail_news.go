package store

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"gorm.io/gorm"
	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/tournament"
	"quatuor/tournament/account"
)

// roundNews is a published round, and an account that plays in it.
type roundNews struct {
	TournamentID string
	Format       tournament.Format
	Number       int
	EntryID      string
	AccountID    string
	Off          []account.MailKind `gorm:"serializer:text"`
	Mailed       *int
	others       []string // entries that sit at the board, sorted
}

// QueueRounds queues an e-mail for each account with a confirmed address that plays in a round published after since:
// an e-mail a round, and another if the round was paired again with other opponents. In an arena only the first game is
// news. It reads stored rounds, so publishing a round neither waits for the mail nor loses it.
func (m *Mail) QueueRounds(ctx context.Context, since, now int64) error {
	var news []roundNews
	reads := m.s.reads.WithContext(ctx)
	err := reads.Table("rounds").
		Select("rounds.tournament_id, tournaments.format, rounds.number, entry_members.entry_id, mail_addresses.account_id, "+
			"mail_addresses.off, mail_marks.number AS mailed").
		Joins("JOIN tournaments ON tournaments.id = rounds.tournament_id").
		Joins("JOIN entry_members ON entry_members.tournament_id = rounds.tournament_id").
		Joins("JOIN players ON players.id = entry_members.player_id").
		Joins("JOIN mail_addresses ON mail_addresses.account_id = players.account_id AND mail_addresses.address <> ''").
		Joins("LEFT JOIN mail_marks ON mail_marks.account_id = mail_addresses.account_id "+
														"AND mail_marks.subject = 'round ' || rounds.tournament_id || ' ' || rounds.number").
		Joins("LEFT JOIN mail_marks earlier ON earlier.account_id = mail_addresses.account_id "+ // of an older version
			"AND earlier.subject = 'round ' || rounds.tournament_id AND earlier.number >= rounds.number").
		Where("rounds.published_at > ? AND rounds.status = ? AND earlier.number IS NULL", since, tournament.Published).
		Order("rounds.published_at, rounds.tournament_id, rounds.number, mail_addresses.account_id").Find(&news).Error
	if err == nil {
		news, err = changedRounds(reads, news)
	}
	if err != nil {
		return db.About("look for published rounds", err)
	}
	return m.queueNews(ctx, len(news), func(i int) (mailMarkRow, int64, account.Mail) {
		n := news[i]
		subject := fmt.Sprintf("round %s %d", n.TournamentID, n.Number)
		return mailMarkRow{n.AccountID, subject, n.mark(), now}, now, account.Mail{
			Kind: account.MailRound, AccountID: n.AccountID, CreatedAt: now, NextAt: now,
			Data: account.MailData{Tournament: n.TournamentID, Round: n.Number, Entry: n.EntryID, Opponents: n.others},
		}
	})
}

// changedRounds returns the news about boards that have changed since they were mailed, or were not mailed.
func changedRounds(reads *gorm.DB, news []roundNews) (changed []roundNews, err error) {
	type round struct {
		tournament string
		number     int
	}
	seats := map[round]map[string][]string{} // by entry
	for _, n := range news {
		if slices.Contains(n.Off, account.MailRound) || n.Format.Continuous() && n.Mailed != nil {
			continue
		}
		of := round{n.TournamentID, n.Number}
		if seats[of] == nil {
			if seats[of], err = seatsOf(reads, n.TournamentID, n.Number); err != nil {
				return nil, err
			}
		}
		for _, entry := range seats[of][n.EntryID] {
			if entry != n.EntryID {
				n.others = append(n.others, entry)
			}
		}
		slices.Sort(n.others)
		if len(n.others) > 0 && (n.Mailed == nil || *n.Mailed != n.mark()) {
			changed = append(changed, n)
		}
	}
	return changed, nil
}

// seatsOf returns, by entry, the players at its board in a round. A bye has no board.
func seatsOf(reads *gorm.DB, tournamentID string, round int) (map[string][]string, error) {
	var rows []pairingRow
	err := reads.Select("board, seats").Order("board").
		Find(&rows, "tournament_id = ? AND round = ? AND bye = ?", tournamentID, round, tournament.NoBye).Error
	seats := map[string][]string{}
	for _, r := range rows {
		for _, entry := range r.Pairing.Seats {
			seats[entry] = r.Pairing.Seats
		}
	}
	return seats, err
}

// mark returns a number that denotes the opponents in the marks of e-mail.
func (n *roundNews) mark() int {
	sum := fnv.New32a()
	_, _ = io.WriteString(sum, strings.Join(n.others, " ")) // never fails
	return int(sum.Sum32())
}

// queueNews queues e-mails, many in a transaction, except those that their marks show as queued.
func (m *Mail) queueNews(ctx context.Context, n int, at func(i int) (mailMarkRow, int64, account.Mail)) error {
	const together = 100
	for from := 0; from < n; from += together {
		err := m.write(ctx, "queue e-mails", func(tx *gorm.DB) error {
			for i := from; i < min(from+together, n); i++ {
				mark, before, mail := at(i)
				if err := queueOnce(tx, mark, before, mail); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// turnNews is a running game, and an account that plays in it.
type turnNews struct {
	GameID    string
	Variant   string
	Turn      int
	Deadline  int64
	Awaited   []int8   `gorm:"serializer:text"`
	Players   []string `gorm:"serializer:text"`
	Controls  []string `gorm:"serializer:text"`
	PlayerID  string
	AccountID string
	Off       []account.MailKind `gorm:"serializer:text"`
	Number    *int
	At        *int64
}

// slowDeadline is a time, ms, within which no flag falls in a game with days for each move that has just changed turns.
const slowDeadline = 12 * 60 * 60 * 1000

// QueueTurns queues an e-mail for each account with a confirmed address and a player to move in a game with days for
// each move: an e-mail a turn, but none while the last e-mail about the game is younger than before.
func (m *Mail) QueueTurns(ctx context.Context, now, before int64) error {
	var news []turnNews
	err := m.s.reads.WithContext(ctx).Table("live_games").
		Select("live_games.game_id, games.variant, live_games.turn, live_games.deadline, live_games.awaited, games.players, "+
			"games.controls, players.id AS player_id, mail_addresses.account_id, mail_addresses.off, mail_marks.number, mail_marks.at").
		Joins("JOIN games ON games.id = live_games.game_id").
		Joins("JOIN game_players ON game_players.game_id = live_games.game_id").
		Joins("JOIN players ON players.id = game_players.player_id").
		Joins("JOIN mail_addresses ON mail_addresses.account_id = players.account_id AND mail_addresses.address <> ''").
		Joins("LEFT JOIN mail_marks ON mail_marks.account_id = mail_addresses.account_id "+
			"AND mail_marks.subject = 'turn ' || live_games.game_id").
		Where("live_games.status = ? AND live_games.deadline > ?", table.Running, now+slowDeadline).
		Where("mail_marks.number IS NULL OR mail_marks.number < live_games.turn AND mail_marks.at <= ?", before).
		Order("live_games.game_id, mail_addresses.account_id").Find(&news).Error
	if err != nil {
		return db.About("look for turns", err)
	}
	news = slices.DeleteFunc(news, func(n turnNews) bool { return !n.wanted() })
	return m.queueNews(ctx, len(news), func(i int) (mailMarkRow, int64, account.Mail) {
		n := news[i]
		data := account.MailData{Game: n.GameID, Variant: n.Variant, Turn: n.Turn, Deadline: n.Deadline}
		for _, id := range n.Players {
			if id != "" && id != n.PlayerID && !slices.Contains(data.Others, id) {
				data.Others = append(data.Others, id)
			}
		}
		return mailMarkRow{n.AccountID, "turn " + n.GameID, n.Turn, now}, before, account.Mail{
			Kind: account.MailTurn, AccountID: n.AccountID, CreatedAt: now, NextAt: now, Data: data,
		}
	})
}

// wanted reports whether the player is to move in a game with days for each move, and its account wants to know.
func (n turnNews) wanted() bool {
	controls := make([]clock.Control, len(n.Controls))
	for i, text := range n.Controls {
		c, err := clock.Parse(text)
		if err != nil {
			return false
		}
		controls[i] = c
	}
	if clock.Class(controls...) != clock.Correspondence || slices.Contains(n.Off, account.MailTurn) {
		return false
	}
	return slices.ContainsFunc(n.Awaited, func(seat int8) bool {
		return seat > 0 && int(seat) <= len(n.Players) && n.Players[seat-1] == n.PlayerID
	})
}

// inviteNews is a game that waits for invited players, and an account that plays in it.
type inviteNews struct {
	GameID    string
	Variant   string
	Players   []string `gorm:"serializer:text"`
	Invited   table.SeatSet
	PlayerID  string
	AccountID string
	Off       []account.MailKind `gorm:"serializer:text"`
}

// QueueInvitations queues an e-mail a game for each account with a confirmed address and an unanswered invitation that
// was made after since and no later than before.
func (m *Mail) QueueInvitations(ctx context.Context, since, before, now int64) error {
	var news []inviteNews
	err := m.s.reads.WithContext(ctx).Table("games").
		Select("games.id AS game_id, games.variant, games.players, games.invited, players.id AS player_id, "+
			"mail_addresses.account_id, mail_addresses.off").
		Joins("JOIN game_players ON game_players.game_id = games.id").
		Joins("JOIN players ON players.id = game_players.player_id").
		Joins("JOIN mail_addresses ON mail_addresses.account_id = players.account_id AND mail_addresses.address <> ''").
		Joins("LEFT JOIN mail_marks ON mail_marks.account_id = mail_addresses.account_id "+
			"AND mail_marks.subject = 'invited ' || games.id").
		Where("games.status = 'waiting' AND games.invited > 0 AND games.created_at > ? AND games.created_at <= ?", since, before).
		Where("mail_marks.number IS NULL").
		Order("games.id, mail_addresses.account_id").Find(&news).Error
	if err != nil {
		return db.About("look for invitations", err)
	}
	news = slices.DeleteFunc(news, func(n inviteNews) bool {
		return !n.invites(n.PlayerID) || slices.Contains(n.Off, account.MailInvited)
	})
	return m.queueNews(ctx, len(news), func(i int) (mailMarkRow, int64, account.Mail) {
		n := news[i]
		data := account.MailData{Game: n.GameID, Variant: n.Variant}
		for _, id := range n.Players {
			if id != "" && !n.invites(id) && !slices.Contains(data.Others, id) {
				data.Others = append(data.Others, id)
			}
		}
		return mailMarkRow{n.AccountID, "invited " + n.GameID, 1, now}, now, account.Mail{
			Kind: account.MailInvited, AccountID: n.AccountID, CreatedAt: now, NextAt: now, Data: data,
		}
	})
}

// invites reports whether a player has a seat and has not accepted.
func (n inviteNews) invites(player string) bool {
	for i, id := range n.Players {
		if id == player && n.Invited.Has(int8(i+1)) {
			return true
		}
	}
	return false
}

// Invites reports whether a game still waits for the player of an account.
func (m *Mail) Invites(ctx context.Context, game, accountID string) (bool, error) {
	var n []inviteNews
	err := m.s.reads.WithContext(ctx).Table("games").Select("games.players, games.invited, players.id AS player_id").
		Joins("JOIN players ON players.account_id = ?", accountID).
		Where("games.id = ? AND games.status = 'waiting'", game).Find(&n).Error
	return len(n) > 0 && n[0].invites(n[0].PlayerID), db.About("look for an invitation", err)
}

// IsTurn reports whether a game is still at a turn.
func (m *Mail) IsTurn(ctx context.Context, game string, turn int) (bool, error) {
	is, err := db.Any(m.s.reads.WithContext(ctx).Model(&liveRow{}).
		Where("game_id = ? AND turn = ? AND status = ?", game, turn, table.Running))
	return is, db.About("look for a turn", err)
}

// ForgetMarks removes marks that were set before a time.
func (m *Mail) ForgetMarks(ctx context.Context, before int64) error {
	return m.write(ctx, "forget marks of e-mail", func(tx *gorm.DB) error {
		return tx.Delete(&mailMarkRow{}, "at < ?", before).Error
	})
}

// matchNews is a match with sealed line-ups, in a round of days, and the account of a captain.
type matchNews struct {
	TournamentID string
	Round        int
	Seats        []string              `gorm:"serializer:text"`
	Date         *tournament.MatchDate `gorm:"serializer:null"`
	Due          int64
	EntryID      string
	AccountID    string
	Off          []account.MailKind `gorm:"serializer:text"`
}

// dayMs is a day, ms.
const dayMs = 24 * 60 * 60 * 1000

// QueueMatches queues e-mails for captains with a confirmed address, of matches that have dates: for each proposal of
// the other side, and when the line-up is due within a day.
func (m *Mail) QueueMatches(ctx context.Context, now int64) error {
	const due = "COALESCE(NULLIF(pairings.line_ups_due, 0), rounds.line_ups_due)"
	var news []matchNews
	err := m.s.reads.WithContext(ctx).Table("rounds").
		Select("pairings.tournament_id, pairings.round, pairings.seats, pairings.date, "+due+" AS due, entries.id AS entry_id, "+
			"mail_addresses.account_id, mail_addresses.off").
		Joins("JOIN tournaments ON tournaments.id = rounds.tournament_id AND tournaments.status = ?", tournament.Running).
		Joins("JOIN pairings ON pairings.tournament_id = rounds.tournament_id AND pairings.round = rounds.number").
		Joins("JOIN entries ON entries.tournament_id = rounds.tournament_id AND pairings.seats LIKE '%' || entries.id || '%'").
		Joins("JOIN players ON players.id = entries.captain").
		Joins("JOIN mail_addresses ON mail_addresses.account_id = players.account_id AND mail_addresses.address <> ''").
		Where("rounds.line_ups_due > 0 AND rounds.status = ?", tournament.Published).
		Where("tournaments.teams LIKE '%\"days\":%'").
		Where("pairings.boards IS NULL AND pairings.result IS NULL AND pairings.bye = ''").
		Where(due+" > ? AND (pairings.date IS NOT NULL OR "+due+" <= ?)", now, now+dayMs).
		Order("pairings.tournament_id, pairings.round, pairings.board, entries.id").Find(&news).Error
	if err != nil {
		return db.About("look for matches", err)
	}
	var wanted []account.Mail
	for _, n := range news {
		if n.Due <= now+dayMs {
			wanted = n.add(wanted, account.MailMatch, n.Due)
		}
		if side := slices.Index(n.Seats, n.EntryID); side >= 0 && n.Date != nil && n.Date.Proposed[1-side] > 0 {
			wanted = n.add(wanted, account.MailDate, n.Date.Proposed[1-side])
		}
	}
	return m.queueNews(ctx, len(wanted), func(i int) (mailMarkRow, int64, account.Mail) {
		w := wanted[i]
		w.CreatedAt, w.NextAt = now, now
		subject := fmt.Sprintf("%s %s/%d/%s/%d", w.Kind, w.Data.Tournament, w.Data.Round, w.Data.Entry, w.Data.Deadline)
		return mailMarkRow{w.AccountID, subject, 1, now}, now, w
	})
}

// add adds an e-mail of a kind about a time, unless its account does not want it.
func (n matchNews) add(to []account.Mail, kind account.MailKind, at int64) []account.Mail {
	if slices.Contains(n.Off, kind) {
		return to
	}
	return append(to, account.Mail{Kind: kind, AccountID: n.AccountID, Data: account.MailData{
		Tournament: n.TournamentID, Round: n.Round, Entry: n.EntryID, Deadline: at,
	}})
}
