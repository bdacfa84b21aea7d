package roster

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
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

// MaxPlayers is the maximum number of players that can be entered at once.
const MaxPlayers = 10_000

const maxName = 200 // characters

// playerTable is a table of players being read.
type playerTable struct {
	columns []string
	faults  []Fault
	seen    map[string]int // lines by their text
}

// ReadTable reads a table of players (CSV, the first line naming the columns). The error is Faults, naming every line
// that is at fault.
func ReadTable(text []byte) ([]club.Player, error) {
	t := playerTable{seen: map[string]int{}}
	return t.read(text)
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
		return nil, fault("/lines/1", "the first line names the columns: name, and any of club, birth_year and rating lists")
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
		case c != "name" && c != "club" && c != "birth_year" && !KnownList(c):
			return fault("/lines/1", "there is no column %q; the columns are name, club, birth_year and rating lists, such as %s",
				c, exampleList())
		}
		t.columns = append(t.columns, c)
	}
	if !slices.Contains(t.columns, "name") {
		return fault("/lines/1", "a column called name is needed")
	}
	return nil
}

// exampleList returns the id of a rating list that there can be.
func exampleList() string {
	family, _, _ := strings.Cut(catalog.IDs()[0], "/")
	return ledger.ListID(family, clock.Blitz)
}

// KnownList reports whether there can be a rating list of this id.
func KnownList(id string) bool {
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
		if len(players) == MaxPlayers {
			return nil, fault(fmt.Sprintf("/lines/%d", line), "at most %d players can be entered at once", MaxPlayers)
		}
		players = append(players, t.line(line, cells).Player)
	}
}

// line reads a line. Its faults are those of the table, too.
func (t *playerTable) line(number int, cells []string) Line {
	l, before := Line{Number: number}, len(t.faults)
	first, last, named := "", "", ""
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		note := func(format string, args ...any) {
			t.faults = append(t.faults, newFault(fmt.Sprintf("/lines/%d/%s", number, t.columns[i]), "line %d: %v", number,
				sentence.New(format, args...)))
		}
		switch column := t.columns[i]; column {
		case Ignored:
		case FullName, Swapped, LastName, FirstName:
			switch column {
			case FirstName:
				first = cell
			case Swapped:
				last, first, _ = strings.Cut(cell, ",")
			default:
				last = cell
			}
			named = cmp.Or(named, column)
		case PlayerID:
			l.Player.ID = cell
		case ClubName:
			from, err := wording.Line.Optional(cell, maxName)
			l.Player.Club = from
			if err != nil {
				note("the club cannot be taken: %v", err)
			}
		case TeamName:
			team, err := club.CleanName(cell, maxName)
			l.Team = team
			if err != nil {
				note("the name of the team cannot be taken: %v", err)
			}
		case BirthYear:
			year, ok := yearOf(cell)
			l.Player.BirthYear = year
			if !ok {
				note("%q is no year of birth from 1900 to 2100", cell)
			}
		default:
			value, err := strconv.ParseFloat(strings.Replace(cell, ",", ".", 1), 64)
			switch {
			case cell == "":
			case err != nil || math.IsNaN(value) || value < 0 || value > 5000:
				note("%q is no rating from 0 to 5000", cell)
			case column == Rating:
				l.Rating = value
			default:
				if l.Player.Rating == nil {
					l.Player.Rating = map[string]float64{}
				}
				l.Player.Rating[column] = value
			}
		}
	}
	name, err := club.CleanName(strings.TrimSpace(strings.TrimSpace(first)+" "+last), maxName)
	l.Player.Name = name
	if err != nil {
		t.faults = append(t.faults, newFault(fmt.Sprintf("/lines/%d/%s", number, named), "line %d: %v", number,
			sentence.New("the name cannot be taken: %v", err)))
	}
	t.twice(l)
	l.Faults = t.faults[before:]
	return l
}

// twice refuses a line with the player of an earlier line.
func (t *playerTable) twice(l Line) {
	key := fmt.Sprintf("%q %q %d", l.Player.Name, l.Player.Club, l.Player.BirthYear)
	if first, twice := t.seen[key]; twice {
		t.faults = append(t.faults, newFault(fmt.Sprintf("/lines/%d", l.Number), "line %d is the player of line %d again",
			l.Number, first))
	} else {
		t.seen[key] = l.Number
	}
}

// inDate matches a year in a date of the form 1990-05-12, 1990/05/12 or 12.05.1990.
var inDate = regexp.MustCompile(`^(?:([0-9]{4})(?:[-/.][0-9]{1,2}){0,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.]([0-9]{4}))$`)

// yearOf returns the year of a date of birth, 0 if it is unknown.
func yearOf(cell string) (int, bool) {
	if strings.Trim(cell, "0") == "" { // how federations leave it open
		return 0, true
	}
	m := inDate.FindStringSubmatch(cell)
	if m == nil {
		return 0, false
	}
	year, err := strconv.Atoi(m[1] + m[2])
	return year, err == nil && year >= 1900 && year <= 2100
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
