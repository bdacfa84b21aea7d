package entries

import (
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/tournament"
)

// selfLine offers a player to check in.
type selfLine struct {
	Tournament, Entry, Name string
	Present                 bool
}

// checkInOf returns the entry that a player may check in now, nil for none.
func checkInOf(t *tournament.Tournament, player string) *selfLine {
	if player == "" || t.CheckIn != tournament.CheckInOpen || (t.Status == tournament.Running && !t.Format.Arrivals()) {
		return nil
	}
	for _, e := range t.Entries {
		if e.Status != tournament.Withdrawn && !e.Waits() && slices.Contains(e.Members, player) {
			return &selfLine{t.ID, e.ID, e.Name, e.Present}
		}
	}
	return nil
}

// arrive checks the visitor's own entry in, and redirects to the tournament, which shows the outcome.
func (p *Pages) arrive(c echo.Context) error {
	present := c.FormValue("out") == ""
	said := map[bool]string{true: "checked_in", false: "checked_out"}[present]
	in := command.Presence{Entry: c.Param("entry"), Present: present}
	return selfRun(p, c, command.SetPresence, command.On{}, in, said, func(refusal string) (string, bool) {
		return "check_in_late", refusal == "wrong_state" || refusal == "invalid"
	})
}
