package kit

import (
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
)

// FormID returns the id of the thing that a form of the visitor makes, by the key in the form, so that it is made once
// however often the form is sent; [ErrUnreadable] for a key that no form has.
func FormID(c echo.Context, kind, key string) (string, error) {
	parsed, err := uuid.Parse(key)
	if err != nil {
		return "", ErrUnreadable
	}
	of := kind + "\n" + auth.Session(c).AccountID + "\n" + parsed.String()
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(of)).String(), nil
}
