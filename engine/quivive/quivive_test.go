package quivive_test

import (
	"testing"

	"quatuor/engine/enginetest"
	"quatuor/engine/quivive"
)

func TestLaws(t *testing.T) {
	for _, rules := range quivive.Variants() {
		t.Run(rules.Info().ID, func(t *testing.T) { enginetest.Run(t, rules, enginetest.Hooks{}) })
	}
}

func TestGoldenGames(t *testing.T) { enginetest.Golden(t, quivive.Variants(), "testdata/*.game") }
