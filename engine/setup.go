package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Option is a rule that the regulations of a game may choose.
type Option struct {
	Key    string
	Values []string // the possible values, the default first
}

// Info describes a variant.
type Info struct {
	ID         string   // "quixo/duel"
	Seats      []int    // allowed numbers of seats, ascending
	Sides      int      // 0: every seat is a side of its own
	Options    []Option // the game's own; repetition, max_plies and draws come on top for every variant
	Secret     bool     // needs a seed and holds hidden information
	Endless    bool     // may repeat positions, so repetition and length apply
	SeatPrefix bool     // moves must name their seat in a record

	// For people, in English.
	Game    string   // name of the game: "Quixo"
	Name    string   // name of the variant: "Quixo in teams"
	Summary string   // how it is played, in a sentence or two
	Marks   []string // marks of the sides on their pieces, "x" and "o"; nil where the sides are known by number
}

// Family returns the game's name without the variant, for example "quixo".
func (i Info) Family() string {
	family, _, _ := strings.Cut(i.ID, "/")
	return family
}

// SideOf returns the side of a seat: partners sit opposite each other.
func (i Info) SideOf(s Seat) Side {
	if i.Sides == 0 {
		return Side(s)
	}
	return Side((int(s)-1)%i.Sides) + 1
}

// SidesAt returns the number of sides with the given number of seats.
func (i Info) SidesAt(seats int) int {
	if i.Sides == 0 {
		return seats
	}
	return i.Sides
}

// Seed is the 32 secret bytes that a game draws its chance from. It prints and encodes as nothing.
type Seed struct{ bytes *[32]byte }

// NewSeed returns a seed of 32 bytes.
func NewSeed(b [32]byte) Seed { return Seed{&b} }

// IsZero reports whether the seed is missing.
func (s Seed) IsZero() bool { return s.bytes == nil }

// Reveal returns the seed's bytes; all zero for a missing seed.
func (s Seed) Reveal() [32]byte {
	if s.bytes == nil {
		return [32]byte{}
	}
	return *s.bytes
}

// Commitment returns the SHA-256 of the seed in hex, which may be published from the start; "" without a seed.
func (s Seed) Commitment() string {
	if s.bytes == nil {
		return ""
	}
	sum := sha256.Sum256(s.bytes[:])
	return hex.EncodeToString(sum[:])
}

// Setup is everything a game needs to start. Make it with [NewSetup].
type Setup struct {
	Seats       int
	Seed        Seed
	Regulations Regulations
}

// Regulations are the validated options of a game.
type Regulations struct {
	Repetition int  // the n-th occurrence of a position draws; 0 = off
	MaxPlies   int  // a game this long without result is drawn; 0 = off
	NoDraws    bool // agreement is forbidden
	chosen     map[string]string
	info       *Info
}

// Option returns the value of a game's own option, or its default if none was chosen.
func (r Regulations) Option(key string) string {
	if v, ok := r.chosen[key]; ok {
		return v
	}
	if r.info != nil {
		for _, o := range r.info.Options {
			if o.Key == key {
				return o.Values[0]
			}
		}
	}
	return ""
}

// Chosen returns the options that were set, as passed to [NewSetup].
func (r Regulations) Chosen() map[string]string {
	return maps.Clone(r.chosen)
}

// Defaults for repetition and length.
const (
	defaultRepetition = 3
	defaultMaxPlies   = 400
	// optionLimit is the greatest number that an option takes: it fits a database column and a client's integer.
	optionLimit = 1_000_000
)

// CommonOptions returns the options that every variant takes, for catalogues. Options with numbers list only their
// default.
func CommonOptions() []Option {
	return []Option{
		{Key: "repetition", Values: []string{strconv.Itoa(defaultRepetition)}},
		{Key: "max_plies", Values: []string{strconv.Itoa(defaultMaxPlies)}},
		{Key: "draws", Values: []string{"allowed", "forbidden"}},
	}
}

// NewSetup checks seats, seed and options against a variant. seats may be 0 where the variant fixes it; seedHex is
// 64 hexadecimal digits for a variant with secrets and empty for all others. Errors are *MoveError of kind ErrSetup.
func NewSetup(info Info, seats int, seedHex string, options map[string]string) (Setup, error) {
	setup := Setup{Seats: seats, Regulations: Regulations{
		Repetition: defaultRepetition, MaxPlies: defaultMaxPlies, info: &info, chosen: map[string]string{},
	}}
	if seats == 0 && len(info.Seats) == 1 {
		setup.Seats = info.Seats[0]
	}
	if !slices.Contains(info.Seats, setup.Seats) {
		return Setup{}, Refuse(ErrSetup, "%s is played with %s seats, not %d", info.ID, Numbers(info.Seats, ", "),
			setup.Seats)
	}
	if err := setup.takeSeed(info, seedHex); err != nil {
		return Setup{}, err
	}
	for _, key := range slices.Sorted(maps.Keys(options)) {
		if err := setup.Regulations.set(key, options[key]); err != nil {
			return Setup{}, err
		}
	}
	return setup, nil
}

func (s *Setup) takeSeed(info Info, seedHex string) error {
	switch {
	case !info.Secret && seedHex != "":
		return Refuse(ErrSetup, "%s has no chance in it and takes no seed", info.ID)
	case !info.Secret:
		return nil
	}
	raw, err := hex.DecodeString(seedHex)
	if err != nil || len(raw) != 32 {
		return Refuse(ErrSetup, "%s needs a seed of 64 hexadecimal digits", info.ID)
	}
	s.Seed = NewSeed([32]byte(raw))
	return nil
}

func (r *Regulations) set(key, value string) error {
	switch key {
	case "repetition", "max_plies":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > optionLimit || strconv.Itoa(n) != value {
			return Refuse(ErrSetup, "option %s must be a whole number from 0 (off) to %d, not %q", key, optionLimit, value)
		}
		if key == "repetition" {
			r.Repetition = n
		} else {
			r.MaxPlies = n
		}
	case "draws":
		if value != "allowed" && value != "forbidden" {
			return Refuse(ErrSetup, "option draws must be allowed or forbidden, not %q", value)
		}
		r.NoDraws = value == "forbidden"
	default:
		if err := r.checkOwn(key, value); err != nil {
			return err
		}
	}
	r.chosen[key] = value
	return nil
}

func (r *Regulations) checkOwn(key, value string) error {
	for _, o := range r.info.Options {
		if o.Key != key {
			continue
		}
		if !slices.Contains(o.Values, value) {
			return Refuse(ErrSetup, "option %s must be one of %s, not %q", key, strings.Join(o.Values, ", "), value)
		}
		return nil
	}
	return Refuse(ErrSetup, "%s has no option %q", r.info.ID, key)
}
