package apitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"quatuor/api/hooks"
)

// Receiver receives the webhooks of tests: its deliveries can be read from Got.
type Receiver struct {
	t   *testing.T
	Got chan Received

	mu     sync.Mutex
	Status map[string]int           // by host; 200 if it is not there, a failing connection for 0
	Block  map[string]chan struct{} // by host: answers wait until it is closed
}

// Received is a delivery.
type Received struct {
	Host, ID, Signatures, Timestamp string
	Body                            []byte
	Kind                            string // of the news
}

// NewReceiver returns a receiver that accepts everything.
func NewReceiver(t *testing.T) *Receiver {
	return &Receiver{t: t, Got: make(chan Received, 1000), Status: map[string]int{}, Block: map[string]chan struct{}{}}
}

// Hooks is a change of a configuration: webhooks lead to the receiver.
func (r *Receiver) Hooks(c *Config) {
	c.Hooks = func(h *hooks.Config) { h.Transport, h.Every = r, 5*time.Millisecond }
}

// Answers sets the status of a host's answers from now on.
func (r *Receiver) Answers(host string, status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Status[host] = status
}

// RoundTrip implements http.RoundTripper.
func (r *Receiver) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	status, known := r.Status[request.URL.Hostname()]
	wait := r.Block[request.URL.Hostname()]
	r.mu.Unlock()
	if wait != nil {
		select {
		case <-wait:
		case <-request.Context().Done():
			return nil, request.Context().Err()
		}
	}
	if !known {
		status = http.StatusOK
	}
	if status == 0 {
		return nil, errors.New("connection refused")
	}
	if status == http.StatusOK {
		var document struct{ Type string }
		_ = json.Unmarshal(body, &document) // chats get other documents
		h := request.Header
		r.Got <- Received{
			request.URL.Hostname(), h.Get("Webhook-Id"), h.Get("Webhook-Signature"), h.Get("Webhook-Timestamp"), body,
			document.Type,
		}
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Location": {"https://elsewhere.example/"}},
		Body:    io.NopCloser(bytes.NewReader(nil)),
		Request: request,
	}, nil
}

// Next returns the next delivery.
func (r *Receiver) Next() Received {
	r.t.Helper()
	select {
	case got := <-r.Got:
		return got
	case <-time.After(20 * time.Second):
		r.t.Fatal("nothing arrives at the webhook")
		return Received{}
	}
}

// Kinds returns the kinds of the next n deliveries.
func (r *Receiver) Kinds(n int) (all []string) {
	r.t.Helper()
	for range n {
		all = append(all, r.Next().Kind)
	}
	return all
}

// AllNews are all kinds of news.
var AllNews = []string{
	"round.published", "result.changed", "game.finished", "standings.changed", "tournament.finished", "entry.changed",
	"call.made",
}

// Webhook makes a webhook and returns its id and secret.
func (p Person) Webhook(host, tournament string, kinds ...string) (id, secret string) {
	p.Service.T.Helper()
	body := map[string]any{"name": host, "url": "https://" + host + "/in", "kinds": kinds}
	if tournament != "" {
		body["tournament_id"] = tournament
	}
	made := p.Post("/webhooks", body).Want(p.Service.T, http.StatusCreated)
	return made.Text("webhook", "id"), made.Text("secret")
}
