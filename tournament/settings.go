package tournament

import (
	"cmp"
	"maps"
	"slices"

	"quatuor/tournament/wording"
)

// Settings are the settings of a tournament by its organiser.
type Settings struct {
	Name        string
	Variant     string
	Format      Format
	RoundCount  int // planned rounds; round-robins compute it at the start
	TimeControl string
	Options     map[string]string
	TieBreaks   []string
	Points      PointSystem // the zero value, except for its places, is the format's default
	Rules       PairingRules
	Teams       *TeamRules `json:",omitempty"` // formats with teams only
	Play        PlayRules
	Rated       bool
	Venue       Venue // "" is the server
	AutoRounds  bool
	StartsAt    int64
	MaxEntries  int `json:",omitempty"` // places for players' own registrations; 0 for no limit
}

// Shape is the number of entries and players in a game of a variant.
type Shape struct {
	Min, Max int // entries in a game; both 2 for duels and for two teams
	Members  int // players of an entry
}

// Checks validate settings that other packages define. Their errors are messages for users; this package adds the
// field.
type Checks struct {
	// Format returns an error for a format that does not exist, or does not suit the shape.
	Format func(f Format, s Shape) error
	// Variant returns the shape of a variant with these options.
	Variant func(id string, options map[string]string) (Shape, error)
	// TimeControl returns the canonical spelling.
	TimeControl func(text string) (string, error)
	// Ends returns an error if games with these options and this time control could go on for ever. It may be nil.
	Ends func(variant string, options map[string]string, control string) error
	// TieBreak returns an error for a code that does not exist or does not suit the format.
	TieBreak func(f Format, code string) error
	// Base returns the time for the game of a time control, in seconds; false without a clock, and for days a move. It
	// may be nil.
	Base func(control string) (seconds int64, timed bool)
	// Teams validates regulations of teams. It may be nil; then formats with teams are not offered.
	Teams func(TeamRules) FieldErrors

	Had *TeamRules // the regulations before a change, which may keep values that are no longer allowed; nil for none
}

// Limits of the settings.
const (
	MaxNameRunes = 200
	maxTieBreaks = 12
	maxRounds    = 200
	maxPlaces    = 10_000
)

// New returns a tournament in Draft, with version 1. Faults are FieldErrors.
func New(id, organiser string, s Settings, c Checks, at int64) (*Tournament, error) {
	s, _, err := s.checked(c)
	if err != nil {
		return nil, err
	}
	t := &Tournament{ID: id, Organiser: organiser, Status: Draft, Version: 1, CreatedAt: at}
	t.take(s)
	return t, nil
}

// Settings returns the current settings, to be changed and passed to [Tournament.Configure].
func (t *Tournament) Settings() Settings {
	return Settings{
		Name: t.Name, Variant: t.Variant, Format: t.Format, RoundCount: t.RoundCount, TimeControl: t.TimeControl,
		Options: maps.Clone(t.Options), TieBreaks: slices.Clone(t.TieBreaks), Points: t.Points, Rules: t.Rules, Teams: t.Teams,
		Play:  t.Play,
		Rated: t.Rated, Venue: t.Venue, AutoRounds: t.AutoRounds, StartsAt: t.StartsAt,
		MaxEntries: t.MaxEntries,
	}
}

func (t *Tournament) take(s Settings) {
	t.Name = s.Name
	t.Variant = s.Variant
	t.Format = s.Format
	t.RoundCount = s.RoundCount
	t.TimeControl = s.TimeControl
	t.Options = s.Options
	t.TieBreaks = s.TieBreaks
	t.Points = s.Points
	t.Rules = s.Rules
	t.Teams = s.Teams
	t.Play = s.Play
	t.Rated = s.Rated
	t.Venue = s.Venue
	t.AutoRounds = s.AutoRounds
	t.StartsAt = s.StartsAt
	t.MaxEntries = s.MaxEntries
}

// Configure changes the settings: all of them before the start, afterwards only those that change no existing game or
// pairing (name, tie-breaks, automatic rounds, byes, and the venue and the rules of play in rounds to come). Faults are
// FieldErrors; a field that cannot change any more is ErrState.
func (t *Tournament) Configure(s Settings, c Checks) (*Revision, error) {
	if t.Status == Archived {
		return nil, InArchive()
	}
	if t.Started() && !t.regulable() {
		c.Ends = nil // what it judges is fixed by now
	}
	if !t.Started() || t.Teams != nil {
		s.follow(t)
	}
	c.Had = t.Teams
	s, shape, err := s.checked(c)
	if err != nil {
		return nil, err
	}
	if t.Started() {
		if field := t.fixed(s); field != "" {
			return nil, NotNow(
				"%s cannot change after the start; name, tie_breaks, auto_rounds, venue, play and the rules for byes can", field)
		}
	}
	for _, e := range t.Entries {
		if n := len(e.Members); s.Teams == nil && n != 0 && n != shape.Members {
			return nil, Fault("variant",
				"entry %s does not have as many players as a side of %s; change or remove it first", e.Name, s.Variant)
		}
	}
	if err := t.checkAdmission(s); err != nil {
		return nil, err
	}
	if err := t.checkSquads(s); err != nil {
		return nil, err
	}
	return t.With(func(next *Tournament) { next.take(s) })
}

