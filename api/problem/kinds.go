package problem

import (
	"context"
	"errors"
	"net/http"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/contract"
	"quatuor/api/forward"
	"quatuor/api/rest"
	"quatuor/api/settings"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/player"
	"quatuor/engine/player/arena"
	"quatuor/engine/table"
	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/rating/sequence"
	"quatuor/rating/systems"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/hook"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
	"quatuor/tournament/slip"
)

// Errors of the server itself. Package api returns them; they are declared here because the table must list them.
var (
	ErrTooLarge    = errors.New("the body is larger than 1 MiB, or an import than 16 MiB")
	ErrSlow        = errors.New("the body did not arrive in time")
	ErrCrossOrigin = errors.New("a page of another site may not ask for this")
	ErrWrongHost   = errors.New("this service does not answer under the name in this address: open it under its " +
		"own, or have the operator start it with --public-url https://NAME or --hosts NAME")
	ErrKeyReused  = errors.New("this Idempotency-Key was used for another request; take a new one for each intention")
	ErrKeyPending = errors.New("a request with this Idempotency-Key is still under way; ask again")
	ErrNotReady   = errors.New("the service cannot serve requests now")
	ErrStarting   = errors.New("the service is starting and takes up the games that were running; it is ready " +
		"within seconds")
	ErrStandstill = errors.New("all games stand still, because nothing could be stored for a second or more; they " +
		"go on by themselves, and every clock gets the time back")
	ErrMigrating = errors.New("an instance that has just started brings the database up to date; the others go on " +
		"when it has")
	ErrSchema = errors.New("the schema of the database is older than this program, as after a backup was " +
		"restored under it; start this instance again to bring it up to date")
	ErrTooManyStreams = errors.New("too many streams are open")
	ErrOutcome        = errors.New("the instance that does this has not answered: it may or may not have been done; " +
		"look before you ask again")
)

// errInternal replaces all errors hidden from clients.
var errInternal = errors.New("something went wrong here; the operator finds it in the log under the request id")

// kind is the public form of an error.
type kind struct {
	is     error
	slug   string
	status int
	title  string
	// plain kinds show the sentinel's own text: wrapping errors are for the log.
	plain bool
	name  string // of the text in a form, "" for the slug
	input string // of the form that it is about, "" for the form as a whole
}

