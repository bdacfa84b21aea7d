package store

import (
	"errors"
	"fmt"
	"testing"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
)

// TestFaultsPass takes the writer's ability to write away in several ways. What cannot be stored is refused as
// unavailable, reading goes on, and afterwards everything goes on from what was acknowledged.
func TestFaultsPass(t *testing.T) {
	for _, c := range []struct{ name, fault, mended string }{
		{"no page left", "PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1073741823"},
		{"read only", "PRAGMA query_only = 1", "PRAGMA query_only = 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := hold(t, "g")
			pragma := func(text string) {
				t.Helper()
				if _, err := h.f.writer.DB().Exec(text); err != nil {
					t.Fatal(err)
				}
			}
			stored := int64(0)
			play := func() error {
				err := h.backend.run(t.Context(), stepBatch(t, "g", stored))
				if err == nil {
					stored++
				}
				return db.About("append", err)
			}
			for range 10 {
				if err := play(); err != nil {
					t.Fatal(err)
				}
			}
			pragma(c.fault)
			for refused := 0; refused < 3; {
				if stored > 10_000 {
					t.Fatal("the fault is none: ten thousand moves were stored")
				}
				err := play()
				if err != nil {
					refused++
				}
				if err != nil && !errors.Is(err, table.ErrUnavailable) {
					t.Fatalf("a move is answered with %v", err)
				}
				if _, _, err := h.Games().Load(t.Context(), "g"); err != nil {
					t.Fatalf("reading meanwhile: %v", err)
				}
			}
			if err := h.Games().Create(t.Context(), []table.Game{{
				ID:       "bulky",
				Position: fmt.Sprintf("%9999d", 1),
			}}); !errors.Is(err, table.ErrUnavailable) {
				t.Errorf("a game that cannot be created: %v", err)
			}
			pragma(c.mended)
			if err := play(); err != nil {
				t.Errorf("afterwards: %v", err)
			}
			if v := h.version(t, "g"); v != stored {
				t.Errorf("the game has version %d, and %d steps were acknowledged", v, stored)
			}
			if faults, err := h.Faults(t.Context()); err != nil || len(faults) > 0 {
				t.Errorf("faults %v, error %v", faults, err)
			}
		})
	}
}
