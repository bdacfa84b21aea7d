package roster

import (
	"fmt"
	"slices"
	"strings"

	"quatuor/tournament/club"
)

// Line is a line of a list: a player to be entered, or the faults of the line.
type Line struct {
	Number int // in the file, from 1
	Player club.Player
	Team   string
	Rating float64 // of the column Rating, 0 for none
	Faults []Fault
}

// Lines reads the players of a list by its columns. The rating of the column Rating is also the initial rating in the
// named rating list, if there is one. The error is Faults.
func (l List) Lines(ratings string) ([]Line, error) {
	named := func(c Column) bool { return c == FullName || c == Swapped || c == LastName }
	t := playerTable{columns: l.Columns, seen: map[string]int{}}
	switch {
	case !slices.ContainsFunc(l.Columns, named):
		return nil, fault("", "choose the column that has the names")
	case len(l.Data()) == 0:
		return nil, fault("", "there is no player below the line that names the columns")
	}
	for i, c := range l.Columns {
		if c != Ignored && slices.Contains(l.Columns[:i], c) {
			return nil, fault("", "two columns hold the same; choose another for column %d", i+1)
		}
	}
	lines := make([]Line, len(l.Data()))
	for i, row := range l.Data() {
		line := t.line(row.Line, row.Cells)
		if line.Rating > 0 && ratings != "" && line.Player.Rating[ratings] == 0 {
			if line.Player.Rating == nil {
				line.Player.Rating = map[string]float64{}
			}
			line.Player.Rating[ratings] = line.Rating
		}
		lines[i] = line
	}
	return lines, nil
}

// ListTeam is a team that a list names.
type ListTeam struct {
	Name    string
	Players []Line
}

// Teams groups the lines of a list by their teams, each with the given number of members, 0 for any number. A line with
// a fault, and the first line of a team with too few or too many, is refused with its team.
func Teams(lines []Line, members int) (teams []ListTeam, refused []Fault) {
	at := map[string]int{}
	for _, line := range lines {
		n, known := at[fold(line.Team)]
		if !known {
			n = len(teams)
			at[fold(line.Team)] = n
			teams = append(teams, ListTeam{Name: line.Team})
		}
		teams[n].Players = append(teams[n].Players, line)
	}
	return slices.DeleteFunc(teams, func(team ListTeam) bool {
		before := len(refused)
		for _, line := range team.Players {
			refused = append(refused, line.Faults...)
		}
		if len(refused) > before {
			return true
		}
		if first := team.Players[0].Number; members != 0 && len(team.Players) != members {
			refused = append(refused, newFault(fmt.Sprintf("/lines/%d", first),
				"line %d: the table names %d players of %q, and a team has %d in this game", first, len(team.Players), team.Name,
				members))
			return true
		}
		return false
	}), refused
}

// Key returns the common form of all spellings of a name: its words in lower case without accents, in any order.
func Key(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" ,.-'’", r) })
	for i, word := range words {
		words[i] = fold(word)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
