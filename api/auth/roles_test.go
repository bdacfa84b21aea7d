package auth

import (
	"errors"
	"slices"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/account"
)

// TestRoles spells out every action for every level: a change of the table must be made here, too.
func TestRoles(t *testing.T) {
	want := map[Action]string{ // anonymous, player, arbiter, organiser, admin
		ManageAccounts:    "----+",
		RecomputeRatings:  "----+",
		Invite:            "---++",
		InviteStaff:       "----+",
		ResetPasswords:    "---++",
		ListAccounts:      "---++",
		ChangeSettings:    "----+",
		ReadAdminLog:      "----+",
		ManageBackups:     "----+",
		MergePlayers:      "----+",
		DeletePlayers:     "----+",
		DeleteOwnAccount:  "-++++",
		ExportOwnData:     "-++++",
		CreatePlayers:     "---++",
		EditPlayers:       "---++",
		EditOwnPlayer:     "-++++",
		SeeBirthYears:     "---++",
		OfferClaims:       "---++",
		ClaimPlayer:       "-++++",
		PlayGames:         "-++++",
		SeatOthers:        "---++",
		ArbitrateGames:    "--+++",
		ArbitrateCasual:   "----+",
		CreateTournaments: "---++",
		SeeDrafts:         "--+++",
		SeeArbiters:       "--+++",
		RunTournament:     "---++",
		EnterTournament:   "-++++",
		EnterOthers:       "---++",
		EnterResults:      "--+++",
		CheckIn:           "--+++",
		MoveBoards:        "--+++",
		RecordGames:       "--+++",
		MakeTokens:        "--+++",
		ManageHooks:       "-++++",
		PairRounds:        "--+++",
	}
	if len(want) != len(rules) {
		t.Errorf("%d actions are tested, and there are %d", len(want), len(rules))
	}
	for action, marks := range want {
		for level := Anonymous; level <= Admin; level++ {
			if got := May(level, action); got != (marks[level] == '+') {
				t.Errorf("%s may %s: %v", level, action, got)
			}
		}
	}
	if May(Admin, "something.new") || May(Admin+1, ManageAccounts) {
		t.Error("what is not in the table is allowed")
	}
}

func TestScopesLimitWhatARoleMay(t *testing.T) {
	all := []Scope{ScopeRead, ScopePlay, ScopeOrganise, ScopeAdmin, ScopeDisplay, ScopeBoard, ScopeHelper}
	for action, rule := range rules {
		for _, scope := range all {
			who := Identity{AccountID: "a", Role: account.RoleAdmin, Scopes: []Scope{scope}}
			err := who.Demand(Admin, action)
			if (err == nil) != slices.Contains(rule.scopes, scope) || (err != nil && !errors.Is(err, ErrScope)) {
				t.Errorf("%s with the scope %s: %v", action, scope, err)
			}
		}
		if err := (Identity{}).Demand(Anonymous, action); !errors.Is(err, ErrNeeded) {
			t.Errorf("%s without an account: %v", action, err)
		}
		player := Identity{AccountID: "a", Role: account.RolePlayer, Scopes: all}
		if err := player.Demand(Player, action); (err == nil) != (rule.level <= Player) ||
			(err != nil && !errors.Is(err, ErrRole)) {
			t.Errorf("%s as a player: %v", action, err)
		}
	}
}

func TestLevels(t *testing.T) {
	cup := &tournament.Tournament{Organiser: "olga", Arbiters: []string{"arne"}}
	for _, tt := range []struct {
		who         Identity
		here, there Level // in the installation, in the tournament
	}{
		{Identity{}, Anonymous, Anonymous},
		{Identity{AccountID: "ada", Role: account.RolePlayer}, Player, Player},
		{Identity{AccountID: "arne", Role: account.RolePlayer}, Player, Arbiter},
		{Identity{AccountID: "otto", Role: account.RoleOrganiser}, Organiser, Player},
		{Identity{AccountID: "olga", Role: account.RoleOrganiser}, Organiser, Organiser},
		{Identity{AccountID: "root", Role: account.RoleAdmin}, Admin, Admin},
		{Identity{AccountID: "odd", Role: "king"}, Anonymous, Player},
	} {
		if here, there := tt.who.Level(), tt.who.LevelIn(cup); here != tt.here || there != tt.there {
			t.Errorf("%s is %s here and %s there, want %s and %s", tt.who.AccountID, here, there, tt.here, tt.there)
		}
	}
}
