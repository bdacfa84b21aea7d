package roster

import (
	"errors"
	"strconv"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament/club"
)

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
