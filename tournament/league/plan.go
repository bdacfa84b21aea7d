package league

import (
	"fmt"
	"maps"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/series"
	"quatuor/tournament/standings"
)

// Errors of operations on leagues.
var (
	ErrNotFound = sentence.Errorf("there is no such league, or no such season of it")
	ErrState    = sentence.Errorf("not possible at this stage of the league")
)

// Settings are a league as it is stored.
type Settings struct {
	ID        string
	Name      string
	Organiser string // account id
	CreatedAt int64  // ms UTC
	Version   int64
}

// Plan is a season of a league as it is stored: a draft until it is confirmed. Rankings are not part of it; they are
// those of the divisions' tournaments.
type Plan struct {
	League    string
	Number    int // from 1
	State     State
	Confirmed bool
	CreatedAt int64 // ms UTC
	Version   int64
}

// Stored is a league with all its seasons.
type Stored struct {
	Settings
	Plans []Plan
}

// Planned is a season of a league, with the seasons before it.
type Planned struct {
	Settings
	Plan   Plan
	Before []Plan
}

// Season returns the season of a number, or ErrNotFound.
func (s Stored) Season(number int) (Planned, error) {
	if number < 1 || number > len(s.Plans) {
		return Planned{}, ErrNotFound
	}
	return Planned{s.Settings, s.Plans[number-1], s.Plans[:number-1]}, nil
}

// Newest returns the latest season, a draft or not.
func (s Stored) Newest() Plan { return s.Plans[len(s.Plans)-1] }

// Confirmed reports whether a season has been confirmed, so that the league is public.
func (s Stored) Confirmed() bool {
	return slices.ContainsFunc(s.Plans, func(p Plan) bool { return p.Confirmed })
}

// DivisionSettings returns the settings of the tournament of a division, by its index.
func (p Planned) DivisionSettings(division int) tournament.Settings {
	settings := p.Plan.State.Tournament
	settings.Name = fmt.Sprintf("%s %s · %d", p.Name, p.Plan.State.Name, division+1)
	if settings.Teams != nil { // stored settings of older versions may begin with B
		rules := *settings.Teams
		rules.Colours = tournament.WhiteFirst(rules.Colours)
		settings.Teams = &rules
	}
	return settings
}

// HalfMade names the tournaments of a confirmed season that are missing without having been deleted, or were never
// closed for others than the members.
type HalfMade struct {
	League      string
	Number      int
	Tournaments []string // ids
}

// State holds the decisions for a season. Members are named by ids of players, or as [series.Named] does.
type State struct {
	Name string `json:"name"`
	Rules
	Tournament tournament.Settings `json:"tournament"` // of each division; the name is not read
	Divisions  []Division          `json:"divisions"`  // of a draft only those of the first season
	Leaving    []string            `json:"leaving"`    // since the season before
	Joining    []string            `json:"joining"`
	Winners    []string            `json:"winners"` // of the play-offs after the season before
	// Squads are players of teams that are new, or were changed, by the teams' names.
	Squads map[string][]string `json:"squads,omitempty"`
}

// Division is a division with its members and its tournament.
type Division struct {
	Members    []Member `json:"members"`
	Tournament string   `json:"tournament,omitempty"` // "" before the confirmation, and for fewer than two members
}

// Limits of a league.
const (
	MaxDivisions = 30
	MaxMembers   = 1000 // of all divisions
)

const maxNameRunes = 100

// CheckName returns a name in normal form.
func CheckName(name string) (string, error) { return tournament.CheckName(name, maxNameRunes) }

// Check refuses a state that makes no season.
func (s *State) Check() (err error) {
	s.Name, err = CheckName(s.Name)
	if err != nil {
		return err
	}
	if !s.Tournament.Format.RoundRobin() {
		return tournament.Fault("tournament/format", "a division is a round-robin, and not a %s", s.Tournament.Format)
	}
	switch {
	case len(s.Divisions) > MaxDivisions:
		return tournament.Fault("divisions", "at most %d divisions make a league", MaxDivisions)
	case s.Up < 0 || s.Down < 0:
		return tournament.Fault("up", "0 or more are promoted, and 0 or more relegated")
	case s.Up > MaxMembers:
		return tournament.Fault("up", "from 0 to %d, not %d", MaxMembers, s.Up)
	case s.Down > MaxMembers:
		return tournament.Fault("down", "from 0 to %d, not %d", MaxMembers, s.Down)
	}
	members := len(s.Leaving) + len(s.Joining)
	known := map[string]bool{}
	for i, d := range s.Divisions {
		members += len(d.Members)
		for k, m := range d.Members {
			if m.Name == "" || known[m.Name] {
				return tournament.Fault(fmt.Sprintf("divisions[%d].members[%d]", i, k), "the member has no name, or is there twice")
			}
			known[m.Name] = true
		}
	}
	if members > MaxMembers {
		return tournament.Fault("divisions", "at most %d members make a league", MaxMembers)
	}
	return nil
}

