package ttlcache_test

import (
	"errors"
	"testing"
	"time"

	"quatuor/api/internal/ttlcache"
)

func TestLoadReadsOnceWhileTheValueLives(t *testing.T) {
	now := time.Unix(0, 0)
	m := ttlcache.New[string, int](10, time.Minute, func() time.Time { return now })
	reads := 0
	read := func() (int, error) { reads++; return reads, nil }
	for range 3 {
		if v, err := m.Load("a", read); v != 1 || err != nil {
			t.Fatalf("got %d, %v", v, err)
		}
	}
	now = now.Add(time.Minute)
	if v, _ := m.Load("a", read); v != 2 {
		t.Errorf("got %d after its life, want a fresh 2", v)
	}
	m.Forget("a")
	if v, _ := m.Load("a", read); v != 3 {
		t.Errorf("got %d after forgetting, want a fresh 3", v)
	}
}

func TestErrorsAreNotRemembered(t *testing.T) {
	m := ttlcache.New[string, int](10, time.Minute, time.Now)
	gone := errors.New("gone")
	if _, err := m.Load("a", func() (int, error) { return 0, gone }); !errors.Is(err, gone) {
		t.Fatal(err)
	}
	if v, err := m.Load("a", func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("got %d, %v", v, err)
	}
}

func TestWhatWasReadBeforeForgettingIsNotRemembered(t *testing.T) {
	m := ttlcache.New[string, string](10, time.Minute, time.Now)
	_, err := m.Load("a", func() (string, error) {
		m.Forget("a") // it changes while it is being read
		return "old", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := m.Get("a"); ok {
		t.Errorf("remembers %q, which may be out of date", v)
	}
}

func TestTheNumberOfValuesIsBounded(t *testing.T) {
	now := time.Unix(0, 0)
	m := ttlcache.New[int, int](100, time.Minute, func() time.Time { return now })
	for i := range 10_000 {
		_, _ = m.Load(i, func() (int, error) { return i, nil })
		if m.Len() > 100 {
			t.Fatalf("%d values after %d loads", m.Len(), i)
		}
	}
	if v, ok := m.Get(9_999); !ok || v != 9_999 {
		t.Error("the latest value is not remembered")
	}
}
