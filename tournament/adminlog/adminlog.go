// Package adminlog holds the audit log of administration: changes to accounts, players, ratings, tournaments and the
// installation, with their author and the values before and after. Entries are only ever added, in the transaction of
// the change. They hold no secrets: no password, code or token, and no hash of these.
package adminlog

import (
	"context"
	"maps"
	"strconv"
	"time"
)

// Kind is the kind of a change.
type Kind string

// The kinds.
const (
	SetUp             Kind = "set_up"
	SettingsChanged   Kind = "settings_changed"
	AccountCreated    Kind = "account_created" // with a role, or by the command line
	RoleChanged       Kind = "role_changed"
	AccountDisabled   Kind = "account_disabled"
	AccountEnabled    Kind = "account_enabled"
	ResetMade         Kind = "password_reset_made"
	ResetUsed         Kind = "password_reset_used"
	PasswordSet       Kind = "password_set" // by another account than its owner's
	InvitationMade    Kind = "invitation_made"
	InvitationEnded   Kind = "invitation_ended"
	AdminTokenMade    Kind = "admin_token_made" // an API token that can manage accounts
	AdminTokenEnded   Kind = "admin_token_ended"
	PlayersAdded      Kind = "players_added" // a player, or a table of them
	PlayerChanged     Kind = "player_changed"
	ClaimCodeMade     Kind = "claim_code_made"
	PlayersMerged     Kind = "players_merged"
	PersonDeleted     Kind = "person_deleted"
	MarkMade          Kind = "rating_mark_made"
	MarkLifted        Kind = "rating_mark_lifted"
	RatingsImported   Kind = "ratings_imported"
	RatingsRecomputed Kind = "ratings_recomputed"
	TournamentTaken   Kind = "tournament_imported"
	TournamentDeleted Kind = "tournament_deleted"
	ArbitersChanged   Kind = "arbiters_changed"
	BackupMade        Kind = "backup_made"  // by hand
	BackupTaken       Kind = "backup_taken" // downloaded
)

// Kinds are all kinds, in the order of the pages' choices.
var Kinds = []Kind{
	SetUp, SettingsChanged, AccountCreated, RoleChanged, AccountDisabled, AccountEnabled, ResetMade, ResetUsed,
	PasswordSet,
	InvitationMade, InvitationEnded, AdminTokenMade, AdminTokenEnded, PlayersAdded, PlayerChanged, ClaimCodeMade,
	PlayersMerged, PersonDeleted, MarkMade, MarkLifted, RatingsImported, RatingsRecomputed, TournamentTaken, TournamentDeleted,
	ArbitersChanged, BackupMade, BackupTaken,
}

// Via is the channel of a change.
type Via string

// The ways.
const (
	ViaRequest     Via = "request"      // of an account, or with a link or code that an account uses
	ViaCommandLine Via = "command_line" // anyone able to run the program on the data
	ViaService     Via = "service"      // the program by itself
)

// Actor is the author of a change. The zero Actor is the service.
type Actor struct {
	Via     Via
	Account string // id, "" for none
	Name    string // login at that time
	Request string // id of the request in the server's log
	At      int64  // when, ms UTC; 0 for now
}

// ActorKey is the type of the key under which a context holds the [Actor].
type ActorKey struct{}

// With returns a context with an actor.
func With(ctx context.Context, a Actor) context.Context { return context.WithValue(ctx, ActorKey{}, a) }

// From returns the actor of a context.
func From(ctx context.Context) Actor {
	a, _ := ctx.Value(ActorKey{}).(Actor)
	if a.Via == "" {
		a.Via = ViaService
	}
	return a
}

// SubjectKind is the kind of thing that was changed.
type SubjectKind string

// The kinds of subjects.
const (
	OfInstallation SubjectKind = "installation"
	OfAccount      SubjectKind = "account"
	OfPlayer       SubjectKind = "player"
	OfRatings      SubjectKind = "ratings"
	OfTournament   SubjectKind = "tournament"
)

// Subject is the thing that was changed. If it is gone or renamed, the entry keeps its former name.
type Subject struct {
	Kind SubjectKind
	ID   string // "" for what has none
	Name string
}

// Player returns a player as the subject of an act.
func Player(id, name string) Subject { return Subject{Kind: OfPlayer, ID: id, Name: name} }

// Values are facts by name; empty values are left out.
type Values map[string]string

// With returns the values with another added; an empty value is left out.
func (v Values) With(name, value string) Values {
	if value == "" {
		return v
	}
	if v == nil {
		v = Values{}
	}
	v[name] = value
	return v
}

// Moment returns a time (ms UTC) as values hold it.
func Moment(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.RFC3339) }

// Number returns a number as values hold it.
func Number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Entry is an act of administration.
type Entry struct {
	ID            string
	At            int64 // ms UTC
	Kind          Kind
	By            Actor
	About         Subject
	Before, After Values
}

// Changes returns what differs between two states, as it was and as it is.
func Changes(before, after Values) (was, is Values) {
	was, is = maps.Clone(before), maps.Clone(after)
	same := func(other Values) func(name, value string) bool {
		return func(name, value string) bool { v, there := other[name]; return value == "" || there && v == value }
	}
	maps.DeleteFunc(was, same(after))
	maps.DeleteFunc(is, same(before))
	return was, is
}

// Filter selects entries; empty fields select all.
type Filter struct {
	Kind   Kind
	Person string // the id of an account or player, as actor or subject, or a part of the login or name, case ignored
}

// MaxListed bounds the things that an entry names of those that its act changed.
const MaxListed = 100
