package record_test

import (
	"context"
	"errors"
	"testing"

	"quatuor/engine/record"
)

// countdown is a context that ends after a number of looks at it.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestJudgingEndsWithItsContext(t *testing.T) {
	g := record.Game{Variant: "quixo/duel", Moves: []string{"c1-c5", "a1-e1", "a1-a5"}}
	for looks := range 5 {
		v, err := record.JudgeContext(&countdown{t.Context(), looks}, g)
		if looks < len(g.Moves) && !errors.Is(err, context.Canceled) {
			t.Errorf("it ended after %d looks: %v, %v", looks, v, err)
		}
		if looks >= len(g.Moves) && (err != nil || v.Position != record.Judge(g).Position) {
			t.Errorf("after %d looks: %v, %v", looks, v, err)
		}
	}
}
