package roster

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quatuor/engine/sentence"
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

// Team is a line of a list of teams.
type Team struct {
	Name    string
	Players []Name
}

// ReadTeams reads a list of teams, a team a line: the team's name, a colon, and its players, separated by commas, or by
// semicolons if a name has a comma. A rating may follow each name. Each team has the given number of members, 0 for any
// number. Empty lines are skipped. The error is Faults.
func ReadTeams(text string, members int) ([]Team, error) {
	teams, err := readLines(text, func(line string) (Team, error) { return readTeam(line, members) })
	switch {
	case err != nil:
		return nil, err
	case len(teams) == 0:
		return nil, fault("", "write at least one team")
	case len(teams) > MaxNames:
		return nil, fault("", "%d teams are too many; at most %d can be entered at once", len(teams), MaxNames)
	}
	return teams, nil
}

func readTeam(line string, members int) (team Team, err error) {
	name, rest, found := strings.Cut(line, ":")
	if !found && members == 0 {
		return team, sentence.Errorf("write a line such as Blue Team: Anna Berg, Bert Carl, with the captain first")
	}
	if !found {
		return team, sentence.Errorf("write the name of the team, a colon and its %d players, such as Blue Team: Anna "+
			"Berg, Bert Carl", members)
	}
	if team.Name, err = club.CleanName(name, maxName); err != nil {
		return team, sentence.Errorf("the name of the team cannot be taken: %w", err)
	}
	separator := ","
	if strings.Contains(rest, ";") {
		separator = ";"
	}
	for part := range strings.SplitSeq(rest, separator) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		player, err := readMember(part)
		if err != nil {
			return team, err
		}
		for _, other := range team.Players {
			if strings.EqualFold(other.Name, player.Name) {
				return team, sentence.Errorf("%s is named twice in %s", player.Name, team.Name)
			}
		}
		team.Players = append(team.Players, player)
	}
	if members > 0 && len(team.Players) != members {
		return team, sentence.Errorf("%d players are named for %s, and a team has %d in this game", len(team.Players),
			team.Name, members)
	}
	return team, nil
}

// readMember reads a name that a rating may follow.
func readMember(text string) (n Name, err error) {
	if m := lastNumber.FindStringSubmatch(text); m != nil {
		value, err := strconv.ParseFloat(m[2], 64)
		if err != nil || !(value > 0 && value <= 5000) {
			return n, errors.New(strconv.Quote(m[2]) + " is no rating from 1 to 5000")
		}
		text, n.Rating = strings.TrimSpace(m[1]), value
	}
	if n.Name, err = club.CleanName(text, maxName); err != nil {
		return n, sentence.Errorf("the name cannot be taken: %w", err)
	}
	return n, nil
}
