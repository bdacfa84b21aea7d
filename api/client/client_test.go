package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/api/client"
)

// script answers each request for a stream with the next of its parts, and notes where the reader wants to resume.
type script struct {
	parts []string
	last  []string
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.last = append(s.last, r.Header.Get("Last-Event-ID"))
	answer := httptest.NewRecorder()
	if len(s.parts) == 0 {
		answer.WriteHeader(http.StatusNoContent)
		return answer.Result(), nil
	}
	part := s.parts[0]
	s.parts = s.parts[1:]
	switch part {
	case "line is cut":
		return nil, errors.New(part)
	case "refused":
		answer.WriteHeader(http.StatusForbidden)
		part = `{"type":"/problems/forbidden","status":403}`
	}
	_, err := answer.WriteString(part)
	return answer.Result(), err
}

// TestEventsResume follows a stream that is cut off three times, to its end.
func TestEventsResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{parts: []string{
			`{"event":"state","id":"1","data":{"turn":1}}` + "\n" + `{"event":"ping","data":{}}` + "\n" + `{"event":"mo`,
			"line is cut", `{"event":"move","id":"2","data":{"turn":2}}` + "\n", `{"event":"presence","data":{"turn":2}}` + "\n",
		}}
		began := time.Now()
		var names []string
		for e, err := range client.New("http://example.com", s).Events(t.Context(), "/games/g/events") {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, e.Name)
			if game, err := client.Data[client.Game](e); err != nil || game.Turn == 0 {
				t.Errorf("%s: %v", e.Data, err)
			}
		}
		if !slices.Equal(names, []string{"state", "move", "presence"}) {
			t.Errorf("events %v", names)
		}
		if !slices.Equal(s.last, []string{"", "1", "1", "2", "2"}) {
			t.Errorf("resumed behind %q", s.last)
		}
		if waited := time.Since(began); waited != 5*time.Second { // 1 s, 2 s after a failure, 1 s, 1 s
			t.Errorf("waited %s", waited)
		}
	})
}

// TestEventsEnd with a refusal, and with the context.
func TestEventsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refused *client.Problem
		forbidden := client.New("http://example.com", &script{parts: []string{"refused"}})
		for _, err := range forbidden.Events(t.Context(), "/me/events") {
			if !errors.As(err, &refused) || refused.Status != http.StatusForbidden {
				t.Errorf("%v", err)
			}
		}
		if refused == nil {
			t.Error("a refusal is no error")
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		var last error
		cut := client.New("http://example.com", &script{parts: slices.Repeat([]string{"line is cut"}, 100)})
		for _, err := range cut.Events(ctx, "/me/events") {
			last = err
		}
		if !errors.Is(last, context.DeadlineExceeded) {
			t.Errorf("%v", last)
		}
	})
}
