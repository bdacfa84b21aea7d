package roster

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
	"quatuor/rating/ledger"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// What a table of players may hold at most.
const (
	maxImportedPlayers = 10_000
	maxName            = 200 // characters
)

// playerTable is a table of players being read.
type playerTable struct {
	columns []string
	faults  []Fault
	seen    map[string]int // lines by their text
	teams   bool           // a column names each player's team
	team    []string       // of each player, with teams
	lines   []int          // of each player
}

// ReadTable reads a table of players (CSV, the first line naming the columns). The error is Faults, naming every line
// that is at fault.
func ReadTable(text []byte) ([]club.Player, error) {
	t := playerTable{seen: map[string]int{}}
	return t.read(text)
}

// TableTeam is a team that a table names.
type TableTeam struct {
	Name    string
	Players []club.Player
}

// ReadTeamTable reads a table of team members, one a line, with the name of their team in the column "team". Each
// team has so many members. The error is Faults.
func ReadTeamTable(text []byte, members int) ([]TableTeam, error) {
	t := playerTable{seen: map[string]int{}, teams: true}
	players, err := t.read(text)
	if err != nil {
		return nil, err
	}
	var teams []TableTeam
	at, first := map[string]int{}, []int{}
	for i, player := range players {
		key := strings.ToLower(t.team[i])
		n, known := at[key]
		if !known {
			n = len(teams)
			at[key], first = n, append(first, t.lines[i])
			teams = append(teams, TableTeam{Name: t.team[i]})
		}
		teams[n].Players = append(teams[n].Players, player)
	}
	for n, team := range teams {
		if len(team.Players) != members {
			t.faults = append(t.faults, newFault(fmt.Sprintf("/lines/%d", first[n]),
				"line %d: the table names %d players of %q, and a team has %d in this game", first[n], len(team.Players), team.Name,
				members))
		}
	}
	if err := t.verdict(len(players)); err != nil {
		return nil, err
	}
	return teams, nil
}

func (t *playerTable) read(text []byte) ([]club.Player, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, fault("", "the table is not in UTF-8; save it as UTF-8")
	}
	header, _, _ := bytes.Cut(text, []byte("\n"))
	r := csv.NewReader(bytes.NewReader(text))
	if bytes.Contains(header, []byte(";")) && !bytes.Contains(header, []byte(",")) {
		r.Comma = ';'
	}
	r.TrimLeadingSpace = true
	columns, err := r.Read()
	if err != nil {
		return nil, fault("/lines/1", "the first line names the columns: %s, and any of club, birth_year and rating lists",
			t.known())
	}
	if err := t.head(columns); err != nil {
		return nil, err
	}
	players, err := t.rows(r)
	if err != nil {
		return nil, err
	}
	return players, t.verdict(len(players))
}

// head reads the names of the columns.
func (t *playerTable) head(columns []string) error {
	for _, c := range columns {
		c = strings.ToLower(strings.TrimSpace(c))
		switch {
		case slices.Contains(t.columns, c):
			return fault("/lines/1", "there are two columns %q", c)
		case c != "name" && c != "club" && c != "birth_year" && !knownList(c) && (c != "team" || !t.teams):
			return fault("/lines/1", "there is no column %q; the columns are %s, club, birth_year and rating lists, such as %s",
				c, t.known(), exampleList())
		}
		t.columns = append(t.columns, c)
	}
	if !slices.Contains(t.columns, "name") {
		return fault("/lines/1", "a column called name is needed")
	}
	if t.teams && !slices.Contains(t.columns, "team") {
		return fault("/lines/1", "a column called team is needed, which says who belongs together")
	}
	return nil
}

// known returns the columns that a table must have.
func (t *playerTable) known() string {
	if t.teams {
		return "team, name"
	}
	return "name"
}

// exampleList returns the id of a rating list that there can be.
func exampleList() string {
	family, _, _ := strings.Cut(catalog.IDs()[0], "/")
	return ledger.ListID(family, clock.Blitz)
}

// knownList reports whether there can be a rating list of this id.
func knownList(id string) bool {
	for _, variant := range catalog.IDs() {
		family, _, _ := strings.Cut(variant, "/")
		for _, class := range []string{
			clock.Bullet, clock.Blitz, clock.Rapid, clock.Classical, clock.Correspondence,
			clock.Untimed,
		} {
			if id == ledger.ListID(family, class) {
				return true
			}
		}
	}
	return false
}

// rows reads the lines below the head.
func (t *playerTable) rows(r *csv.Reader) ([]club.Player, error) {
	var players []club.Player
	for {
		cells, err := r.Read()
		var syntax *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return players, nil
		case errors.As(err, &syntax):
			return nil, fault(fmt.Sprintf("/lines/%d", syntax.Line),
				"the line cannot be read: %v; the first line names %d columns",
				syntax.Err, len(t.columns))
		case err != nil:
			return nil, err
		}
		line, _ := r.FieldPos(0)
		if len(players) == maxImportedPlayers {
			return nil, fault(fmt.Sprintf("/lines/%d", line), "at most %d players can be entered at once", maxImportedPlayers)
		}
		players = append(players, t.player(line, cells))
	}
}

// player reads one line.
func (t *playerTable) player(line int, cells []string) club.Player {
	var p club.Player
	t.lines = append(t.lines, line)
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		note := func(format string, args ...any) {
			t.faults = append(t.faults, newFault(fmt.Sprintf("/lines/%d/%s", line, t.columns[i]), "line %d: %v", line,
				sentence.New(format, args...)))
		}
		switch column := t.columns[i]; column {
		case "name":
			name, err := wording.Line.Clean(cell, maxName)
			if p.Name = name; err != nil {
				note("the name cannot be taken: %v", err)
			}
		case "club":
			club, err := wording.Line.Optional(cell, maxName)
			if p.Club = club; err != nil {
				note("the club cannot be taken: %v", err)
			}
		case "team":
			name, err := wording.Line.Clean(cell, maxName)
			if err != nil {
				note("the name of the team cannot be taken: %v", err)
			}
			t.team = append(t.team, name)
		case "birth_year":
			year, err := strconv.Atoi(cell)
			if cell != "" && (err != nil || year < 1900 || year > 2100) {
				note("%q is no year of birth from 1900 to 2100", cell)
			}
			p.BirthYear = year
		default:
			value, err := strconv.ParseFloat(cell, 64)
			switch {
			case cell == "":
			case err != nil || math.IsNaN(value) || value < 0 || value > 5000:
				note("%q is no rating from 0 to 5000", cell)
			default:
				if p.Rating == nil {
					p.Rating = map[string]float64{}
				}
				p.Rating[column] = value
			}
		}
	}
	key := fmt.Sprintf("%q %q %d", p.Name, p.Club, p.BirthYear)
	if first, twice := t.seen[key]; twice {
		t.faults = append(t.faults, newFault(fmt.Sprintf("/lines/%d", line), "line %d is the player of line %d again", line,
			first))
	} else {
		t.seen[key] = line
	}
	return p
}

// verdict refuses a table with faults, or without players.
func (t *playerTable) verdict(players int) error {
	if players == 0 {
		return fault("", "there is no player below the line that names the columns")
	}
	if len(t.faults) == 0 {
		return nil
	}
	return Faults(t.faults)
}
