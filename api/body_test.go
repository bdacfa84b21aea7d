package api

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/api/contract"
)

// TestContextsOfRequests hangs up and waits: work on a request ends with its connection, but for what acts on a game,
// which ends by its time alone; streams and pages end with their connections alone.
func TestContextsOfRequests(t *testing.T) {
	type key struct{}
	hungUp := errors.New("hung up")
	tests := []struct {
		name      string
		operation *contract.Operation
		forwarded bool
		lasts     bool // after its sender hung up
		ends      bool // after the time for work
	}{
		{"a request", &contract.Operation{}, false, false, true},
		{"an act on a game", &contract.Operation{ActsOnGame: true}, false, true, true},
		{"a request that another instance has sent", &contract.Operation{}, true, true, true},
		{"a form that another instance has sent", nil, true, true, true},
		{"a stream", &contract.Operation{Streaming: true}, false, false, false},
		{"a page", nil, false, false, false},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			begin := func(connection context.Context) *request {
				asked := &request{operation: tt.operation, forwarded: tt.forwarded}
				asked.bind(connection)
				asked.Done() // from now on a client waits
				return asked
			}
			connection, hangUp := context.WithCancelCause(context.WithValue(t.Context(), key{}, "kept"))
			defer hangUp(nil)
			waiting, leaving := begin(connection), begin(connection)
			defer waiting.end()
			defer leaving.end()
			time.Sleep(workTime - time.Nanosecond)
			synctest.Wait()
			if waiting.Err() != nil || waiting.Value(key{}) != "kept" {
				t.Errorf("%s ends early: %v, with value %v", tt.name, waiting.Err(), waiting.Value(key{}))
			}
			child, drop := context.WithCancel(leaving)
			defer drop()
			hangUp(hungUp)
			synctest.Wait()
			if lasts := child.Err() == nil; lasts != tt.lasts {
				t.Errorf("%s lasts after its sender hung up: %v, want %v", tt.name, lasts, tt.lasts)
			}
			time.Sleep(time.Nanosecond)
			synctest.Wait()
			again := begin(t.Context())
			defer again.end()
			time.Sleep(workTime)
			synctest.Wait()
			if ended := errors.Is(again.Err(), context.DeadlineExceeded); ended != tt.ends {
				t.Errorf("%s ends after %v: %v, want %v", tt.name, workTime, ended, tt.ends)
			}
			if tt.lasts && !errors.Is(leaving.Err(), context.DeadlineExceeded) {
				t.Errorf("%s has not ended by its time: %v", tt.name, leaving.Err())
			}
		})
	}
}
