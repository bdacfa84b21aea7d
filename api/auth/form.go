package auth

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// What logins and passwords look like; the contract says the same to clients.
var loginForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{1,39}$`)

const (
	shortestPassword = 8
	longestPassword  = 200
)

// checkLoginForm refuses what cannot be a login with ErrLoginForm.
func checkLoginForm(login string) error {
	if !loginForm.MatchString(login) {
		return fmt.Errorf("%w: it has 2 to 40 letters, digits, dots, underscores and hyphens, and begins with a letter or digit", ErrLoginForm)
	}
	return nil
}

// checkPasswordForm refuses passwords that are too short, too long, or the login itself, with ErrPasswordForm.
func checkPasswordForm(login, password string) error {
	switch n := utf8.RuneCountInString(password); {
	case n < shortestPassword || n > longestPassword:
		return fmt.Errorf("%w: it has %d to %d characters", ErrPasswordForm, shortestPassword, longestPassword)
	case strings.EqualFold(login, password):
		return fmt.Errorf("%w: it must not be the login", ErrPasswordForm)
	}
	return nil
}
