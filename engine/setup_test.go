package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"quatuor/engine"
)

var (
	open = engine.Info{
		ID: "test/open", Seats: []int{2}, Sides: 2, Endless: true,
		Options: []engine.Option{{Key: "wind", Values: []string{"calm", "storm"}}},
	}
	secret = engine.Info{ID: "test/secret", Seats: []int{3, 4}, Secret: true, SeatPrefix: true}
)

const seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

func TestNewSetup(t *testing.T) {
	tests := []struct {
		name    string
		info    engine.Info
		seats   int
		seed    string
		options map[string]string
		refused string // part of the message; "" if the setup is good
	}{
		{"seats fixed by the variant", open, 0, "", nil, ""},
		{"seats given", open, 2, "", nil, ""},
		{"too many seats", open, 3, "", nil, "played with 2 seats, not 3"},
		{"seats left open", secret, 0, seed, nil, "played with 3, 4 seats, not 0"},
		{"a choice of seats", secret, 4, seed, nil, ""},
		{"negative seats", open, -1, "", nil, "not -1"},
		{"no seed", secret, 3, "", nil, "needs a seed"},
		{"a short seed", secret, 3, seed[2:], nil, "needs a seed"},
		{"a long seed", secret, 3, seed + "00", nil, "needs a seed"},
		{"no hexadecimal digits", secret, 3, "zz" + seed[2:], nil, "needs a seed"},
		{"a seed where none belongs", open, 2, seed, nil, "takes no seed"},
		{"own option", open, 2, "", map[string]string{"wind": "storm"}, ""},
		{"own option, bad value", open, 2, "", map[string]string{"wind": "breeze"}, "one of calm, storm"},
		{"another game's option", secret, 3, seed, map[string]string{"wind": "calm"}, `no option "wind"`},
		{"common options", secret, 3, seed, map[string]string{"repetition": "0", "max_plies": "7", "draws": "forbidden"}, ""},
		{"no number", open, 2, "", map[string]string{"repetition": "often"}, "whole number"},
		{"a negative number", open, 2, "", map[string]string{"max_plies": "-1"}, "whole number"},
		{"a padded number", open, 2, "", map[string]string{"max_plies": "007"}, "whole number"},
		{"a huge number", open, 2, "", map[string]string{"max_plies": "99999999999999999999"}, "whole number"},
		{"an empty value", open, 2, "", map[string]string{"draws": ""}, "allowed or forbidden"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			setup, err := engine.NewSetup(tt.info, tt.seats, tt.seed, tt.options)
			if tt.refused == "" {
				if err != nil || !maps.Equal(setup.Regulations.Chosen(), tt.options) || setup.Seed.IsZero() == tt.info.Secret {
					t.Errorf("setup %v, error %v", setup, err)
				}
				return
			}
			if !errors.Is(err, engine.ErrSetup) || !strings.Contains(err.Error(), tt.refused) {
				t.Errorf("error %v, want one with %q", err, tt.refused)
			}
		})
	}
}

func TestRegulationsHaveDefaults(t *testing.T) {
	setup, err := engine.NewSetup(open, 0, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	r := setup.Regulations
	if setup.Seats != 2 || r.Repetition != 3 || r.MaxPlies != 400 || r.NoDraws || r.Option("wind") != "calm" {
		t.Errorf("got %+v", setup)
	}
	setup, err = engine.NewSetup(open, 0, "", map[string]string{"wind": "storm", "draws": "forbidden", "repetition": "5"})
	if err != nil {
		t.Fatal(err)
	}
	r = setup.Regulations
	if r.Repetition != 5 || !r.NoDraws || r.Option("wind") != "storm" || r.Option("tide") != "" {
		t.Errorf("got %+v", setup)
	}
}

// TestSeedShowsNothingButItsCommitment compares the commitment with SHA-256 of the bytes 0 to 31.
func TestSeedShowsNothingButItsCommitment(t *testing.T) {
	setup, err := engine.NewSetup(secret, 3, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := setup.Seed.Commitment(); got != "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd" {
		t.Errorf("commitment %s", got)
	}
	if b := setup.Seed.Reveal(); fmt.Sprintf("%x", b) != seed {
		t.Errorf("revealed %x", b)
	}
	if none := (engine.Seed{}); none.Reveal() != [32]byte{} || none.Commitment() != "" {
		t.Errorf("no seed reveals %x and commits to %q", none.Reveal(), none.Commitment())
	}
	text, err := json.Marshal(setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{string(text), fmt.Sprintf("%v %+v %#v", setup, setup, setup)} {
		if strings.Contains(shown, "1 2 3 4 5") || strings.Contains(shown, "0x1, 0x2") || strings.Contains(shown, "010203") ||
			strings.Contains(shown, "1,2,3") {
			t.Errorf("the seed shows in %s", shown)
		}
	}
}

// TestSides: partners face each other.
func TestSides(t *testing.T) {
	pairs := engine.Info{Seats: []int{4}, Sides: 2}
	for seat, want := range map[engine.Seat]engine.Side{1: 1, 2: 2, 3: 1, 4: 2} {
		if got := pairs.SideOf(seat); got != want {
			t.Errorf("seat %d plays for side %d, want %d", seat, got, want)
		}
	}
	if got := secret.SideOf(3); got != 3 || secret.SidesAt(4) != 4 || pairs.SidesAt(4) != 2 {
		t.Errorf("seat 3 of a game of its own plays for side %d", got)
	}
}
