package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// testCase is a test of a suite, on a store of its own.
type testCase struct {
	name string
	run  func(*testing.T, Ports)
}

func cases(t *testing.T, open Open, list []testCase) {
	for _, c := range list {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) { c.run(t, open(t)) })
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

func refused(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want %v", what, err, want)
	}
}

// race lets many try at once and returns the winner; all others must meet lost.
func race(t *testing.T, many int, lost error, try func(i int) error) (winner int) {
	t.Helper()
	answers := make([]error, many)
	var group sync.WaitGroup
	for i := range many {
		group.Go(func() { answers[i] = try(i) })
	}
	group.Wait()
	wins := 0
	for i, err := range answers {
		if err == nil {
			wins++
			winner = i
			continue
		}
		refused(t, fmt.Sprintf("loser %d", i), err, lost)
	}
	if wins != 1 {
		t.Fatalf("%d of %d won, want 1", wins, many)
	}
	return winner
}
