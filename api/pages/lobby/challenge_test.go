package lobby

import (
	"testing"

	"quatuor/engine/clock"
)

func TestControlsOfChallengesAreValid(t *testing.T) {
	for _, text := range ChallengeControls {
		if _, err := clock.Parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
