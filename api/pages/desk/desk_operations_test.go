package desk_test

import (
	"os"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

// TestEveryOperationHasAPlaceAtTheDesk holds docs/desk.md to the contract: it lists each operation of the API on a
// tournament, its results and, for arbiters, its games, with the page that does it, and no other.
func TestEveryOperationHasAPlaceAtTheDesk(t *testing.T) {
	text, err := os.ReadFile("../../../docs/desk.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Each operation of the API")
	named := map[string]bool{}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		operations := cells[len(cells)-3]
		for i, word := range strings.Split(operations, "`") {
			if i%2 == 1 {
				named[word] = true
			}
		}
	}
	acts := 0
	for path, item := range apitest.Contract().Paths.Map() {
		for _, op := range item.Operations() {
			arbiters := strings.HasPrefix(path, "/games/{game_id}/") && op.Security != nil && len(*op.Security) == 1 &&
				len((*op.Security)[0]["bearer"]) == 1 && (*op.Security)[0]["bearer"][0] == "organise"
			if strings.HasPrefix(path, "/tournaments") || strings.HasPrefix(path, "/results") || path == "/tie-breaks" ||
				arbiters {
				acts++
				if !named[op.OperationID] {
					t.Errorf("docs/desk.md has no page for %s (%s)", op.OperationID, path)
				}
			}
			delete(named, op.OperationID)
		}
	}
	for name := range named {
		t.Errorf("docs/desk.md names %s, and there is no such operation", name)
	}
	if acts < 60 {
		t.Errorf("the contract has %d operations for tournaments", acts)
	}
}
