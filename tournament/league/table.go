package league

import (
	"errors"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/series"
	"quatuor/tournament/standings"
)

// Table is the state of a league season: a draft is computed from the final rankings of the season before.
type Table struct {
	Divisions []DivisionTable
	Last      *Season // of a draft: the season before, as it ended; nil for the first
	PlayOffs  []Match
	Over      bool  // the divisions are finished
	Blocked   error // reason for having no divisions, or for moving no member; nil otherwise
}

// DivisionTable is a division with its members in the order of the ranking.
type DivisionTable struct {
	Tournament *tournament.Tournament // nil where there is none, or the reader does not see it
	Deleted    bool
	Members    []Placed
}

// Placed is a member of a division: its origin, and its destination by the present ranking.
type Placed struct {
	Member
	Row     *standings.Row // nil without a tournament
	Then    Reason
	PlayOff bool
}

// Match is a play-off, with the member that sits first.
type Match struct {
	PlayOff
	First  string
	Winner string // "" while it is open
}

// Source reads what a table is computed from. Tournaments that do not exist are tournament.ErrNotFound.
type Source struct {
	Seen    func(id string) (*tournament.Tournament, error) // as the reader of the table sees it
	Stored  func(id string) (*tournament.Tournament, error)
	Deleted func(players []string) (map[string]bool, error) // by id
}

// Table returns the state of a season, after those before it.
func (p Plan) Table(before []Plan, from Source) (Table, error) {
	if p.Confirmed {
		return p.played(from)
	}
	return p.drafted(before, from)
}

// played returns a confirmed season.
func (p Plan) played(from Source) (t Table, err error) {
	season := Season{Rules: p.State.Rules}
	seeds := make([]string, len(p.State.Divisions))
	t.Over = true
	for i, d := range p.State.Divisions {
		division, err := d.table(from, &season)
		if err != nil {
			return t, err
		}
		if division.Tournament != nil {
			seeds[i] = division.Tournament.LotSeed
		}
		t.Over = t.Over && (d.Tournament == "" || division.Tournament != nil && division.Tournament.Status.Over())
		t.Divisions = append(t.Divisions, division)
	}
	next, err := season.Next()
	if err != nil {
		t.Blocked = err
		return t, nil
	}
	then := map[string]Reason{}
	for _, members := range next {
		for _, m := range members {
			if m.Because != Stays {
				then[m.Name] = m.Because
			}
		}
	}
	for _, name := range season.Leaving {
		then[name] = Leaves
	}
	matches, err := season.PlayOffs()
	t.addPlayOffs(matches, seeds, nil)
	for _, d := range t.Divisions {
		for i := range d.Members {
			m := &d.Members[i]
			m.Then = then[m.Name]
			m.PlayOff = slices.ContainsFunc(matches, func(p PlayOff) bool { return m.Name == p.Upper || m.Name == p.Lower })
		}
	}
	return t, err
}

// addPlayOffs adds the matches with their lots and winners.
func (t *Table) addPlayOffs(matches []PlayOff, seeds, winners []string) {
	for _, p := range matches {
		match := Match{PlayOff: p, First: p.First(seeds[p.Border-1])}
		if p.Border <= len(winners) {
			match.Winner = winners[p.Border-1]
		}
		t.PlayOffs = append(t.PlayOffs, match)
	}
}

// table returns a division as its reader may see it, and enters it into the season.
func (d Division) table(from Source, season *Season) (out DivisionTable, err error) {
	known := map[string]Member{}
	for _, m := range d.Members {
		known[m.Name] = m
	}
	if d.Tournament != "" {
		t, err := from.Seen(d.Tournament)
		if err != nil && !errors.Is(err, tournament.ErrNotFound) {
			return out, err
		}
		out.Deleted = err != nil
		if !out.Deleted {
			out.Tournament = t
		}
	}
	if out.Tournament == nil {
		out.Members = unplaced(d.Members)
		season.Divisions = append(season.Divisions, d.Names())
		return out, nil
	}
	rows, err := Ranking(out.Tournament)
	if err != nil {
		return out, err
	}
	season.Enter(out.Tournament, rows)
	for i, name := range season.Divisions[len(season.Divisions)-1] {
		m, ok := known[name]
		if !ok {
			m = Member{Name: name, Because: Joins}
		}
		out.Members = append(out.Members, Placed{Member: m, Row: &rows[i]})
	}
	return out, nil
}

// unplaced returns members without a ranking.
func unplaced(members []Member) (out []Placed) {
	for _, m := range members {
		out = append(out, Placed{Member: m})
	}
	return out
}

// Names returns the names of a division's members.
func (d Division) Names() []string {
	out := make([]string, len(d.Members))
	for i, m := range d.Members {
		out[i] = m.Name
	}
	return out
}

// Ended returns a season as it ended, and the seeds of its divisions' lots. Players that were deleted leave. The error
// is ErrState while it is not over.
func (p Plan) Ended(from Source) (season Season, seeds []string, err error) {
	season.Rules = p.State.Rules
	seeds = make([]string, len(p.State.Divisions))
	for i, d := range p.State.Divisions {
		if d.Tournament == "" {
			season.Divisions = append(season.Divisions, d.Names())
			continue
		}
		t, err := from.Stored(d.Tournament)
		switch {
		case errors.Is(err, tournament.ErrNotFound):
			return season, nil, tournament.Refuse(ErrState,
				"the tournament of division %d was deleted; confirm season %d again to make a new one", i+1, p.Number)
		case err != nil:
			return season, nil, err
		case !t.Status.Over():
			return season, nil, tournament.Refuse(ErrState, "division %d of season %d is not finished", i+1, p.Number)
		}
		rows, err := Ranking(t)
		if err != nil {
			return season, nil, err
		}
		season.Enter(t, rows)
		seeds[i] = t.LotSeed
	}
	all := slices.Concat(season.Divisions...)
	deleted, err := from.Deleted(PlayerIDs(all))
	for _, name := range all {
		if deleted[name] && !slices.Contains(season.Leaving, name) {
			season.Leaving = append(season.Leaving, name)
		}
	}
	if err == nil {
		_, err = season.Next()
	}
	return season, seeds, err
}

// PlayerIDs returns the names of members that are players' ids.
func PlayerIDs(members []string) (ids []string) {
	for _, name := range members {
		if _, nameless := series.Nameless(name); !nameless {
			ids = append(ids, name)
		}
	}
	return ids
}

// drafted returns a draft.
func (p Plan) drafted(before []Plan, from Source) (t Table, err error) {
	divisions := make([][]Member, len(p.State.Divisions))
	for i, d := range p.State.Divisions {
		divisions[i] = d.Members
	}
	if p.Number > 1 {
		last, seeds, err := before[p.Number-2].Ended(from)
		if errors.Is(err, ErrState) || errors.Is(err, tournament.ErrInvalid) {
			t.Blocked = err
			return t, nil
		}
		if err != nil {
			return t, err
		}
		t.Last = &last
		decided := p.State.After(last)
		divisions, err = decided.Next()
		if err != nil {
			return t, err
		}
		matches, err := decided.PlayOffs()
		if err != nil {
			return t, err
		}
		t.addPlayOffs(matches, seeds, decided.Winners)
	}
	for len(divisions) > 1 && len(divisions[len(divisions)-1]) == 0 {
		divisions = divisions[:len(divisions)-1]
	}
	for _, members := range divisions {
		t.Divisions = append(t.Divisions, DivisionTable{Members: unplaced(members)})
	}
	return t, nil
}
