package mail

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"quatuor/api/auth"
	"quatuor/tournament/account"
)

// sign returns the MAC of some texts under the installation's key.
func sign(secret []byte, parts ...string) []byte {
	mac := hmac.New(sha256.New, secret)
	for _, part := range parts {
		mac.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return mac.Sum(nil)
}

// token returns a signed token: an account, a text and the signature. It also covers bound, which is not in it.
func token(secret []byte, purpose, accountID, text, bound string) string {
	sum := sign(secret, purpose, accountID, text, bound)
	return accountID + "." + text + "." + base64.RawURLEncoding.EncodeToString(sum)
}

// split returns the account and the text of a token that may be forged.
func split(given string) (accountID, text string, ok bool) {
	parts := strings.Split(given, ".")
	if len(given) > 300 || len(parts) != 3 {
		return "", "", false
	}
	return parts[0], parts[1], true
}

func same(given, want string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(want)) == 1
}

// confirmLife is the validity of the link that confirms an address.
const confirmLife = 24 * time.Hour

func confirmToken(secret []byte, accountID, pending string, until time.Time) string {
	return token(secret, "confirm", accountID, strconv.FormatInt(until.UnixMilli(), 36), pending)
}

func offToken(secret []byte, accountID string, kind account.MailKind) string {
	return token(secret, "off", accountID, string(kind), "")
}

// resetSecret returns the code in an e-mail for a new password. All attempts to send the e-mail have the same code.
func resetSecret(secret []byte, m account.Mail) (code, hash string) {
	return auth.SecretFrom(account.PasswordReset, sign(secret, "reset", m.AccountID, m.ID))
}
