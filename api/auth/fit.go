package auth

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// ErrUnfit says that a login or a password cannot be taken; the *Unfit around it says which, and why.
var ErrUnfit = errors.New("the account cannot be opened like this")

// Unfit is a fault in what somebody chose.
type Unfit struct {
	Field  string // as the API spells it: "login" or "password"
	Detail string // what was wrong and what would be right
}

// Error gives the message for people.
func (u *Unfit) Error() string { return u.Field + ": " + u.Detail }

// Unwrap gives ErrUnfit.
func (u *Unfit) Unwrap() error { return ErrUnfit }

// The lengths that the contract gives, too.
const (
	leastPassword, mostPassword = 8, 200
	leastLogin, mostLogin       = 2, 40
)

var loginForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func checkLogin(login string) error {
	if len(login) < leastLogin || len(login) > mostLogin || !loginForm.MatchString(login) {
		return &Unfit{"login", fmt.Sprintf("it must have %d to %d letters, digits, dots, hyphens or underscores, "+
			"and begin with a letter or digit", leastLogin, mostLogin)}
	}
	return nil
}

// checkChoice refuses passwords that are too short, endless, or the login itself.
func checkChoice(login, password string) error {
	switch n := utf8.RuneCountInString(password); {
	case n < leastPassword || n > mostPassword:
		return &Unfit{"password", fmt.Sprintf("it must have %d to %d characters", leastPassword, mostPassword)}
	case strings.EqualFold(login, password):
		return &Unfit{"password", "it must not be the login"}
	}
	return nil
}