// regulable reports whether the regulations of teams can still change: until the first round is paired.
func (t *Tournament) regulable() bool { return t.Teams != nil && len(t.Rounds) == 0 }

// fixed returns the name of the first changed field that cannot change after the start, or "".
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
	case s.Points != t.Points && t.Teams == nil: // those of teams follow from their regulations
		return "points"
	case s.Rules.bound() != t.Rules.bound():
		return "pairing"
	case s.Rated != t.Rated:
		return "rated"
	case s.Venue != t.Venue && t.Format.Continuous():
		return "venue"
	case !sameTeams(s.Teams, t.Teams) && (!t.regulable() || len(s.Teams.Boards) != len(t.Teams.Boards)):
		return "teams"
	case s.StartsAt != t.StartsAt && !t.Format.ByEvenings():
		return "starts_at"
	case s.MaxEntries != t.MaxEntries:
		return "max_entries"
	}
	return ""
}

// checked returns the settings in canonical form, and the variant's shape.
func (s Settings) checked(c Checks) (Settings, Shape, error) {
	var faults FieldErrors
	s.Name = CleanName("name", s.Name, &faults)
	s.Options, s.TieBreaks = maps.Clone(s.Options), slices.Clone(s.TieBreaks)
	s.Play.check(&faults)
	s.Rules.Keizer.check(s, &faults)
	s.Rules.Arena.check(s, c, &faults)
	s.Rules.Match = s.Rules.Match.checked(s.Format, c, &faults)
	s.Venue = cmp.Or(s.Venue, OnServer)
	if s.Venue != OnServer && s.Venue != InHall {
		faults.Add("venue", "%q is not a venue; write %s or %s", s.Venue, OnServer, InHall)
	}
	if s.Venue == InHall {
		s.Rules.Arena.Berserk = false // clocks in the hall are not halved by the server
	}
	if s.Venue == InHall && s.Play.Bots {
		faults.Add("play/bots", "%v", botsInHall)
	}
	if s.RoundCount < 0 || s.RoundCount > maxRounds {
		faults.Add("rounds", "%d is not a number of rounds; write a number from 1 to %d", s.RoundCount, maxRounds)
	}
	if s.MaxEntries < 0 || s.MaxEntries > maxPlaces {
		faults.Add("max_entries", "%d is not a number of places; write a number up to %d, or 0 for no limit", s.MaxEntries,
			maxPlaces)
	}
	if s.StartsAt < 0 {
		faults.Add("starts_at", "the start must be after 1970")
	}
	shape, err := c.Variant(s.Variant, s.Options)
	shape = shape.For(s.Rules)
	if err != nil {
		faults.Add("variant", "%v", err)
	} else if err := c.Format(s.Format, shape); err != nil {
		faults.Add("format", "%v", err)
	} else {
		s.Rules.Tables = s.Rules.Tables.checked(s.Format, shape, &faults)
		s.checkTieBreaks(c, &faults)
	}
	s = s.checkTeams(c, &faults)
	if s.Teams == nil {
		s.Points = s.points()
	}
	s.Points.check(s.Format, &faults)
	s.Rules.check(s, &faults)
	control, err := c.TimeControl(s.TimeControl)
	if err != nil {
		faults.Add("time_control", "%v", err)
	}
	s.TimeControl = control
	if len(faults) == 0 {
		s.checkEnd(c, &faults)
	}
	return s, shape, faults.Err()
}

// SetFormat changes the format. Settings that only the old format has, or that mean something else in the new format,
// become the default.
func (s *Settings) SetFormat(f Format) {
	s.Rules = s.Rules.of(f)
	s.Rules.Match = DefaultKnockoutRules(f)
	s.Rules.Keizer = DefaultKeizerRules(f)
	s.Rules.Arena = DefaultArenaRules(f)
	if s.Format.Tables() != f.Tables() || s.Format != f && (s.Format.ScoresItself() || f.ScoresItself()) || s.Format.Teams() || f.Teams() {
		s.Points = PointSystem{}
	}
	s.Teams = s.teamsFor(f)
	s.Format = f
}

// teamsFor returns the regulations of teams as far as a format has them.
func (s *Settings) teamsFor(f Format) *TeamRules {
	if !f.Teams() || s.Teams == nil {
		return nil
	}
	rules := *s.Teams
	if !f.Eliminates() {
		rules.KnockoutBreaks = nil
		rules.TiebreakClock = ""
		rules.Legs = 0
	}
	if f.FilesLineUps() != s.Format.FilesLineUps() {
		rules.Primary = ""
		rules.Secondary = ""
		rules.Order = ""
		rules.Gaps = ""
	}
	return &rules
}

