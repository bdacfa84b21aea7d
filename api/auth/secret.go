package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"hash/crc32"
	"strings"

	"quatuor/tournament/account"
)

// prefixes are those of opaque secrets by kind, so that a secret found in a log or a repository can be recognised.
var prefixes = map[account.CredentialKind]string{
	account.APIToken:     "qt_",
	account.RefreshToken: "qr_",
	account.PageSession:  "qs_",
	account.Invitation:   "qi_",

	account.PasswordReset: "qp_",
}

var letters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

const (
	secretBytes   = 32
	secretLetters = 52 // 32 bytes in base32
	checkLetters  = 7  // 4 bytes in base32
)

// NewSecret returns an opaque secret: a prefix, 256 random bits, and a checksum that refuses mistyped secrets without a
// query. Only its hash is stored.
func NewSecret(kind account.CredentialKind) (secret, hash string) {
	raw := make([]byte, secretBytes)
	_, _ = rand.Read(raw) // never fails: the runtime aborts the program instead
	return SecretFrom(kind, raw)
}

// SecretFrom is NewSecret with 32 unpredictable bytes.
func SecretFrom(kind account.CredentialKind, raw []byte) (secret, hash string) {
	secret = prefixes[kind] + letters.EncodeToString(raw)
	secret += checksum(secret)
	return secret, hashOf(secret)
}

// HashSecret returns the hash under which a secret is stored, if it looks like a secret of its kind.
func HashSecret(kind account.CredentialKind, secret string) (string, bool) {
	body, ok := strings.CutPrefix(secret, prefixes[kind])
	if !ok || len(body) != secretLetters+checkLetters {
		return "", false
	}
	end := len(secret) - checkLetters
	return hashOf(secret), checksum(secret[:end]) == secret[end:]
}

func checksum(text string) string {
	sum := crc32.ChecksumIEEE([]byte(text))
	return letters.EncodeToString([]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// NewClaimCode returns a code that people can read out and type: 80 random bits in four groups of letters and digits.
func NewClaimCode() (code, hash string) {
	raw := make([]byte, 10)
	_, _ = rand.Read(raw)
	text := strings.ToUpper(letters.EncodeToString(raw))
	return text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:], hashOf(text)
}

// HashClaimCode returns the hash under which a claim code is stored, however it was typed.
func HashClaimCode(code string) string {
	return hashOf(strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(code)))
}
