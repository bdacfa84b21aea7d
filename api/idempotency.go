package api

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/contract"
	"quatuor/api/problem"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// Replies remembers how requests with an Idempotency-Key were answered.
type Replies interface {
	// BeginReply looks the key of a request up. A key that is fresh is pending from now on; an answered key comes with its
	// reply. A repeatable request has a fresh key though another instance is answering it.
	BeginReply(ctx context.Context, r account.Request) (account.Reply, account.ReplyState, error)
	// Working returns the context of the work on a request with a key. It ends before another instance may find the key
	// fresh because it takes this instance for dead. release must be called when the work is done.
	Working(ctx context.Context) (working context.Context, release func())
	// FinishReply stores the answer to a key that was fresh.
	FinishReply(ctx context.Context, owner, key string, reply account.Reply) error
	// DropReply forgets a key that was fresh, so that the request can be sent again.
	DropReply(ctx context.Context, owner, key string) error
}

// kept are the headers that belong to an answer and are sent again with it.
var kept = []string{"Content-Type", "ETag", "Link"}

// idempotent repeats the stored answer to a request with the same Idempotency-Key.
//
// Neither the key nor the body is stored, only digests: of the key, to find it, and of the request, keyed by the key,
// to detect a different request, so that a password in it cannot be guessed from the database. An answer that holds a
// secret is stored encrypted under the key.
func (s *Server) idempotent(c echo.Context, q *request, operate echo.HandlerFunc) error {
	r := c.Request()
	sent := keyOf(r, q.operation)
	if sent == "" {
		return operate(c)
	}
	asked := account.Request{
		Owner: keyOwner(c, q), Key: keyDigest(sent), Fingerprint: fingerprint(r, q.body.Bytes(), sent),
		At: s.now().UnixMilli(), Repeatable: q.target.repeatable,
	}
	reply, state, err := s.replies.BeginReply(r.Context(), asked)
	switch {
	case err != nil:
		return err
	case state == account.ReplyAnswered:
		return s.sendAgain(c, reply, sent)
	case state == account.ReplyErased: // it was carried out, and is not carried out again
		return club.ErrDeleted
	case state == account.ReplyOther:
		return problem.ErrKeyReused
	case state == account.ReplyPending && q.again && asked.Repeatable:
		return operate(c) // the request in progress stores the answer; it is the same
	case state == account.ReplyPending:
		return problem.ErrKeyPending
	}
	return s.answerAndKeep(c, asked, sent, operate)
}

// keyOf returns the Idempotency-Key of a request; "" if it has none, or its operation takes none.
func keyOf(r *http.Request, o *contract.Operation) string {
	if o == nil || !o.Idempotent {
		return ""
	}
	return r.Header.Get("Idempotency-Key")
}

// keyOwner is the namespace of a request's key. The holders of a board's code share a namespace, from any address.
// Every session and API token has its own, so that a token is never sent a secret from the answer to another.
func keyOwner(c echo.Context, q *request) string {
	switch code := c.Param("code"); {
	case code != "":
		return "code/" + keyDigest(code)
	case q.identity.Anonymous():
		return "address/" + q.identity.Address
	case q.identity.Tournament != "", q.operation.Secret && q.identity.Method == auth.ByAPIToken:
		return "token/" + q.identity.Session
	}
	return "account/" + q.identity.AccountID
}

func keyDigest(key string) string {
	sum := sha256.Sum256([]byte("Idempotency-Key\x00" + key))
	return hex.EncodeToString(sum[:])
}

func fingerprint(r *http.Request, body []byte, key string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(r.Method + "\x00" + r.URL.Path + "\x00"))
	if r.URL.RawQuery != "" {
		mac.Write([]byte(r.URL.RawQuery + "\x00"))
	}
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// sendAgain sends an answer that was kept.
func (s *Server) sendAgain(c echo.Context, reply account.Reply, sent string) error {
	if requestOf(c).operation.Secret {
		var err error
		if reply.Body, err = openReply(reply.Body, sent); err != nil {
			return err
		}
	}
	h := c.Response().Header()
	for line := range strings.Lines(reply.Header) {
		if name, value, ok := strings.Cut(strings.TrimRight(line, "\n"), ": "); ok {
			h.Set(name, value)
		}
	}
	h.Set("Idempotent-Replayed", "true")
	c.Response().WriteHeader(reply.Status)
	_, err := c.Response().Write(reply.Body)
	return err
}

