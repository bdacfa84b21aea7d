package auth

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

func TestLoginsAndPasswordsThatCannotBeTaken(t *testing.T) {
	g, _, _ := newGuard(t, func(c *Config) { c.Site = "Riga Games Evening" })
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
		_, err := g.Create(t.Context(), NewAccount{Login: tt.login, Password: tt.password}, account.RoleAdmin)
		var invalid *InvalidField
		if !errors.As(err, &invalid) || invalid.Field != tt.field || !errors.Is(err, ErrInvalidField) {
			t.Errorf("%q with %q: %v, want a fault of the %s", tt.login, tt.password, err, tt.field)
		}
	}
	for _, password := range []string{
		"password", "Password", "PASSWORD1", "P@ssw0rd", "password2024!", "passwordpassword", "12345678", "87654321",
		"qwertyuiop",
		"aaaaaaaa", "abcabcabc", "121212121", "!!!!!!!!", "1qaz2wsx", "butterfly", "Sunshine99", "iloveyou!!", "zaq12wsx",
		"annabella1", "1annabella", "anna.bella", "allebanna", "annabellaannabella", "Riga Games Evening",
		"rigagamesevening2026",
		"drowssap", "hallo123", "katharina", "12031987", "motdepasse", "AZERTYUIOP", "d4rthv4der", "passwortquixo",
		"annabella-chess", strings.Repeat("abcd", 50), "secret secret",
	} {
		_, err := g.Create(t.Context(), NewAccount{Login: "annabella", Password: password}, account.RolePlayer)
		var invalid *InvalidField
		if !errors.As(err, &invalid) || invalid.Field != "password" {
			t.Errorf("%q is taken: %v", password, err)
		}
	}
	for i, password := range []string{
		"correct horse", "club-evening", "a long password", "wrong-stapler",
		"ябълка и круша", "x7#Lq!0vPz",
	} {
		if err := g.checkChoice(t.Context(), fmt.Sprint("annabella", i), password); err != nil {
			t.Errorf("%q: %v", password, err)
		}
	}
	if _, err := g.Create(t.Context(), NewAccount{Login: "Anna.B-1", Password: "pässwört"},
		account.RoleAdmin); err != nil {
		t.Errorf("a good login and password: %v", err)
	}
	if _, err := g.Create(t.Context(), NewAccount{Login: "ANNA.b-1", Password: "another good one"},
		account.RoleAdmin); !errors.Is(err, account.ErrTaken) {
		t.Errorf("the same login in other letters: %v", err)
	}
}

func BenchmarkGuessable(b *testing.B) {
	for name, password := range map[string]string{
		"usual": "correct horse", "keys": strings.Repeat("0987", 50), "signs": strings.Repeat("4@8({[</369&#!1/|0$5+7%2/", 8),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				guessable(password, "annabella")
			}
		})
	}
}
