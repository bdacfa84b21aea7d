package store

import (
	"context"
	"fmt"
	"slices"

	"quatuor/store/internal/db"
	"quatuor/tournament"
	"quatuor/tournament/account"
)

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