// answerAndKeep answers a request, stores the answer, and only then sends it.
func (s *Server) answerAndKeep(c echo.Context, asked account.Request, sent string, next echo.HandlerFunc) error {
	ctx := context.WithoutCancel(c.Request().Context())
	stored := false
	defer func() { // also where the operation panics
		if stored {
			return
		}
		if err := s.replies.DropReply(ctx, asked.Owner, asked.Key); err != nil {
			s.logger.LogAttrs(ctx, slog.LevelWarn, "an Idempotency-Key could not be dropped", slog.Any("error", err))
		}
	}()
	held := s.hold(c, next)
	if final(held.status) {
		err := s.keep(ctx, asked, sent, requestOf(c).operation.Secret, held)
		if stored = err == nil; !stored {
			s.logger.LogAttrs(ctx, slog.LevelError, "an answer could not be kept", slog.Any("error", err))
		}
	}
	c.Response().Writer.WriteHeader(held.status)
	_, err := c.Response().Writer.Write(held.body.Bytes())
	return err
}

// keep stores an answer, encrypted if it is secret.
func (s *Server) keep(ctx context.Context, asked account.Request, sent string, secret bool, held *heldAnswer) error {
	reply := account.Reply{Status: held.status, Header: keptHeader(held.header), Body: held.body.Bytes()}
	if secret {
		var err error
		if reply.Body, err = sealReply(reply.Body, sent); err != nil {
			return err
		}
	}
	return s.replies.FinishReply(ctx, asked.Owner, asked.Key, reply)
}

// hold lets an operation answer without sending anything yet.
func (s *Server) hold(c echo.Context, next echo.HandlerFunc) *heldAnswer {
	response := c.Response()
	through := response.Writer
	defer func() { response.Writer = through }()
	held := &heldAnswer{header: response.Header()}
	response.Writer = held
	if err := next(c); err != nil {
		s.handleError(err, c)
	}
	held.WriteHeader(http.StatusOK) // where the operation wrote nothing
	return held
}

// final reports whether a retry would get the same answer: not after a transient failure, or if the missing thing may
// exist the next time.
func final(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestTimeout,
		http.StatusConflict, http.StatusTooManyRequests:
		return false
	}
	return status < http.StatusInternalServerError
}

func keptHeader(h http.Header) string {
	var b strings.Builder
	for _, name := range kept {
		if value := h.Get(name); value != "" {
			b.WriteString(name + ": " + value + "\n")
		}
	}
	return b.String()
}

// heldAnswer holds an answer back until it has been stored.
type heldAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (h *heldAnswer) Header() http.Header { return h.header }

func (h *heldAnswer) WriteHeader(status int) {
	if h.status == 0 {
		h.status = status
	}
}

func (h *heldAnswer) Write(p []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	return h.body.Write(p)
}

// sealReply encrypts the body of an answer with AES-256-GCM, under a key that HKDF-SHA256 derives from the
// Idempotency-Key of its request. The store holds a digest of the Idempotency-Key under another label, so that reading
// the body from the database takes guessing the key, and the documentation has clients choose it at random.
func sealReply(body []byte, sent string) ([]byte, error) {
	aead, err := replyCipher(sent)
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, body, nil), nil
}

// openReply returns a body that [sealReply] encrypted under the same Idempotency-Key.
func openReply(sealed []byte, sent string) ([]byte, error) {
	aead, err := replyCipher(sent)
	if err != nil {
		return nil, err
	}
	body, err := aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return nil, fmt.Errorf("a stored answer cannot be decrypted: %w", err)
	}
	return body, nil
}

// replyCipher returns the cipher of an Idempotency-Key. It puts a random nonce before the ciphertext.
func replyCipher(sent string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(sent), nil, "quatuor stored reply", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
