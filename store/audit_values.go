package store

import (
	"quatuor/engine/table"
	"quatuor/store/internal/outbox"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
	"quatuor/tournament/hook"
	"quatuor/tournament/ladder"
	"quatuor/tournament/slip"
)

// enumeration is a column with a few allowed texts.
type enumeration struct {
	table, column string
	values        []string
}

// texts returns values of a domain's type as texts.
func texts[T ~string](values ...T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// statuses are those of games.
var statuses = texts(table.Waiting, table.Running, table.Paused, table.Finished, table.Aborted)

// news are the kinds of news, and of the deliveries that webhooks are sent.
var news = texts(tournament.NewsRound, tournament.NewsResult, tournament.NewsGame, tournament.NewsStandings,
	tournament.NewsFinished, tournament.NewsEntry, tournament.NewsCall, tournament.NewsLineUp, tournament.NewsRevealed,
	tournament.NewsMatch, tournament.NewsDated, tournament.NewsBoardStarted, tournament.NewsBoardFinished, hook.Test)

// enumerations returns the columns with few values.
func enumerations() []enumeration {
	return []enumeration{
		{"accounts", "role", texts(account.RolePlayer, account.RoleOrganiser, account.RoleAdmin)},
		{"credentials", "role", texts("", account.RolePlayer, account.RoleOrganiser, account.RoleAdmin)},
		{"credentials", "kind", texts(account.RefreshToken, account.APIToken, account.PageSession, account.Invitation,
			account.PasswordReset, account.SetupCode)},
		{"games", "status", statuses},
		{"live_games", "status", statuses},
		{"lines", "kind", texts(table.LineStart, table.LineMove, table.LineLeft, table.LineAgreed, table.LineOffer,
			table.LineDecline, table.LinePause, table.LineResume, table.LineOutage, table.LineAbort, table.LineSet, table.LineAdd,
			table.LineAdjudication, table.LineBerserk, table.LineTakeback, table.LineTakebackOffer, table.LineTakebackDecline,
			table.LineCommitment, table.LineNonce, table.LineLapse, table.LineAccept, table.LineStand, table.LineRefuse)},
		{"tournaments", "format", texts(tournament.FormatsWith(nil)...)},
		{"tournaments", "status", texts(tournament.Draft, tournament.Open, tournament.Closed, tournament.Running,
			tournament.Finished, tournament.Archived)},
		{"tournaments", "venue", texts("", tournament.OnServer, tournament.InHall)},
		{"tournaments", "check_in", texts(tournament.NoCheckIn, tournament.CheckInOpen, tournament.CheckInClosed)},
		{"entries", "status", texts(tournament.Registered, tournament.Confirmed, tournament.Withdrawn)},
		{"rounds", "status", texts(tournament.Paired, tournament.Published, tournament.Complete)},
		{"pairings", "venue", texts("", tournament.OnServer, tournament.InHall)},
		{"pairings", "bye", texts(tournament.NoBye, tournament.PairingAllocated, tournament.HalfPoint, tournament.FullPoint,
			tournament.ZeroPoint, tournament.ClubDuty, tournament.NoShow)},
		{"tournament_acts", "kind", texts(tournament.ActCreate, tournament.ActSettings, tournament.ActArbiters, tournament.ActOpen,
			tournament.ActClose, tournament.ActStart, tournament.ActFinish, tournament.ActArchive, tournament.ActRegister,
			tournament.ActEnter, tournament.ActCorrect, tournament.ActConfirm, tournament.ActAgree, tournament.ActDecline,
			tournament.ActWithdraw, tournament.ActReinstate, tournament.ActRemove, tournament.ActByes, tournament.ActForbid,
			tournament.ActBonuses, tournament.ActEnterAll, tournament.ActOpenCheckIn, tournament.ActCloseCheckIn,
			tournament.ActCancelCheckIn, tournament.ActPresent, tournament.ActAbsent, tournament.ActPrizes, tournament.ActPair,
			tournament.ActDraw, tournament.ActPublish, tournament.ActEdit, tournament.ActDrop, tournament.ActResult,
			tournament.ActResults, tournament.ActAdjourn, tournament.ActPlayAgain, tournament.ActClear, tournament.ActRating,
			tournament.ActVenue, tournament.ActRecord, tournament.ActReveal, tournament.ActBoard, tournament.ActSubstitute,
			tournament.ActReopen, tournament.ActDate, tournament.ActUndo, tournament.ActImport)},
		{"arbiter_calls", "kind", texts(slip.CallHelp, slip.CallDispute)},
		{"arbiter_calls", "status", texts(slip.CallOpen, slip.CallSeen, slip.CallSettled)},
		{"ladder_acts", "kind", texts(ladder.ActJoin, ladder.ActLeave, ladder.ActChallenge, ladder.ActAccept, ladder.ActDecline,
			ladder.ActGame, ladder.ActReport, ladder.ActResult, ladder.ActHoliday)},
		{"hooks", "format", texts(hook.Formats()...)},
		{"hook_deliveries", "state", texts(hook.Waiting, hook.Sent, hook.Failed, hook.Dropped)},
		{"hook_deliveries", "kind", news},
		{"mail_queue", "kind", texts(account.MailConfirm, account.MailTest, account.MailForgotten, account.MailReset,
			account.MailInvited, account.MailRound, account.MailDate, account.MailMatch, account.MailHook, account.MailTurn)},
		{"admin_log", "via", texts(adminlog.ViaRequest, adminlog.ViaCommandLine, adminlog.ViaService)},
		{"admin_log", "about_kind", texts(adminlog.OfInstallation, adminlog.OfAccount, adminlog.OfPlayer, adminlog.OfRatings,
			adminlog.OfTournament)},
		{"cursors", "consumer", texts(outbox.OfRatings, outbox.OfTournaments)},
		{"club_settings", "reach", texts("", club.ReachLocal, club.ReachNetwork)},
	}
}

// lists are columns with lists of values of an enumeration.
var lists = []enumeration{
	{"credentials", "scopes", []string{"read", "play", "organise", "admin", "display", "board", "helper"}},
	{"hooks", "kinds", news},
	{"mail_addresses", "off", texts(account.MailChoices()...)},
}
