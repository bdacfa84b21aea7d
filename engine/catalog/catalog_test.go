package catalog_test

import (
	"errors"
	"strings"
	"testing"

	"quatuor/engine/catalog"
)

func TestFindGivesEveryVariantOfTheRules(t *testing.T) {
	want := []string{
		"quixo/duel", "quixo/teams", "quits/duel", "quits/short", "quits/four",
		"quivive/duel", "quivive/melee", "quivive/teams", "quiwin/duel",
	}
	if got := strings.Join(catalog.IDs(), " "); got != strings.Join(want, " ") {
		t.Errorf("ids are %s, want %s", got, want)
	}
	for _, id := range want {
		rules, err := catalog.Find(id)
		if err != nil || rules.Info().ID != id {
			t.Errorf("Find(%q) gives %v, error %v", id, rules, err)
		}
	}
}

func TestFindOfAnUnknownVariantListsThoseThereAre(t *testing.T) {
	_, err := catalog.Find("chess/duel")
	if !errors.Is(err, catalog.ErrUnknownVariant) {
		t.Fatalf("error is %v", err)
	}
	for _, id := range append(catalog.IDs(), "chess/duel") {
		if !strings.Contains(err.Error(), id) {
			t.Errorf("message %q lacks %s", err, id)
		}
	}
}

func TestAllGivesACopy(t *testing.T) {
	first := catalog.All()
	first[0] = nil
	if catalog.All()[0] == nil {
		t.Error("a caller can change the catalogue")
	}
}
