package club

import (
	"errors"
	"testing"
)

// TestReservedNames refuses what pages show for deleted persons, in any language, anywhere in a name, and nothing else.
func TestReservedNames(t *testing.T) {
	for name, reserved := range map[string]bool{
		GoneName(FirstGone): true, GoneName(987_654): true, "Player 1001": true, "PLAYER 2000": true, "joueur 1001": true,
		"Spieler 1001": true, "spieler  1001": true, "player \u00a01001": true, "ｐｌａｙｅｒ １００１": true,
		"Team player 1001": true, "player 1001 (Bern)": true, "player 99999999999999999999": true,
		"player 12": false, "player 999": false, "player 0999": false, "Player One": false, "Player 1000": false, "Mitspieler 1001": false,
		"players 1001": false, "Player bob": false, "1001": false, "player1001": false,
	} {
		if _, err := CleanName(name, 100); errors.Is(err, ErrReserved) != reserved {
			t.Errorf("%q: %v", name, err)
		}
	}
}