// Names returns the places of a state that hold members or players of squads.
func (s *State) Names() (names []*string) {
	lists := [][]string{s.Leaving, s.Joining, s.Winners}
	for _, list := range slices.Concat(lists, slices.Collect(maps.Values(s.Squads))) {
		for i := range list {
			names = append(names, &list[i])
		}
	}
	for _, d := range s.Divisions {
		for i := range d.Members {
			names = append(names, &d.Members[i].Name)
		}
	}
	return names
}

// Key returns the name under which an entry is a member of a league: the id of its player; of a team, and of a player
// without a record, as [series.Named] makes it.
func Key(t *tournament.Tournament, e tournament.Entry) string {
	if !t.Format.Teams() && len(e.Members) == 1 {
		return e.Members[0]
	}
	return series.Named(e.Name)
}

// Ranking returns the members of a division as its tournament ranks them now. Those that withdrew leave the league;
// they come last. Bots are no members.
func Ranking(t *tournament.Tournament) (rows []standings.Row, err error) {
	all := make([]standings.Row, 0, len(t.Entries))
	if len(t.Numbered()) > 0 {
		table, err := standings.After(t, 0)
		if err != nil {
			return nil, err
		}
		all = table.Rows
	} else {
		for _, e := range t.Entries {
			all = append(all, standings.Row{Entry: e})
		}
	}
	var left []standings.Row
	for _, row := range all {
		switch {
		case row.Entry.Bot() > 0:
		case row.Entry.Status == tournament.Withdrawn:
			left = append(left, row)
		default:
			rows = append(rows, row)
		}
	}
	return append(rows, left...), nil
}

// Enter adds a division to a season, as it is ranked.
func (s *Season) Enter(t *tournament.Tournament, rows []standings.Row) {
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = Key(t, row.Entry)
		if row.Entry.Status == tournament.Withdrawn {
			s.Leaving = append(s.Leaving, names[i])
		}
	}
	s.Divisions = append(s.Divisions, names)
}

// First returns the member of a play-off that sits first: by lot, from the seed of the upper division's tournament.
func (p PlayOff) First(seed string) string {
	if tournament.Lots(seed, []string{p.Upper, p.Lower})[0] == 1 {
		return p.Upper
	}
	return p.Lower
}

// After returns a finished season with a plan's decisions about the next season. It skips decisions that do not fit,
// for example the winner of a play-off that a corrected result has changed.
func (s State) After(last Season) Season {
	known := map[string]bool{}
	for _, division := range last.Divisions {
		for _, name := range division {
			known[name] = true
		}
	}
	out := last
	out.Leaving = slices.Clone(last.Leaving)
	for _, name := range s.Leaving {
		if known[name] && !slices.Contains(out.Leaving, name) {
			out.Leaving = append(out.Leaving, name)
		}
	}
	for _, name := range s.Joining {
		if !known[name] {
			known[name] = true
			out.Joining = append(out.Joining, name)
		}
	}
	matches, _ := out.PlayOffs()
	out.Winners = make([]string, max(0, len(out.Divisions)-1))
	for _, p := range matches {
		if k := p.Border - 1; k < len(s.Winners) && (s.Winners[k] == p.Upper || s.Winners[k] == p.Lower) {
			out.Winners[k] = s.Winners[k]
		}
	}
	return out
}

// Fits refuses decisions about the next season that do not fit the finished season. Members that withdrew may be named
// again.
func (s State) Fits(last Season) error {
	known := map[string]bool{}
	for _, division := range last.Divisions {
		for _, name := range division {
			known[name] = true
		}
	}
	for k, name := range s.Leaving {
		if !known[name] || slices.Contains(s.Leaving[:k], name) {
			return tournament.Fault(fmt.Sprintf("leaving[%d]", k), "who leaves is in a division of the season before, and is named once")
		}
	}
	for k, name := range s.Joining {
		if name == "" || known[name] {
			return tournament.Fault(fmt.Sprintf("joining[%d]", k), "who joins is in no division of the season before, and is named once")
		}
		known[name] = true
	}
	decided := s.After(last)
	for k, name := range s.Winners {
		if name != "" && (k >= len(decided.Winners) || decided.Winners[k] != name) {
			return tournament.Fault("playoffs", "the play-off between divisions %d and %d is not won by one of its two", k+1, k+2)
		}
	}
	return nil
}
