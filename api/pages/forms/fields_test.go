package forms

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"quatuor/tournament"
)

// TestFaultsAreInTheOrderOfTheFields however often a form comes.
func TestFaultsAreInTheOrderOfTheFields(t *testing.T) {
	form := url.Values{
		"name-0": {"Juniors"}, "rating-from-0": {"a"}, "rating-to-0": {"b"}, "age-from-0": {"c"}, "age-to-0": {"d"},
	}
	for range 50 {
		_, err := ReadPrizes(form)
		var faults tournament.FieldErrors
		if !errors.As(err, &faults) {
			t.Fatalf("%v, want faults", err)
		}
		var names []string
		for _, f := range faults {
			names = append(names, f.Field)
		}
		if got := strings.Join(names, " "); got != "rating-from rating-to age-from age-to" {
			t.Fatalf("the faults are about %s", got)
		}
	}
}
