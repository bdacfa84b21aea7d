package pages

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"quatuor/tournament"
)

// TestTheHistoryHasWordsForEverything that can be done with a tournament.
func TestTheHistoryHasWordsForEverything(t *testing.T) {
	source, err := os.ReadFile("../../tournament/act.go")
	if err != nil {
		t.Fatal(err)
	}
	w := newTown(t).furnish()
	kinds := regexp.MustCompile(`ActKind = "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(kinds) < 25 {
		t.Fatalf("only %d kinds of acts were found", len(kinds))
	}
	for _, kind := range kinds {
		w.acts["ladder"] = []tournament.Act{{Version: 1, Kind: tournament.ActKind(kind[1]), By: "gone", At: w.ms(), Round: 1, Board: 1, Entry: "ep1"}}
		html := w.page("/tournaments/ladder/history", "p8")
		if strings.Contains(html, "<td>"+kind[1]) || strings.Contains(html, "history."+kind[1]) || !strings.Contains(html, "an arbiter") {
			t.Errorf("there are no words for %q:\n%s", kind[1], html)
		}
		wellFormed(t, html)
	}
}

// TestALongHistory comes in pages, the latest first.
func TestALongHistory(t *testing.T) {
	w := newTown(t).furnish()
	w.acts["ladder"] = nil
	for n := range pageLength + 10 {
		w.acts["ladder"] = append(w.acts["ladder"], tournament.Act{Version: int64(n + 1), Kind: tournament.ActDraw, By: "p8", Round: n + 1})
	}
	first := w.page("/tournaments/ladder/history", "p8")
	if !strings.Contains(first, "Round 60 drawn up") || strings.Contains(first, "Round 10 drawn up") || !strings.Contains(first, `?to=10"`) {
		t.Error("the first page does not show the latest 50, with a way to those before")
	}
	last := w.page("/tournaments/ladder/history?to=10", "p8")
	if !strings.Contains(last, "Round 10 drawn up") || !strings.Contains(last, "Round 1 drawn up") || strings.Contains(last, "Older") {
		t.Error("the second page does not show the rest")
	}
}