// kinds is the table from errors to answers; the first match counts. Errors not in it, or listed as internal, are 500.
// A test checks that every exported error is here.
var kinds = []kind{
	{is: contract.ErrMalformed, slug: "malformed", status: http.StatusBadRequest, title: "Malformed request"},
	{
		is: contract.ErrMedia, slug: "unsupported-media-type",
		status: http.StatusUnsupportedMediaType, title: "Unsupported media type",
	},
	{is: ErrTooLarge, slug: "too-large", status: http.StatusRequestEntityTooLarge, title: "Body too large"},
	{is: ErrSlow, slug: "timeout", status: http.StatusRequestTimeout, title: "Request timeout"},
	{is: ErrCrossOrigin, slug: "cross-origin", status: http.StatusForbidden, title: "Request from another site"},
	{is: ErrWrongHost, slug: "wrong-host", status: http.StatusMisdirectedRequest, title: "Not a name of this service"},
	{
		is: ErrKeyReused, slug: "idempotency-key-reused",
		status: http.StatusUnprocessableEntity, title: "Idempotency-Key reused",
	},
	{is: ErrKeyPending, slug: "request-in-progress", status: http.StatusConflict, title: "Request in progress"},
	{is: ErrTooManyStreams, slug: "too-many-streams", status: http.StatusTooManyRequests, title: "Too many streams"},
	{
		is: ErrOutcome, slug: "outcome-unknown", status: http.StatusServiceUnavailable, title: "Outcome unknown", plain: true,
	},
	{is: ErrNotReady, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true},
	{is: ErrStarting, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true},
	{is: ErrStandstill, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true},
	{is: ErrMigrating, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true},
	{is: ErrSchema, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true},
	{is: forward.ErrNotAnInstance, slug: "not-found", status: http.StatusNotFound, title: "Not found", plain: true},
	{is: forward.ErrBusy, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true},

	{is: command.ErrNoBackups, slug: "no-backups", status: http.StatusConflict, title: "No backups here"},
	{is: command.ErrBackupNotFound, slug: "not-found", status: http.StatusNotFound, title: "Not found", name: "no_backup"},
	{is: auth.ErrBadLogin, slug: "bad-login", status: http.StatusUnauthorized, title: "Login failed", input: "current"},
	{is: auth.ErrBadToken, slug: "unauthorized", status: http.StatusUnauthorized, title: "Not authenticated", plain: true},
	{is: auth.ErrNeeded, slug: "unauthorized", status: http.StatusUnauthorized, title: "Not authenticated"},
	{
		is: auth.ErrConfined, slug: "insufficient-scope",
		status: http.StatusForbidden, title: "Insufficient scope", input: "scopes",
	},
	{
		is: auth.ErrScope, slug: "insufficient-scope",
		status: http.StatusForbidden, title: "Insufficient scope", input: "scopes",
	},
	{is: auth.ErrRole, slug: "forbidden", status: http.StatusForbidden, title: "Not allowed"},
	{is: auth.ErrSessionOnly, slug: "session-needed", status: http.StatusForbidden, title: "Not with an API token"},
	{is: auth.ErrClosed, slug: "registration-closed", status: http.StatusForbidden, title: "Registration closed"},
	{is: auth.ErrNotSetUp, slug: "not-set-up", status: http.StatusForbidden, title: "Not set up yet"},
	{is: auth.ErrInvitation, slug: "invitation-needed", status: http.StatusForbidden, title: "Invitation needed"},
	{is: auth.ErrTooMany, slug: "too-many-requests", status: http.StatusTooManyRequests, title: "Too many requests"},
	{is: auth.ErrTokenCount, slug: "too-many-tokens", status: http.StatusConflict, title: "Too many tokens"},
	{is: auth.ErrOwnAccount, slug: "own-account", status: http.StatusConflict, title: "One's own account"},
	{
		is: auth.ErrOwnReset, slug: "own-account", status: http.StatusConflict, title: "One's own account", name: "own_reset",
	},
	{is: auth.ErrAdminReset, slug: "forbidden", status: http.StatusForbidden, title: "Not allowed", name: "admin_reset"},
	{
		is: auth.ErrSetupCode, slug: "wrong-code",
		status: http.StatusUnprocessableEntity, title: "Wrong code", name: "setup_code", input: "code",
	},
	{
		is: auth.ErrResetCode, slug: "wrong-code",
		status: http.StatusUnprocessableEntity, title: "Wrong code", name: "reset_code",
	},
	{
		is: auth.ErrClaimCode, slug: "wrong-code",
		status: http.StatusUnprocessableEntity, title: "Wrong code", name: "claim_code", input: "claim",
	},
	{is: auth.ErrInvalidField, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid"},
	{is: hook.ErrCount, slug: "too-many-webhooks", status: http.StatusConflict, title: "Too many webhooks", name: "too_many_hooks"},
	{is: hook.ErrNotFound, slug: "not-found", status: http.StatusNotFound, title: "Not found", name: "no_hook"},
	{
		is: hook.ErrAddress, slug: "invalid",
		status: http.StatusUnprocessableEntity, title: "Not valid", name: "hook_url", input: "url",
	},
	{
		is: hook.ErrInvalid, slug: "invalid",
		status: http.StatusUnprocessableEntity, title: "Not valid", name: "hook", input: "name",
	},
	{
		is: auth.ErrTokenLife, slug: "invalid",
		status: http.StatusUnprocessableEntity, title: "Not valid", name: "token_life", input: "expires",
	},
	{
		is: auth.ErrExpiry, slug: "invalid",
		status: http.StatusUnprocessableEntity, title: "Not valid", name: "expiry", input: "expires",
	},

	{is: settings.ErrInvalid, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid"},
	{is: command.ErrInvalid, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid"},
	{
		is: command.ErrTagMissing, slug: "if-match-needed", status: http.StatusPreconditionRequired, title: "If-Match needed",
	},
	{is: command.ErrTagStale, slug: "stale", status: http.StatusPreconditionFailed, title: "Changed meanwhile"},
	{is: command.ErrNotInGame, slug: "not-your-seat", status: http.StatusForbidden, title: "Not your seat"},
	{is: command.ErrSeatNeeded, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid"},
	{is: command.ErrNoPlayer, slug: "no-player", status: http.StatusConflict, title: "Account has no player"},
	{is: command.ErrClaimed, slug: "claimed", status: http.StatusConflict, title: "Player is claimed"},
	{is: command.ErrNotCreator, slug: "not-creator", status: http.StatusForbidden, title: "Not the creator's account"},
	{is: command.ErrTooLate, slug: "too-late", status: http.StatusConflict, title: "Too late"},
	{is: command.ErrInTournament, slug: "tournament-game", status: http.StatusForbidden, title: "Tournament game"},
	{is: rest.ErrCostly, slug: "too-costly", status: http.StatusUnprocessableEntity, title: "Too costly"},
	{is: command.ErrWrongCode, slug: "wrong-code", status: http.StatusUnprocessableEntity, title: "Wrong code"},

	{is: table.ErrOffset, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true},
	{
		is: table.ErrUnavailable, slug: "unavailable",
		status: http.StatusServiceUnavailable, title: "Not available", plain: true,
	},
	{is: table.ErrNotFound, slug: "not-found", status: http.StatusNotFound, title: "Not found", plain: true},
	{is: table.ErrStaleTurn, slug: "stale-turn", status: http.StatusConflict, title: "Stale turn"},
	{is: table.ErrFlagFallen, slug: "flag-fallen", status: http.StatusConflict, title: "Flag fallen"},
	{is: table.ErrGameOver, slug: "game-over", status: http.StatusConflict, title: "Game over"},
	{is: table.ErrNotStarted, slug: "not-started", status: http.StatusConflict, title: "Not started"},
	{is: table.ErrPaused, slug: "paused", status: http.StatusConflict, title: "Paused"},
	{is: table.ErrNotPaused, slug: "not-paused", status: http.StatusConflict, title: "Not paused"},
	{is: table.ErrNoReason, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid"},
	{is: table.ErrClock, slug: "clock", status: http.StatusUnprocessableEntity, title: "Clock cannot be changed"},
	{is: table.ErrRanks, slug: "ranks", status: http.StatusUnprocessableEntity, title: "No result of this game"},
	{is: table.ErrNotOver, slug: "not-over", status: http.StatusConflict, title: "Not over"},
	{is: table.ErrRematch, slug: "no-rematch", status: http.StatusConflict, title: "No rematch"},
	{is: table.ErrDeclined, slug: "rematch-declined", status: http.StatusConflict, title: "Rematch declined"},
	{is: table.ErrInvitations, slug: "too-many-invitations", status: http.StatusConflict, title: "Too many invitations"},
	{is: table.ErrBotGames, slug: "too-many-bot-games", status: http.StatusConflict, title: "Too many games with bots"},
	{is: table.ErrQuota, slug: "conflict", status: http.StatusConflict, title: "Changed meanwhile", plain: true},
	{is: table.ErrNotOpen, slug: "not-open", status: http.StatusConflict, title: "Not open"},
	{is: table.ErrSeatTaken, slug: "seat-taken", status: http.StatusConflict, title: "Seat taken"},
	{is: table.ErrCode, slug: "code", status: http.StatusForbidden, title: "Code needed"},
	{is: club.ErrUnwelcome, slug: "unwelcome", status: http.StatusForbidden, title: "No challenges"},
	{is: club.ErrBlocks, slug: "too-many-blocks", status: http.StatusConflict, title: "Too many blocked players"},
	{is: table.ErrNoInvitation, slug: "no-invitation", status: http.StatusConflict, title: "No invitation"},
	{is: table.ErrBerserk, slug: "no-berserk", status: http.StatusConflict, title: "No half time"},
	{is: table.ErrNoTakebacks, slug: "no-takebacks", status: http.StatusConflict, title: "No takebacks"},
	{is: table.ErrNoTakebackOffer, slug: "no-offer", status: http.StatusConflict, title: "No question to answer"},
	{is: table.ErrNotYourSeat, slug: "not-your-seat", status: http.StatusForbidden, title: "Not your seat"},
	{is: table.ErrNoOffer, slug: "no-offer", status: http.StatusConflict, title: "No draw offer"},
	{is: table.ErrNoNonces, slug: "no-nonces", status: http.StatusConflict, title: "No nonces"},
	{is: table.ErrNonceGiven, slug: "nonce-given", status: http.StatusConflict, title: "Nonce given"},
	{is: table.ErrNonceEarly, slug: "nonce-early", status: http.StatusConflict, title: "Nonce too early"},
	{is: table.ErrNonceLate, slug: "nonce-late", status: http.StatusConflict, title: "Nonce too late"},
	{is: table.ErrNonceOther, slug: "nonce-other", status: http.StatusUnprocessableEntity, title: "Another nonce"},
	{is: table.ErrSetup, slug: "invalid-setup", status: http.StatusUnprocessableEntity, title: "Game cannot be set up"},
	{
		is: table.ErrConflict, slug: "conflict", status: http.StatusConflict,
		title: "Changed meanwhile", plain: true, name: "stale_turn",
	},

	{is: engine.ErrNotation, slug: "bad-notation", status: http.StatusBadRequest, title: "Bad notation"},
	{is: engine.ErrIllegal, slug: "illegal-move", status: http.StatusUnprocessableEntity, title: "Illegal move"},
	{is: engine.ErrTurn, slug: "not-awaited", status: http.StatusConflict, title: "Seat not awaited", name: "stale_turn"},
	{is: engine.ErrOver, slug: "game-over", status: http.StatusConflict, title: "Game over"},
	{is: engine.ErrSetup, slug: "invalid-setup", status: http.StatusUnprocessableEntity, title: "Game cannot be set up"},
	{
		is: catalog.ErrUnknownVariant, slug: "unknown-variant",
		status: http.StatusUnprocessableEntity, title: "Unknown variant",
	},
	{
		is: clock.ErrControl, slug: "invalid-time-control",
		status: http.StatusUnprocessableEntity, title: "Invalid time control",
	},

	{
		is: tournament.ErrNotFound, slug: "not-found", status: http.StatusNotFound, title: "Not found", name: "no_tournament",
	},
	{is: tournament.ErrState, slug: "wrong-state", status: http.StatusConflict, title: "Wrong state"},
	{is: tournament.ErrFull, slug: "tournament-full", status: http.StatusConflict, title: "Tournament full"},
	{is: tournament.ErrUnpairable, slug: "unpairable", status: http.StatusConflict, title: "Cannot be paired"},
	{
		is: tournament.ErrStale, slug: "stale",
		status: http.StatusPreconditionFailed, title: "Changed meanwhile", plain: true,
	},
	{is: tournament.ErrInvalid, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid"},

	{is: ladder.ErrNotFound, slug: "not-found", status: http.StatusNotFound, title: "Not found", name: "no_ladder"},
	{is: ladder.ErrRefused, slug: "wrong-state", status: http.StatusConflict, title: "Wrong state"},
	{is: ladder.ErrPlayed, slug: "wrong-state", status: http.StatusConflict, title: "Wrong state"},
	{is: ladder.ErrStale, slug: "conflict", status: http.StatusConflict, title: "Changed meanwhile", name: "stale"},
	{is: league.ErrNotFound, slug: "not-found", status: http.StatusNotFound, title: "Not found", name: "no_league"},
	{is: league.ErrState, slug: "wrong-state", status: http.StatusConflict, title: "Wrong state"},
	{is: series.ErrNoSeason, slug: "not-found", status: http.StatusNotFound, title: "Not found", name: "no_season"},
	{is: series.ErrNotFound, slug: "not-found", status: http.StatusNotFound, title: "Not found", name: "no_series"},

	{is: slip.ErrUnknown, slug: "not-found", status: http.StatusNotFound, title: "Not found", plain: true},
	{is: slip.ErrEmpty, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid", name: "empty"},
	{is: slip.ErrStale, slug: "stale", status: http.StatusPreconditionFailed, title: "Changed meanwhile", plain: true},
	{
		is: slip.ErrCalled, slug: "too-many-requests",
		status: http.StatusTooManyRequests, title: "Too many requests", plain: true, name: "called",
	},

	{
		is: club.ErrNotFound, slug: "not-found", status: http.StatusNotFound,
		title: "Not found", plain: true, name: "no_player",
	},
	{
		is: club.ErrMergeSame, slug: "invalid", status: http.StatusUnprocessableEntity,
		title: "Not valid", plain: true, name: "merge_same", input: "gone",
	},
	{is: club.ErrMergeMet, slug: "two-persons", status: http.StatusConflict, title: "Two persons", plain: true},
	{
		is: club.ErrMergeAccounts, slug: "two-accounts",
		status: http.StatusConflict, title: "Two accounts", plain: true, input: "both",
	},
	{is: club.ErrMergePlaying, slug: "still-playing", status: http.StatusConflict, title: "Still playing", plain: true},
	{
		is: club.ErrErasePlaying, slug: "still-playing", status: http.StatusConflict,
		title: "Still playing", plain: true, name: "erase_playing",
	},
	{
		is: club.ErrEraseEntered, slug: "still-playing", status: http.StatusConflict,
		title: "Still playing", plain: true, name: "erase_entered",
	},
	{
		is: club.ErrEraseYouPlay, slug: "still-playing", status: http.StatusConflict,
		title: "Still playing", plain: true, name: "erase_you_play",
	},
	{
		is: club.ErrEraseYouEntered, slug: "still-playing", status: http.StatusConflict,
		title: "Still playing", plain: true, name: "erase_you_entered",
	},
	{
		is: club.ErrReserved, slug: "invalid", status: http.StatusUnprocessableEntity,
		title: "Invalid", plain: true, name: "reserved", input: "name",
	},
	{is: club.ErrDeleted, slug: "player-deleted", status: http.StatusConflict, title: "Player was deleted", plain: true},
	{is: club.ErrStale, slug: "stale", status: http.StatusPreconditionFailed, title: "Changed meanwhile", plain: true},

	{is: ledger.ErrGiven, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Invalid", name: "file"},
	{
		is: ledger.ErrExtent, slug: "invalid",
		status: http.StatusUnprocessableEntity, title: "Invalid", plain: true, name: "extent",
	},
	{is: ledger.ErrMarked, slug: "marked", status: http.StatusConflict, title: "Marked already", plain: true},
	{
		is: ledger.ErrNoMark, slug: "not-found", status: http.StatusNotFound,
		title: "Not found", plain: true, name: "no_mark",
	},

	{is: account.ErrNotFound, slug: "not-found", status: http.StatusNotFound, title: "Not found", plain: true},
	{
		is: account.ErrTaken, slug: "login-taken", status: http.StatusConflict,
		title: "Login taken", plain: true, input: "login",
	},
	{is: account.ErrStale, slug: "stale", status: http.StatusPreconditionFailed, title: "Changed meanwhile", plain: true},
	{
		is: account.ErrHasPlayer, slug: "has-player", status: http.StatusConflict,
		title: "Account has a player", plain: true, input: "claim",
	},
	{is: account.ErrSetUp, slug: "already-set-up", status: http.StatusConflict, title: "Set up already", plain: true},
	{is: account.ErrLastAdmin, slug: "last-admin", status: http.StatusConflict, title: "Last admin", plain: true},
	{
		is: account.ErrMailFull, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true,
	},
	{is: account.ErrFull, slug: "too-many-tokens", status: http.StatusConflict, title: "Too many tokens", plain: true},
	{is: account.ErrReused, slug: "token-reused", status: http.StatusUnauthorized, title: "Token reused", plain: true},

	{
		is: context.DeadlineExceeded, slug: "unavailable",
		status: http.StatusServiceUnavailable, title: "Not available", plain: true,
	},
	{
		is: context.Canceled, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true,
	},

	// Internal: a table or the ledger recovers from them, or they are programming errors.
	internal(clock.ErrOrder), internal(clock.ErrPaused), internal(clock.ErrFlagged), internal(clock.ErrTurn),
	internal(clock.ErrState), internal(player.ErrNoMove), internal(arena.ErrSeries), internal(rating.ErrSeats),
	internal(ledger.ErrBehind), internal(ledger.ErrRegulation), internal(systems.ErrConfig), internal(sequence.ErrInput),
}

func internal(err error) kind {
	return kind{is: err, slug: "internal", status: http.StatusInternalServerError, title: "Internal error"}
}
