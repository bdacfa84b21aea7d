package forms

import (
	"fmt"
	"testing"
)

// TestBoardsAreNamedByTheirGames as people write them, and shown so again.
func TestBoardsAreNamedByTheirGames(t *testing.T) {
	for text, want := range map[string]struct{ shown, wrong string }{
		"":                            {"4", ""},
		"3":                           {"3", ""},
		"Quixo, QUITS 600+5":          {"Quixo, Quits 600+5", ""},
		"Qui'win unrated, quivive":    {"Qui’win unrated, Quivive", ""},
		"quixo/duel, quits/short":     {"Quixo, quits/short", ""},
		"Quixo, none":                 {"Quixo, none", ""},
		"Quixo, Chess":                {"", `"Chess" is neither a game nor a time control`},
		"Quixo, Qui’win 3days, Quits": {"Quixo, Qui’win 3days, Quits", ""},
	} {
		wrong, list := "", []any{}
		for _, board := range readBoards(text, func(format string, args ...any) { wrong += fmt.Sprintf(format, args...) }) {
			list = append(list, board)
		}
		if wrong != want.wrong {
			t.Errorf("%q: %s", text, wrong)
		}
		if shown := boards.show(list); want.wrong == "" && shown != want.shown {
			t.Errorf("%q is shown as %q", text, shown)
		}
		if again := readBoards(boards.show(list), func(string, ...any) {}); want.wrong == "" && fmt.Sprint(again) != fmt.Sprint(list) {
			t.Errorf("%q is read again as %v", text, again)
		}
	}
}
