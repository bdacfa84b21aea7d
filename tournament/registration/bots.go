package registration

import (
	"slices"

	"quatuor/engine/botid"
	"quatuor/tournament"
)

// checkBots checks an entry as far as bots are concerned, which may be in the field or be this entry.
func checkBots(t *tournament.Tournament, e tournament.Entry, faults *tournament.FieldErrors) {
	if e.HasBot() {
		checkBot(t, e, faults)
		return
	}
	if !t.Play.Bots && slices.ContainsFunc(e.Members, botid.HasAccount) {
		faults.Add("members", "this tournament does not admit bots; the organiser can change that in the settings (play.bots)")
	}
	if bots := t.Bots(); len(e.Members) == 0 && len(bots) > 0 {
		faults.Add("members", "%s is in the field and plays on the server only, so that every entry needs a player there; "+
			"remove the bot, or name the player", bots[0].Name)
	}
}

// checkBot checks the entry of a bot.
func checkBot(t *tournament.Tournament, e tournament.Entry, faults *tournament.FieldErrors) {
	others := slices.DeleteFunc(t.Bots(), func(o tournament.Entry) bool { return o.ID == e.ID })
	level := e.Bot()
	switch {
	case slices.ContainsFunc(e.Members, func(id string) bool { return id != e.Members[0] }):
		faults.Add("members", "a bot is an entry of its own, and not a player’s partner")
	case !t.Play.Bots:
		faults.Add("bot", "this tournament does not admit bots; the organiser can change that in the settings (play.bots)")
	case e.Name != botid.Name(level) || e.Club != "":
		faults.Add("name", "a bot is called %s and has no club", botid.Name(level))
	case slices.ContainsFunc(others, func(o tournament.Entry) bool { return o.Bot() == level }):
		faults.Add("bot", "%s is in the tournament already; choose another level; one that has withdrawn can be reinstated",
			e.Name)
	case len(others) >= t.MaxBots():
		faults.Add("bot", "there are as many bots as there may be (%d), so that in every game there is a person", t.MaxBots())
	default:
		checkHosted(t, e, faults)
	}
}

// checkHosted refuses a bot beside entries that play in the hall only.
func checkHosted(t *tournament.Tournament, e tournament.Entry, faults *tournament.FieldErrors) {
	for _, o := range t.Entries {
		if o.ID != e.ID && len(o.Members) == 0 && o.Status != tournament.Withdrawn {
			faults.Add("bot", "bots play on the server only, and %s has no player there; name the player first", o.Name)
			return
		}
	}
}
