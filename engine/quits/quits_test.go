package quits_test

import (
	"testing"

	"quatuor/engine/enginetest"
	"quatuor/engine/quits"
)

func TestLaws(t *testing.T) {
	for _, rules := range quits.Variants() {
		t.Run(rules.Info().ID, func(t *testing.T) { enginetest.Run(t, rules, enginetest.Hooks{}) })
	}
}
