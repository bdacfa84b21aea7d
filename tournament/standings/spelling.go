package standings

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"quatuor/tournament"
)

// otherModifier matches a modifier in other programs, without signs.
var otherModifier = regexp.MustCompile(`^(C|CUT|M|MEDIAN|P|F)([12]?)$|^(C|CUT|M|MEDIAN|P|F)([12]?)([CMPF].*)$`)

// notLetters matches the signs of other programs between a code and its modifiers.
var notLetters = regexp.MustCompile(`[^A-Z0-9]+`)

// spelledHere returns the code of the format that a code of another program probably means, for example BH/C1 for
// BH-C1; "" for none.
func spelledHere(known []rule, f tournament.Format, code string) string {
	text := notLetters.ReplaceAllString(strings.ToUpper(code), "")
	meanings := map[string]string{} // by name
	for _, r := range rules {
		meanings[r.Code] = r.Code
		for _, name := range r.also {
			name, modifier, _ := strings.Cut(name, "/")
			meanings[name] = r.Code
			if modifier != "" {
				meanings[name] += "/" + modifier
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(meanings), func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	for _, name := range names {
		rest, is := strings.CutPrefix(text, name)
		if !is {
			continue
		}
		meant := meanings[name] + modifiersOf(rest)
		if _, err := parseKnown(known, f, meant); err == nil {
			return meant
		}
	}
	return ""
}

// modifiersOf returns modifiers of other programs in the spelling used here, or an invalid text.
func modifiersOf(text string) (out string) {
	for text != "" {
		found := otherModifier.FindStringSubmatch(text)
		if found == nil {
			return "/" + text
		}
		kind, cuts := cmp.Or(found[1], found[3]), found[2]+found[4]
		kind = kind[:1]
		if kind == "C" || kind == "M" {
			cuts = cmp.Or(cuts, "1")
		}
		out += "/" + kind + cuts
		text = found[5]
	}
	return out
}

// Canonical returns the code of a tie-break in a format, also for the spelling of another program. Errors are those of
// [Check].
func Canonical(f tournament.Format, code string) (string, error) {
	known := rulesOf(f)
	_, err := parseKnown(known, f, code)
	if err == nil {
		return code, nil
	}
	if meant := spelledHere(known, f, code); meant != "" {
		return meant, nil
	}
	return "", err
}
