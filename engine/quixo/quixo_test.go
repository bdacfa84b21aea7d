package quixo_test

import (
	"testing"

	"quatuor/engine/enginetest"
	"quatuor/engine/quixo"
)

func TestLaws(t *testing.T) {
	for _, rules := range quixo.Variants() {
		t.Run(rules.Info().ID, func(t *testing.T) { enginetest.Run(t, rules, enginetest.Hooks{}) })
	}
}
