package auth

import "fmt"

// Level is how much somebody may do; each includes those before it.
type Level uint8

// The levels, from least to most. Arbiters are named per tournament.
const (
	Anybody Level = iota
	Player
	Arbiter
	Organiser
	Admin
)

// String names the level.
func (l Level) String() string {
	names := [...]string{"anybody", "player", "arbiter", "organiser", "admin"}
	if int(l) < len(names) {
		return names[l]
	}
	return fmt.Sprintf("level %d", uint8(l))
}

// Action is something that not everybody may do.
type Action string

// The actions.
const (
	ReadPublic        Action = "read.public"
	ManageAccounts    Action = "accounts.manage"
	Invite            Action = "accounts.invite"
	ManageOwnAccount  Action = "account.manage"
	CreatePlayers     Action = "players.create"
	EditPlayers       Action = "players.edit"
	SeeBirthYears     Action = "players.birth-year"
	OfferClaims       Action = "players.claim-code"
	ClaimPlayer       Action = "players.claim"
	PlayGames         Action = "games.play"
	SeatOthers        Action = "games.seat-others"
	CreateTournaments Action = "tournaments.create"
	SeeDrafts         Action = "tournaments.see-draft"
	RunTournament     Action = "tournaments.run"
	EnterTournament   Action = "tournaments.enter"
	EnterOthers       Action = "tournaments.enter-others"
	EnterResults      Action = "tournaments.results"
)

// least is the one table of who may do what. Actions within a tournament are judged by [Who.LevelIn], all others by
// [Who.Level]. What is not in it nobody may do.
var least = map[Action]Level{
	ReadPublic:        Anybody,
	ManageAccounts:    Admin,
	Invite:            Organiser,
	ManageOwnAccount:  Player,
	CreatePlayers:     Organiser,
	EditPlayers:       Organiser,
	SeeBirthYears:     Organiser,
	OfferClaims:       Organiser,
	ClaimPlayer:       Player,
	PlayGames:         Player,
	SeatOthers:        Organiser,
	CreateTournaments: Organiser,
	SeeDrafts:         Arbiter,
	RunTournament:     Organiser,
	EnterTournament:   Player,
	EnterOthers:       Organiser,
	EnterResults:      Arbiter,
}

// May reports whether somebody of a level may do something.
func May(l Level, a Action) bool {
	need, known := least[a]
	return known && l >= need && l <= Admin
}

// Demand is May as an error: ErrNeeded for somebody anonymous, ErrRole for others.
func (w Who) Demand(l Level, a Action) error {
	switch {
	case May(l, a):
		return nil
	case w.Anonymous():
		return ErrNeeded
	}
	return fmt.Errorf("%w: it takes an account with the role %s or more", ErrRole, least[a])
}
