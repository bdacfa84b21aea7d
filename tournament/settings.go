package tournament

import (
	"maps"
	"slices"

	"quatuor/tournament/wording"
)

// Settings are what an organiser decides about a tournament.
type Settings struct {
	Name        string
	Variant     string
	Format      Format
	RoundCount  int // planned rounds; round-robins compute it at the start
	TimeControl string
	Options     map[string]string
	TieBreaks   []string
	Points      PointSystem // the zero value stands for StandardPoints
	Rules       PairingRules
	Play        PlayRules
	Rated       bool
	AutoRounds  bool
	StartsAt    int64
}

// Shape says how many take part in one game of a variant.
type Shape struct {
	Least, Most int // entries in one game; both 2 for duels and for two teams
	Members     int // players of one entry
}

// Checks judge what this package knows nothing about. Their errors say what was wrong and what would be right; the
// field they belong to is added here.
type Checks struct {
	// Format refuses formats that nobody can pair, or not with this shape.
	Format func(f Format, s Shape) error
	// Variant knows the variants, and the options that each has.
	Variant func(id string, options map[string]string) (Shape, error)
	// TimeControl gives the canonical spelling.
	TimeControl func(text string) (string, error)
	// Ends refuses options and time controls with which a game could go on for ever; nil if none can.
	Ends func(variant string, options map[string]string, control string) error
	// TieBreak refuses codes that do not exist or do not suit the format.
	TieBreak func(f Format, code string) error
}

// What a client may send at most.
const (
	mostNameRunes = 200
	mostTieBreaks = 12
	mostRounds    = 200
)

// New makes a tournament in Draft, with version 1. Faults come as FieldErrors.
func New(id, organiser string, s Settings, c Checks, at int64) (*Tournament, error) {
	s, _, err := s.checked(c)
	if err != nil {
		return nil, err
	}
	t := &Tournament{ID: id, Organiser: organiser, Status: Draft, Version: 1, CreatedAt: at}
	t.take(s)
	return t, nil
}

// Settings gives the organiser's decisions as they stand, to be changed and handed to [Tournament.Configure].
func (t *Tournament) Settings() Settings {
	return Settings{
		Name: t.Name, Variant: t.Variant, Format: t.Format, RoundCount: t.RoundCount, TimeControl: t.TimeControl,
		Options: maps.Clone(t.Options), TieBreaks: slices.Clone(t.TieBreaks), Points: t.Points, Rules: t.Rules, Play: t.Play, Rated: t.Rated,
		AutoRounds: t.AutoRounds, StartsAt: t.StartsAt,
	}
}

func (t *Tournament) take(s Settings) {
	t.Name, t.Variant, t.Format, t.RoundCount, t.TimeControl = s.Name, s.Variant, s.Format, s.RoundCount, s.TimeControl
	t.Options, t.TieBreaks, t.Points, t.Rules, t.Play = s.Options, s.TieBreaks, s.Points, s.Rules, s.Play
	t.Rated, t.AutoRounds, t.StartsAt = s.Rated, s.AutoRounds, s.StartsAt
}

// Configure changes the settings: all of them before the start, afterwards only what changes no game and no pairing
// (name, tie-breaks, automatic rounds, byes, and how the games of rounds to come are played). Faults come as FieldErrors; a field that is fixed by now as ErrState.
func (t *Tournament) Configure(s Settings, c Checks) (*Tournament, Delta, error) {
	if t.Status == Archived {
		return nil, Delta{}, Refuse(ErrState, "the tournament is archived and changes no more")
	}
	if t.started() {
		c.Ends = nil // what it judges is fixed by now
	}
	s, shape, err := s.checked(c)
	if err != nil {
		return nil, Delta{}, err
	}
	if t.started() {
		if field := t.fixed(s); field != "" {
			return nil, Delta{}, Refuse(ErrState, "%s cannot change after the start; name, tie_breaks, auto_rounds, play and the rules for byes can", field)
		}
	}
	for _, e := range t.Entries {
		if n := len(e.Members); n != 0 && n != shape.Members {
			return nil, Delta{}, FieldErrors{{Field: "variant", Detail: "entry " + e.Name + " has not as many players as a side of " +
				s.Variant + "; change or remove it first"}}
		}
	}
	next := *t
	next.take(s)
	return &next, Delta{}, nil
}

