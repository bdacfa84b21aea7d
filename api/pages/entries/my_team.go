package entries

import (
	"net/url"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/team"
)

// MyTeam is a team that the visitor leads or is a member of, and its next duty.
type MyTeam struct {
	Event, Name string
	Path        string // of its page
	Round       int    // that is going on; 0 for none
	Against     string // "" for a bye
	Due         int64  // when the visitor's line-up is due, ms UTC; 0 where none can be filed
}

// TeamPath returns the path of the page of a visitor's team; entry may be "".
func TeamPath(id, entry string) string {
	path := "/tournaments/" + url.PathEscape(id) + "/team"
	if entry != "" {
		path += "?team=" + url.QueryEscape(entry)
	}
	return path
}

// MyTeams returns the teams over several boards of a player in a tournament, at a time in ms UTC. It does not look at
// line-ups, so that the date due does not reveal whether a line-up was filed.
func MyTeams(t *tournament.Tournament, player string, now int64) (list []MyTeam) {
	if t.Teams == nil || player == "" {
		return nil
	}
	for _, e := range t.Entries {
		member := slices.Contains(e.Members, player) && !slices.Contains(e.Awaiting, player)
		if e.Status == tournament.Withdrawn || !member && !e.Leads(player) {
			continue
		}
		line := MyTeam{Event: t.Name, Name: e.Name, Path: TeamPath(t.ID, e.ID)}
		if n := t.PublishedRounds(); n > 0 && t.Status == tournament.Running {
			line.Round = n
			for _, p := range t.Rounds[n-1].Pairings {
				side := slices.Index(p.Seats, e.ID)
				if side < 0 || p.Bye != tournament.NoBye {
					continue
				}
				other, _ := t.Entry(p.Seats[1-side])
				line.Against = other.Name
				if due := team.LineUpsDue(t, n, p); e.Leads(player) && t.Sealed(p) && now < due {
					line.Due = due
				}
			}
		}
		list = append(list, line)
	}
	return list
}