// follow resets the points to the default of the settings if they were the default before and have not been changed.
func (s *Settings) follow(t *Tournament) {
	if t.Teams != nil && s.Points == t.Points {
		s.Points = PointSystem{} // it follows from the regulations
		return
	}
	was, is := t.Points, s.Points
	was.Places, is.Places = PlacePoints{}, PlacePoints{}
	usual := Settings{Format: t.Format, Rules: t.Rules, Points: PointSystem{Places: t.Points.Places}}.points()
	if was == is && t.Points == usual {
		s.Points = PointSystem{Places: s.Points.Places}
	}
}

// PointsFor returns the point system of settings for a variant of this shape. If none was set, apart from the places at
// tables, it is the format's default.
func (s Settings) PointsFor(shape Shape) PointSystem {
	var faults FieldErrors
	s.Rules.Tables = s.Rules.Tables.checked(s.Format, shape.For(s.Rules), &faults)
	return s.points()
}

// points returns the point system. If none was set, apart from the places at tables, it is the format's default.
func (s Settings) points() PointSystem {
	set := s.Points
	set.Places = PlacePoints{}
	ranking := s.Format.Traits().Ranking
	if set != (PointSystem{}) && ranking != ByStreak { // an arena has its own, whatever was set
		return s.Points
	}
	usual := StandardPoints
	usual.Places = s.Points.Places
	if s.Format.Tables() || s.Rules.Tables.Sizes != 0 {
		usual = TablePoints(s.Rules.Tables, s.Points.Places)
	}
	switch ranking {
	case ByValue:
		usual.ForfeitWin, usual.Bye = 0, 0 // the ranking needs the points of games, and values the rest itself
	case ByStreak:
		// At tables the ranking scales places by itself; it doubles these points in a streak.
		usual.Places = PlacePoints{}
		usual.Win = 20
		usual.Draw = 10
		usual.ForfeitWin = 20
		usual.Bye = 0
	}
	return usual
}

// checkEnd refuses options that let the games of a round, or those that decide a match, go on for ever.
func (s Settings) checkEnd(c Checks, faults *FieldErrors) {
	if c.Ends == nil {
		return
	}
	err := c.Ends(s.Variant, s.Options, s.TimeControl)
	if deciding := s.Rules.Match.TieBreakControl; err == nil && deciding != "" {
		err = c.Ends(s.Variant, s.Options, deciding)
	}
	if err != nil {
		faults.Add("options", "%v", err)
	}
}

func (s Settings) checkTieBreaks(c Checks, faults *FieldErrors) {
	if len(s.TieBreaks) > maxTieBreaks {
		faults.Add("tie_breaks", "%d tie-breaks are too many; at most %d are allowed", len(s.TieBreaks), maxTieBreaks)
		return
	}
	for i, code := range s.TieBreaks {
		if slices.Contains(s.TieBreaks[:i], code) {
			faults.Add("tie_breaks", "%s is listed twice", code)
		} else if err := c.TieBreak(s.Format, code); err != nil {
			faults.Add("tie_breaks", "%v", err)
		}
	}
}

// CheckName returns a name in normal form, or an error if it has more characters than runes.
func CheckName(name string, runes int) (string, error) {
	cleaned, err := wording.Line.Clean(name, runes)
	if err != nil {
		return "", Fault("name", "the name is not valid: %v", err)
	}
	return cleaned, nil
}

// CleanName returns a name in normal form.
func CleanName(field, name string, faults *FieldErrors) string {
	cleaned, err := wording.Line.Clean(name, MaxNameRunes)
	if err != nil {
		faults.Add(field, "the name is not valid: %v", err)
	}
	return cleaned
}

// Prizes are the prizes of a tournament, as the organiser has set them; package prizes awards them.
type Prizes struct {
	// how tied entries share, as package prizes names it; "" for no prizes
	Sharing    string          `json:"sharing,omitempty"`
	Unit       int64           `json:"unit,omitempty"`    // amounts are multiples of it; 0 means 1
	Several    bool            `json:"several,omitempty"` // an entry may win prizes of several categories
	Categories []PrizeCategory `json:"categories,omitempty"`
}

// PrizeCategory is a list of prizes and the conditions for winning them. Limits that are 0 or empty are not checked.
type PrizeCategory struct {
	Name       string   `json:"name"`
	Prizes     []Prize  `json:"prizes"`                // by place, in descending order of money
	RatingFrom float64  `json:"rating_from,omitempty"` // included
	RatingTo   float64  `json:"rating_to,omitempty"`   // included
	Unrated    bool     `json:"unrated,omitempty"`     // entries without a rating may win, too
	AgeFrom    int      `json:"age_from,omitempty"`    // in years, included
	AgeTo      int      `json:"age_to,omitempty"`      // in years, included
	Clubs      []string `json:"clubs,omitempty"`
}

// Prize is the prize of a place: money, something else, or both.
type Prize struct {
	Amount int64  `json:"amount,omitempty"` // in the smallest coin
	Text   string `json:"text,omitempty"`   // for example "a cup"; "" for none
}

// SetPrizes replaces the prizes. The caller has checked them with package prizes.
func (t *Tournament) SetPrizes(p Prizes) (*Revision, error) {
	if t.Status == Archived {
		return nil, InArchive()
	}
	return t.With(func(next *Tournament) { next.Prizes = p })
}
