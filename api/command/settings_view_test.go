package command

import (
	"testing"

	"quatuor/tournament"
)

// Settings that are shown are settings that the format has: those of adjourned games are not shown for teams.
func TestSettingsOfAdjournedGamesAreShownWhereTheFormatHasThem(t *testing.T) {
	for _, f := range tournament.FormatsWith(nil) {
		shown := SettingsView(tournament.Settings{Format: f}, false).Pairing.Adjourned != nil
		if shown != f.Adjourns() {
			t.Errorf("%s: shown %v, and it adjourns %v", f, shown, f.Adjourns())
		}
	}
}
