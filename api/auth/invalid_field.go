package auth

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"
)

// ErrInvalidField reports that a login or a password is not acceptable; the *InvalidField around it has the field and
// the reason.
var ErrInvalidField = errors.New("the account cannot be opened like this")

// InvalidField is a fault in a login or a password that was chosen.
type InvalidField struct {
	Field  string // as the API spells it: "login" or "password"
	Detail string // the fault, and the remedy
	Reason string // a word for the reason, for texts in other languages: see Reasons
}

// The Reasons of an InvalidField.
const (
	ReasonLogin          = "login"
	ReasonLength         = "length"
	ReasonLikeLogin      = "like_login"
	ReasonLikeSite       = "like_site"
	ReasonCommonPassword = "common"
)

// Error returns the message for people.
func (f *InvalidField) Error() string { return f.Field + ": " + f.Detail }

// Unwrap returns ErrInvalidField.
func (f *InvalidField) Unwrap() error { return ErrInvalidField }

// The lengths are those of the contract, too.
const (
	minPassword, maxPassword = 8, 200
	minLogin, maxLogin       = 2, 40
)

var loginForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func checkLogin(login string) error {
	if len(login) < minLogin || len(login) > maxLogin || !loginForm.MatchString(login) {
		return &InvalidField{"login", fmt.Sprintf("it must have %d to %d letters, digits, dots, hyphens or underscores, "+
			"and begin with a letter or digit", minLogin, maxLogin), ReasonLogin}
	}
	return nil
}

// checkChoice refuses passwords that are too short, endless, or guessed first.
func (g *Guard) checkChoice(ctx context.Context, login, password string) error {
	site := g.named(ctx)
	switch n := utf8.RuneCountInString(password); {
	case n < minPassword || n > maxPassword:
		return &InvalidField{
			"password", fmt.Sprintf("it must have %d to %d characters", minPassword, maxPassword), ReasonLength,
		}
	case resembles(password, login):
		return &InvalidField{"password", "it must not be the login, nor the login with something added", ReasonLikeLogin}
	case site != "" && resembles(password, site):
		return &InvalidField{"password", "it must not be the name of this site", ReasonLikeSite}
	case guessable(password, login, bare(site)):
		return &InvalidField{
			"password", "it is one of the passwords that are guessed first; take several words that do not belong together",
			ReasonCommonPassword,
		}
	}
	return nil
}
