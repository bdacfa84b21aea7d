package hooks

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"time"

	"quatuor/tournament/hook"
)

// secretPrefix begins secrets as people see them (Standard Webhooks).
const secretPrefix = "whsec_"

// newSecret returns a secret of 32 bytes.
func newSecret() []byte {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails: the runtime aborts the program instead
	return secret
}

// SecretText returns a secret as its owner is shown it, once.
func SecretText(secret []byte) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// overlap is the time that the previous secret signs, too.
const overlap = 24 * time.Hour

// signatures returns the header webhook-signature: a signature for each secret that is good at a time.
func signatures(h hook.Hook, id string, at time.Time, body []byte) string {
	text := sign(h.Secret, id, at, body)
	if len(h.OldSecret) > 0 && at.UnixMilli() < h.OldUntil {
		text += " " + sign(h.OldSecret, id, at, body)
	}
	return text
}

func sign(secret []byte, id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
