package forms

import "testing"

func TestControlsAreTypedInMinutes(t *testing.T) {
	for typed, want := range map[string]string{
		"7 min + 5 s": "420+5", " 7min+5s ": "420+5", "90 min": "5400+0", "1,5 min + 2.5 s": "90+2.5", "3 days": "3days",
		"1 Tag": "1days", "2 jours": "2days", "420+5": "420+5", "3days": "3days", "soon": "soon", "": "", "7 min + 5": "7 min + 5",
	} {
		if got := ReadControl(typed); got != want {
			t.Errorf("%q is read as %q, want %q", typed, got, want)
		}
	}
}
