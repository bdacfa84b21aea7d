package quiwin

import (
	"testing"

	"quatuor/engine/enginetest"
)

func TestGoldenGames(t *testing.T) { enginetest.Golden(t, Variants(), "testdata/*.game") }
