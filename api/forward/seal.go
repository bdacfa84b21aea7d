package forward

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// MinSecret is the minimum length of the secret that instances share, in bytes.
const MinSecret = 32

// version names the protocol. Instances of another one do not understand each other, and act for themselves.
const version = "quatuor forward 1"

// keys are what signatures are made with: one for requests and one for answers, so that neither can stand for the other.
type keys struct{ request, answer []byte }

func newKeys(secret string) (keys, error) {
	if len(secret) < MinSecret {
		return keys{}, fmt.Errorf("the secret that instances share must have at least %d characters", MinSecret)
	}
	derive := func(purpose string) ([]byte, error) {
		return hkdf.Key(sha256.New, []byte(secret), nil, version+": "+purpose, sha256.Size)
	}
	request, err := derive("requests")
	answer, failed := derive("answers")
	return keys{request, answer}, errors.Join(err, failed)
}

// encoding is how bytes are spelled in headers.
var encoding = base64.RawURLEncoding

// sign returns the HMAC of a text, as it stands in a header.
func sign(key, text []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	var sum [sha256.Size]byte
	return encoding.EncodeToString(mac.Sum(sum[:0]))
}

// signed reports whether a header holds the HMAC of a text. It takes the same time for every text that is not signed.
func signed(key, text []byte, header string) bool {
	return hmac.Equal([]byte(sign(key, text)), []byte(header))
}

// requestText returns what the signature of a request is made of. Each part has its length before it, so that no two
// requests have the same text.
func requestText(method, uri string, sealed, body []byte) []byte {
	digest := sha256.Sum256(body)
	text := make([]byte, 0, len(version)+len(method)+len(uri)+len(sealed)+len(digest)+5*lengthSize)
	text = appendText(text, version)
	text = appendText(text, method)
	text = appendText(text, uri)
	text = appendText(text, sealed)
	return appendText(text, digest[:])
}

// The kinds of answers, which are part of what is signed.
const (
	kindAnswer  = "answer"  // of the operation
	kindRefusal = "refusal" // the request was understood, and certainly nothing was done
)

// answerText returns what the signature of an answer is made of.
func answerText(kind, nonce string, status int, header http.Header, body []byte) []byte {
	digest := sha256.Sum256(body)
	text := make([]byte, 0, 512)
	text = appendText(text, version)
	text = appendText(text, kind)
	text = appendText(text, nonce)
	text = appendText(text, strconv.Itoa(status))
	text = appendText(text, appendHeader(nil, header, answerHeaders))
	return appendText(text, digest[:])
}

// lengthSize is how many bytes a length takes.
const lengthSize = 4

// appendText appends a text after its length.
func appendText[T string | []byte](to []byte, text T) []byte {
	to = binary.BigEndian.AppendUint32(to, uint32(len(text))) //nolint:gosec // no text of ours is that long
	return append(to, text...)
}

// appendNumber appends a number.
func appendNumber(to []byte, n int64) []byte { return binary.BigEndian.AppendUint64(to, uint64(n)) } //nolint:gosec // all bits are kept

// appendHeader appends those fields of a header that are named, in the order of the names, with all their values.
func appendHeader(to []byte, header http.Header, names []string) []byte {
	for _, name := range names {
		values := header[name]
		to = appendNumber(to, int64(len(values)))
		for _, value := range values {
			to = appendText(to, value)
		}
	}
	return to
}

// reader reads what was appended. Once something was missing, all that follows is empty.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n > len(r.rest) {
		r.bad, r.rest = true, nil
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) number() int64 {
	if b := r.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b)) //nolint:gosec // all bits are kept
	}
	return 0
}

func (r *reader) text() string {
	b := r.take(lengthSize)
	if b == nil {
		return ""
	}
	n := binary.BigEndian.Uint32(b)
	if uint64(n) > uint64(len(r.rest)) {
		r.bad = true
		return ""
	}
	return string(r.take(int(n)))
}

// header reads the fields of a header that are named.
func (r *reader) header(names []string) http.Header {
	header := make(http.Header, len(names))
	for _, name := range names {
		n := r.number()
		if n < 0 || n > int64(len(r.rest)) { // each value takes more than a byte
			r.bad = true
		}
		for range n {
			if r.bad {
				return nil
			}
			header[name] = append(header[name], r.text())
		}
	}
	return header
}
