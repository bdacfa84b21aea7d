package command

import (
	"errors"
	"testing"

	"quatuor/api/auth"
	"quatuor/tournament/account"
)

// TestClubAct runs an act of organisers, which players do for themselves, as each kind of visitor. Check and Run refuse
// alike, and what is refused is not begun.
func TestClubAct(t *testing.T) {
	begun := 0
	act := ClubAct[string, string]{
		Name: "greet", May: auth.SeatOthers,
		Own: func(who auth.Identity, in string) auth.Action {
			if who.AccountID == in {
				return auth.PlayGames
			}
			return ""
		},
		Do: func(c ClubCall, in string) (string, error) {
			begun++
			return c.Who.AccountID + " greets " + in, nil
		},
	}
	free := act
	free.May, free.Own = "", nil
	for _, c := range []struct {
		name string
		act  ClubAct[string, string]
		who  string
		role account.Role
		in   string
		want error
	}{
		{"an organiser", act, "olga", account.RoleOrganiser, "anna", nil},
		{"a player for themselves", act, "anna", account.RolePlayer, "anna", nil},
		{"a player for another", act, "anna", account.RolePlayer, "paul", auth.ErrRole},
		{"an anonymous visitor", act, "", "", "anna", auth.ErrNeeded},
		{"an anonymous visitor for nobody", act, "", "", "", auth.ErrNeeded},
		{"an act without a right", free, "", "", "anna", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			begun = 0
			s, ctx := New(Config{}), as(t.Context(), c.who, c.role)
			checked := c.act.Check(ctx, s, c.in)
			got, err := c.act.Run(ctx, s, c.in)
			if !errors.Is(err, c.want) || !errors.Is(checked, c.want) {
				t.Errorf("%v, checked %v, want %v", err, checked, c.want)
			}
			if done := got == c.who+" greets "+c.in; done != (c.want == nil) || (begun == 1) != done {
				t.Errorf("%q after %d runs", got, begun)
			}
		})
	}
}
