package kit

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/message"
	"quatuor/api/settings"
)

// TestKeptPartsAreComputedOnce: the second look computes nothing, until the key, the language, the club or a name is
// another. Errors are not cached, and few parts are.
func TestKeptPartsAreComputedOnce(t *testing.T) {
	commands := command.New(command.Config{Now: time.Now})
	club := settings.Current{Name: "Club", Zone: time.UTC}
	k := New(Config{Now: time.Now, Commands: commands, Club: func(context.Context) settings.Current { return club }},
		func(*message.Printer) template.FuncMap {
			stub := func() string { return "" }
			return template.FuncMap{"seatNames": stub, "moveWords": stub, "points": stub, "half": stub, "coins": stub, "money": stub, "period": stub}
		})
	computed, broken := 0, errors.New("broken")
	var fails error
	look := func(key any, language string) error {
		t.Helper()
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Language", language)
		c := echo.New().NewContext(r, httptest.NewRecorder())
		_, err := k.keptMain(c, "embed-season", Kept{Key: key, Body: func() (any, error) {
			computed++
			return map[string]any{"ID": "s", "Name": "N", "Rows": nil}, fails
		}})
		return err
	}
	for i, step := range []struct {
		do   func()
		key  any
		lang string
		want int // how often it has been computed
	}{
		{func() {}, 1, "en", 1},
		{func() {}, 1, "en", 1},
		{func() {}, 2, "en", 2},
		{func() {}, 1, "fr", 3},
		{func() {}, 1, "en", 3},
		{func() { commands.Names.Forget("ada") }, 1, "en", 4},
		{func() {}, 1, "en", 4},
		{func() { club.Name = "Other" }, 1, "en", 5},
		{func() {}, 1, "en", 5},
	} {
		step.do()
		if err := look(step.key, step.lang); err != nil {
			t.Fatal(err)
		}
		if computed != step.want {
			t.Errorf("step %d: computed %d times, want %d", i+1, computed, step.want)
		}
	}
	fails = broken
	for range 2 {
		if err := look("new", "en"); !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	}
	fails = nil
	for i := range 2 * RenderedMax {
		if err := look(fmt.Sprint(i), "en"); err != nil {
			t.Fatal(err)
		}
	}
	if n := k.kept.Len(); n > RenderedMax {
		t.Errorf("%d parts are cached", n)
	}
}
