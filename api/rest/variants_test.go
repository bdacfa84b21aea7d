package rest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"quatuor/api/rest"
	"quatuor/engine/record"
)

// TestReplayIsBounded: judging ends at the time limit, and when the request is cancelled.
func TestReplayIsBounded(t *testing.T) {
	game := record.Game{Variant: "quixo/duel", Moves: []string{"c1-c5", "a1-e1"}}
	if v, err := rest.JudgeWithin(t.Context(), time.Minute, game); err != nil || v.Plies != 2 {
		t.Errorf("in a minute: %+v, %v", v, err)
	}
	if _, err := rest.JudgeWithin(t.Context(), 0, game); !errors.Is(err, rest.ErrCostly) {
		t.Errorf("in no time: %v", err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	if _, err := rest.JudgeWithin(left, time.Minute, game); !errors.Is(err, context.Canceled) {
		t.Errorf("after the asker left: %v", err)
	}
}