// fixed names the first field that differs from what the running tournament is bound to.
func (t *Tournament) fixed(s Settings) string {
	switch {
	case s.Variant != t.Variant:
		return "variant"
	case s.Format != t.Format:
		return "format"
	case s.RoundCount != t.RoundCount:
		return "rounds"
	case s.TimeControl != t.TimeControl:
		return "time_control"
	case !maps.Equal(s.Options, t.Options):
		return "options"
	case s.Points != t.Points:
		return "points"
	case s.Rules.bound() != t.Rules.bound():
		return "pairing"
	case s.Rated != t.Rated:
		return "rated"
	case s.StartsAt != t.StartsAt:
		return "starts_at"
	}
	return ""
}

// checked gives the settings tidied up, and the variant's shape.
func (s Settings) checked(c Checks) (Settings, Shape, error) {
	var faults FieldErrors
	s.Name = cleanName("name", s.Name, &faults)
	s.Options, s.TieBreaks = maps.Clone(s.Options), slices.Clone(s.TieBreaks)
	if s.Points == (PointSystem{}) {
		s.Points = StandardPoints
	}
	s.Points.check(&faults)
	s.Rules.check(s, &faults)
	s.Play.check(&faults)
	s.Rules.Match = s.Rules.Match.checked(s.Format, c, &faults)
	if s.RoundCount < 0 || s.RoundCount > mostRounds {
		faults.add("rounds", "%d is not a number of rounds; it must lie between 1 and %d", s.RoundCount, mostRounds)
	}
	if s.StartsAt < 0 {
		faults.add("starts_at", "a start before 1970 cannot be meant")
	}
	shape, err := c.Variant(s.Variant, s.Options)
	if err != nil {
		faults.add("variant", "%v", err)
	} else if err := c.Format(s.Format, shape); err != nil {
		faults.add("format", "%v", err)
	} else {
		s.checkTieBreaks(c, &faults)
	}
	control, err := c.TimeControl(s.TimeControl)
	if err != nil {
		faults.add("time_control", "%v", err)
	}
	s.TimeControl = control
	if len(faults) == 0 {
		s.checkEnd(c, &faults)
	}
	return s, shape, faults.or()
}

// checkEnd refuses options with which the games of a round, or those that decide a match, could go on for ever.
func (s Settings) checkEnd(c Checks, faults *FieldErrors) {
	if c.Ends == nil {
		return
	}
	err := c.Ends(s.Variant, s.Options, s.TimeControl)
	if deciding := s.Rules.Match.TieBreakControl; err == nil && deciding != "" {
		err = c.Ends(s.Variant, s.Options, deciding)
	}
	if err != nil {
		faults.add("options", "%v", err)
	}
}

func (s Settings) checkTieBreaks(c Checks, faults *FieldErrors) {
	if len(s.TieBreaks) > mostTieBreaks {
		faults.add("tie_breaks", "%d are more than anybody can follow; at most %d are allowed", len(s.TieBreaks), mostTieBreaks)
		return
	}
	for i, code := range s.TieBreaks {
		if slices.Contains(s.TieBreaks[:i], code) {
			faults.add("tie_breaks", "%s is listed twice", code)
		} else if err := c.TieBreak(s.Format, code); err != nil {
			faults.add("tie_breaks", "%v", err)
		}
	}
}

// cleanName returns a name as it is kept.
func cleanName(field, name string, faults *FieldErrors) string {
	cleaned, err := wording.Line.Clean(name, mostNameRunes)
	if err != nil {
		faults.add(field, "the name cannot be taken: %v", err)
	}
	return cleaned
}
