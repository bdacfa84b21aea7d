package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"time"
)

// Event is an event of a stream. The contract has the schema of the data of each, by its name.
type Event struct {
	Name string          `json:"event"`
	ID   string          `json:"id"` // position in the stream, "" for an event that is not repeated
	Data json.RawMessage `json:"data"`
}

// Data returns the data of an event as a type of the contract.
func Data[T any](e Event) (T, error) {
	var data T
	err := json.Unmarshal(e.Data, &data)
	return data, err
}

// The pauses between two connections of [Client.Events]: the first after a break, doubled with each that fails.
const (
	firstPause = time.Second
	maxPause   = 30 * time.Second
)

// Events follows a stream below /api/v1, for example /me/events, until ctx ends, the stream is over, or the server
// refuses it; a *[Problem] or the context's error is the last pair. It reconnects after each break and resumes behind
// the last event. Pings are left out.
func (c *Client) Events(ctx context.Context, path string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		last, pause := "", firstPause
		for {
			over := false
			for e, err := range c.Listen(ctx, path, last) {
				var refused *Problem
				switch {
				case errors.Is(err, errOver):
					over = true
				case errors.As(err, &refused) && refused.Status < 500 && refused.Status != http.StatusTooManyRequests:
					yield(Event{}, err)
					return
				case err == nil:
					if e.ID != "" {
						last = e.ID
					}
					pause = firstPause
					if !yield(e, nil) {
						return
					}
				}
			}
			if over {
				return
			}
			select {
			case <-ctx.Done():
				yield(Event{}, ctx.Err())
				return
			case <-time.After(pause):
				pause = min(2*pause, maxPause)
			}
		}
	}
}

// errOver means that nothing will follow in a stream.
var errOver = errors.New("the stream is over")

// Listen reads a stream once, from behind an event, "" for its beginning. A refusal, or why the stream broke off, is
// the last pair; a stream that the server ends has none.
func (c *Client) Listen(ctx context.Context, path, last string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		answer, err := c.open(ctx, path, last)
		if err != nil {
			yield(Event{}, err)
			return
		}
		defer answer.Body.Close()
		if answer.StatusCode == http.StatusNoContent {
			yield(Event{}, errOver)
			return
		}
		for decoder := json.NewDecoder(answer.Body); ; {
			var e Event
			if err := decoder.Decode(&e); err != nil {
				if !errors.Is(err, io.EOF) {
					yield(Event{}, err)
				}
				return
			}
			if e.Name != "ping" && !yield(e, nil) {
				return
			}
		}
	}
}

// Follow reads a stream once and passes the data of each event to handle until that returns stop or the stream ends.
func (c *Client) Follow(ctx context.Context, path string, handle func(data []byte) (stop bool, err error)) error {
	for e, err := range c.Listen(ctx, path, "") {
		if errors.Is(err, errOver) {
			return nil
		}
		if err != nil {
			return err
		}
		if stop, err := handle(e.Data); stop || err != nil {
			return err
		}
	}
	return nil
}

// open requests a stream.
func (c *Client) open(ctx context.Context, path, last string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Base+"/api/v1"+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/x-ndjson")
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	answer, err := c.HTTP.Do(request)
	if err == nil && answer.StatusCode >= http.StatusBadRequest {
		defer answer.Body.Close()
		return nil, refusalOf(answer)
	}
	return answer, err
}
