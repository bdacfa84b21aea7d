package auth

import (
	"errors"
	"strings"
	"testing"

	"quatuor/tournament/club"
)

func TestLoginsAndPasswordsThatCannotBeTaken(t *testing.T) {
	g, _, _ := newGuard(t, nil)
	for _, tt := range []struct{ login, password, field string }{
		{"", "correct horse", "login"},
		{"a", "correct horse", "login"},
		{"an na", "correct horse", "login"},
		{"-anna", "correct horse", "login"},
		{"änna", "correct horse", "login"},
		{strings.Repeat("a", 41), "correct horse", "login"},
		{"anna", "", "password"},
		{"anna", "short", "password"},
		{"annabella", "AnnaBella", "password"},
		{"anna", strings.Repeat("x", 201), "password"},
	} {
		_, err := g.Create(t.Context(), NewAccount{Login: tt.login, Password: tt.password}, club.RoleAdmin)
		var unfit *Unfit
		if !errors.As(err, &unfit) || unfit.Field != tt.field || !errors.Is(err, ErrUnfit) {
			t.Errorf("%q with %q: %v, want a fault of the %s", tt.login, tt.password, err, tt.field)
		}
	}
	if _, err := g.Create(t.Context(), NewAccount{Login: "Anna.B-1", Password: "pässwört"}, club.RoleAdmin); err != nil {
		t.Errorf("a good login and password: %v", err)
	}
	if _, err := g.Create(t.Context(), NewAccount{Login: "ANNA.b-1", Password: "another one"}, club.RoleAdmin); !errors.Is(err, club.ErrTaken) {
		t.Errorf("the same login in other letters: %v", err)
	}
}
