package api

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/api/internal/limit"
	"quatuor/api/rest"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/tournament"
	"quatuor/tournament/club"
)

// Errors of this package.
var (
	ErrMalformed   = errors.New("the request does not fit the contract")
	ErrMedia       = errors.New("the body must be JSON, with Content-Type: application/json (a report file may be text/plain)")
	ErrTooLarge    = errors.New("the body is larger than 1 MiB, or an import than 16 MiB")
	ErrSlow        = errors.New("the body did not arrive in time")
	ErrCrossOrigin = errors.New("a page of another site may not ask for this")
	ErrKeyReused   = errors.New("this Idempotency-Key was used for another request; take a new one for each intention")
	ErrKeyPending  = errors.New("a request with this Idempotency-Key is still under way; ask again")
	ErrNotReady    = errors.New("the service cannot serve requests now")
)

// errInternal stands for all that clients learn nothing of.
var errInternal = errors.New("something went wrong here; the operator finds it in the log under the request id")

// kind is what a client is told of an error.
type kind struct {
	is     error
	slug   string
	status int
	title  string
	// plain kinds are told in the sentinel's own words: what wraps them is for the log.
	plain bool
}

// kinds is the one table from errors to answers; the first that fits counts. What is not in it, and what it lists as
// internal, is 500. A test demands that every exported error of ours is here.
var kinds = []kind{
	{is: ErrMalformed, slug: "malformed", status: http.StatusBadRequest, title: "Malformed request"},
	{is: ErrMedia, slug: "unsupported-media-type", status: http.StatusUnsupportedMediaType, title: "Unsupported media type"},
	{is: ErrTooLarge, slug: "too-large", status: http.StatusRequestEntityTooLarge, title: "Body too large"},
	{is: ErrSlow, slug: "timeout", status: http.StatusRequestTimeout, title: "Request timeout"},
	{is: ErrCrossOrigin, slug: "cross-origin", status: http.StatusForbidden, title: "Request from another site"},
	{is: ErrKeyReused, slug: "idempotency-key-reused", status: http.StatusUnprocessableEntity, title: "Idempotency-Key reused"},
	{is: ErrKeyPending, slug: "request-in-progress", status: http.StatusConflict, title: "Request in progress"},
	{is: ErrTooManyStreams, slug: "too-many-streams", status: http.StatusTooManyRequests, title: "Too many streams"},
	{is: ErrNotReady, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true},

	{is: auth.ErrBadLogin, slug: "bad-login", status: http.StatusUnauthorized, title: "Login failed"},
	{is: auth.ErrBadToken, slug: "unauthorized", status: http.StatusUnauthorized, title: "Not authenticated", plain: true},
	{is: auth.ErrNeeded, slug: "unauthorized", status: http.StatusUnauthorized, title: "Not authenticated"},
	{is: auth.ErrScope, slug: "insufficient-scope", status: http.StatusForbidden, title: "Insufficient scope"},
	{is: auth.ErrRole, slug: "forbidden", status: http.StatusForbidden, title: "Not allowed"},
	{is: auth.ErrSessionOnly, slug: "session-needed", status: http.StatusForbidden, title: "Not with an API token"},
	{is: auth.ErrClosed, slug: "registration-closed", status: http.StatusForbidden, title: "Registration closed"},
	{is: auth.ErrInvitation, slug: "invitation-needed", status: http.StatusForbidden, title: "Invitation needed"},
	{is: auth.ErrTooMany, slug: "too-many-requests", status: http.StatusTooManyRequests, title: "Too many requests"},
	{is: auth.ErrTokenCount, slug: "too-many-tokens", status: http.StatusConflict, title: "Too many tokens"},
	{is: auth.ErrInvalidField, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid"},
	{is: auth.ErrExpiry, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid"},

	{is: rest.ErrInvalid, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid"},
	{is: rest.ErrTagMissing, slug: "if-match-needed", status: http.StatusPreconditionRequired, title: "If-Match needed"},
	{is: rest.ErrTagStale, slug: "stale", status: http.StatusPreconditionFailed, title: "Changed meanwhile"},
	{is: rest.ErrNotInGame, slug: "not-your-seat", status: http.StatusForbidden, title: "Not your seat"},
	{is: rest.ErrSeatNeeded, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid"},
	{is: rest.ErrNoPlayer, slug: "no-player", status: http.StatusConflict, title: "Account has no player"},
	{is: rest.ErrClaimed, slug: "claimed", status: http.StatusConflict, title: "Player is claimed"},
	{is: rest.ErrTooLate, slug: "too-late", status: http.StatusConflict, title: "Too late"},
	{is: rest.ErrInTournament, slug: "tournament-game", status: http.StatusForbidden, title: "Tournament game"},
	{is: rest.ErrOwnAccount, slug: "own-account", status: http.StatusConflict, title: "One's own account"},
	{is: rest.ErrCostly, slug: "too-costly", status: http.StatusUnprocessableEntity, title: "Too costly"},
	{is: rest.ErrWrongCode, slug: "wrong-code", status: http.StatusUnprocessableEntity, title: "Wrong code"},

	{is: table.ErrUnavailable, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true},
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
	{is: table.ErrNoInvitation, slug: "no-invitation", status: http.StatusConflict, title: "No invitation"},
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
	{is: table.ErrConflict, slug: "conflict", status: http.StatusConflict, title: "Changed meanwhile", plain: true},

	{is: engine.ErrNotation, slug: "bad-notation", status: http.StatusBadRequest, title: "Bad notation"},
	{is: engine.ErrIllegal, slug: "illegal-move", status: http.StatusUnprocessableEntity, title: "Illegal move"},
	{is: engine.ErrTurn, slug: "not-awaited", status: http.StatusConflict, title: "Seat not awaited"},
	{is: engine.ErrOver, slug: "game-over", status: http.StatusConflict, title: "Game over"},
	{is: engine.ErrSetup, slug: "invalid-setup", status: http.StatusUnprocessableEntity, title: "Game cannot be set up"},
	{is: catalog.ErrUnknownVariant, slug: "unknown-variant", status: http.StatusUnprocessableEntity, title: "Unknown variant"},
	{is: clock.ErrControl, slug: "invalid-time-control", status: http.StatusUnprocessableEntity, title: "Invalid time control"},

	{is: tournament.ErrNotFound, slug: "not-found", status: http.StatusNotFound, title: "Not found"},
	{is: tournament.ErrState, slug: "wrong-state", status: http.StatusConflict, title: "Wrong state"},
	{is: tournament.ErrUnpairable, slug: "unpairable", status: http.StatusConflict, title: "Cannot be paired"},
	{is: tournament.ErrStale, slug: "stale", status: http.StatusPreconditionFailed, title: "Changed meanwhile", plain: true},
	{is: tournament.ErrInvalid, slug: "invalid", status: http.StatusUnprocessableEntity, title: "Not valid"},

	{is: club.ErrNotFound, slug: "not-found", status: http.StatusNotFound, title: "Not found", plain: true},
	{is: club.ErrTaken, slug: "login-taken", status: http.StatusConflict, title: "Login taken", plain: true},
	{is: club.ErrStale, slug: "stale", status: http.StatusPreconditionFailed, title: "Changed meanwhile", plain: true},
	{is: club.ErrHasPlayer, slug: "has-player", status: http.StatusConflict, title: "Account has a player", plain: true},
	{is: club.ErrLastAdmin, slug: "last-admin", status: http.StatusConflict, title: "Last admin", plain: true},
	{is: club.ErrFull, slug: "too-many-tokens", status: http.StatusConflict, title: "Too many tokens", plain: true},
	{is: club.ErrReused, slug: "token-reused", status: http.StatusUnauthorized, title: "Token reused", plain: true},

	{is: context.DeadlineExceeded, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true},
	{is: context.Canceled, slug: "unavailable", status: http.StatusServiceUnavailable, title: "Not available", plain: true},

	// These never concern a client: a table or the ledger mends them by itself, or they are our mistakes.
	internal(clock.ErrOrder), internal(clock.ErrPaused), internal(clock.ErrFlagged), internal(clock.ErrTurn),
	internal(clock.ErrState), internal(rating.ErrSeats), internal(ledger.ErrBehind),
}

func internal(err error) kind {
	return kind{is: err, slug: "internal", status: http.StatusInternalServerError, title: "Internal error"}
}

// kindOf finds what a client is told of an error.
func kindOf(err error) kind {
	for _, k := range kinds {
		if errors.Is(err, k.is) {
			return k
		}
	}
	if cursor := invalidCursor(nil); errors.As(err, &cursor) {
		return kind{is: cursor, slug: "bad-cursor", status: http.StatusBadRequest, title: "Bad cursor", plain: true}
	}
	return internal(err)
}

// invalidCursor is what errors of lists have in common whose cursor was not theirs.
type invalidCursor interface {
	error
	InvalidCursor()
}

// detail gives the words for the client.
func (k kind) detail(err error) string {
	switch {
	case k.status == http.StatusInternalServerError:
		return errInternal.Error()
	case errors.Is(k.is, context.DeadlineExceeded), errors.Is(k.is, context.Canceled):
		return "the request was given up before it was answered; try again"
	case k.plain:
		return k.is.Error()
	}
	return strings.ReplaceAll(err.Error(), "\n", ": ") // errors.Join puts each on a line of its own
}

// problemOf makes the problem document for an error.
func problemOf(err error) gen.Problem {
	k := kindOf(err)
	detail := k.detail(err)
	detail = clip(detail, maxDetail)
	p := gen.Problem{Type: "/problems/" + k.slug, Title: k.title, Status: k.status, Detail: &detail}
	var refusal *rest.Refusal
	if errors.As(err, &refusal) && k.status != http.StatusInternalServerError {
		p.Errors = fieldErrors(refusal.Fields)
		if refusal.Turn > 0 {
			p.Turn = &refusal.Turn
		}
		if errors.Is(k.is, engine.ErrIllegal) {
			legal := make([]gen.MoveToken, min(len(refusal.Legal), maxLegal))
			for i, m := range refusal.Legal[:len(legal)] {
				legal[i] = string(m)
			}
			p.Legal = &legal
		}
	}
	var field *table.FieldError
	if errors.As(err, &field) {
		p.Errors = fieldErrors([]rest.FieldError{{Pointer: field.Pointer, Detail: field.Detail}})
	}
	var invalid *auth.InvalidField
	if errors.As(err, &invalid) {
		p.Errors = fieldErrors([]rest.FieldError{{Pointer: "/" + invalid.Field, Detail: invalid.Detail}})
	}
	var faults tournament.FieldErrors
	if errors.As(err, &faults) {
		fields := make([]rest.FieldError, len(faults))
		for i, f := range faults {
			fields[i] = rest.FieldError{Pointer: "/" + f.Field, Detail: f.Detail}
		}
		p.Errors = fieldErrors(fields)
	}
	return p
}

func fieldErrors(fields []rest.FieldError) *[]gen.FieldError {
	if len(fields) == 0 {
		return nil
	}
	out := make([]gen.FieldError, 0, len(fields))
	for _, f := range fields {
		one := gen.FieldError{Pointer: clip(f.Pointer, maxPointer), Detail: clip(f.Detail, maxPointer)}
		if len(out) < maxFieldErrors && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return &out
}

// What a problem document may hold at most; openapi.yaml says the same. A test compares.
const (
	maxDetail      = 4000  // characters of detail and instance
	maxPointer     = 1000  // characters of a field's pointer and detail
	maxFieldErrors = 100   // fields at fault
	maxLegal       = 10000 // legal moves
)

// clip cuts a text to so many UTF-16 units, the ellipsis among them; it has no more characters than that.
func clip(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	units, end := 0, -1
	for i, r := range text {
		if units += utf16.RuneLen(r); end < 0 && units >= longest {
			end = i
		}
		if units > longest {
			return text[:end] + "…"
		}
	}
	return text
}

// problemHeaders adds the headers that go with an error.
func problemHeaders(header http.Header, err error, status int) {
	var limited *auth.LimitError
	if errors.As(err, &limited) {
		limitHeaders(header, limited.Verdict)
	}
	switch {
	case errors.Is(err, ErrTooManyStreams):
		header.Set("Retry-After", "5")
	case errors.Is(err, ErrKeyPending), status == http.StatusServiceUnavailable:
		header.Set("Retry-After", "1")
	case status == http.StatusUnauthorized:
		header.Set("WWW-Authenticate", `Bearer realm="quatuor"`)
	}
}

// limitHeaders tells a client how much it may still do.
func limitHeaders(header http.Header, v limit.Verdict) {
	var room [48]byte // the three numbers are cut from one text
	text := strconv.AppendInt(room[:0], int64(v.Limit), 10)
	one := len(text)
	text = strconv.AppendInt(text, int64(v.Remaining), 10)
	two := len(text)
	all := string(strconv.AppendInt(text, wholeSeconds(v.Reset), 10))
	values := []string{all[:one], all[one:two], all[two:]}
	header["Ratelimit-Limit"], header["Ratelimit-Remaining"], header["Ratelimit-Reset"] = values[:1:1], values[1:2:2], values[2:]
	if !v.OK {
		header.Set("Retry-After", seconds(v.RetryIn))
	}
}

// seconds rounds up, so that who waits as long as told has waited long enough.
func seconds(d time.Duration) string { return strconv.FormatInt(wholeSeconds(d), 10) }

func wholeSeconds(d time.Duration) int64 { return int64(math.Ceil(d.Seconds())) }
