package catalog_test

import (
	"errors"
	"strings"
	"testing"

	"quatuor/engine/catalog"
	"quatuor/engine/face"
)

func TestFindGivesEveryVariantOfTheRules(t *testing.T) {
	want := []string{
		"quixo/duel", "quixo/teams", "quits/duel", "quits/short", "quits/four",
		"quivive/duel", "quivive/melee", "quivive/teams", "quiwin/duel",
	}
	if got := strings.Join(catalog.IDs(), " "); !strings.HasPrefix(got, strings.Join(want, " ")) {
		t.Errorf("ids are %s, want %s first", got, want)
	}
	for _, id := range want {
		rules, err := catalog.Find(id)
		if err != nil || rules.Info().ID != id {
			t.Errorf("Find(%q): %v, error %v", id, rules, err)
		}
	}
}

func TestFindOfAnUnknownVariantListsAll(t *testing.T) {
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

func TestEveryVariantIsDescribed(t *testing.T) {
	names := map[string]string{}
	for _, rules := range catalog.All() {
		info := rules.Info()
		if info.Game == "" || info.Name == "" || info.Summary == "" {
			t.Errorf("%s is called %q of %q and described as %q", info.ID, info.Name, info.Game, info.Summary)
		}
		if twin := names[info.Name]; twin != "" {
			t.Errorf("%s and %s are both called %q", info.ID, twin, info.Name)
		}
		names[info.Name] = info.ID
		if info.Marks != nil && len(info.Marks) != info.Sides {
			t.Errorf("%s has %d sides and the marks %v", info.ID, info.Sides, info.Marks)
		}
	}
}

func TestAddRefusesAnIDThatIsListed(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a variant is listed twice")
		}
	}()
	catalog.Add(face.Plain{}, catalog.All()[0])
}
