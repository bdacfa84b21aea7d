package tournament

import (
	"slices"

	"quatuor/engine/botid"
	"quatuor/engine/sentence"
)

// A bot takes part as an entry of its own, where the tournament admits bots ([PlayRules.Bots]) and the organiser enters
// it: for the missing player of a table, or so that no entry has a bye. It is paired and ranked like others; its games
// are not rated, and it wins no prizes.
//
//	bots play                     so
//	on the server only            no board of theirs is in the hall, and all other entries have players on the server
//	never among themselves alone  fewer are entered than a game has entries: 1, at tables 2
//	under their own names         the name shows the level; each level has a single bot

// Bot returns the level of the bot that plays for the entry; 0 for an entry of people.
func (e Entry) Bot() int {
	if len(e.Members) == 0 {
		return 0
	}
	return botid.Level(e.Members[0])
}

// HasBot reports whether a member of the entry is a bot.
func (e Entry) HasBot() bool {
	return slices.ContainsFunc(e.Members, func(id string) bool { return botid.Level(id) > 0 })
}

// BotEntry returns the entry of a bot of a level, 1 to [botid.MaxLevel], for games of this shape.
func (s Shape) BotEntry(level int, rating float64) (Entry, error) {
	if level < 1 || level > botid.MaxLevel {
		return Entry{}, Fault("bot", "%d is not a level of a bot; levels are 1 to %d", level, botid.MaxLevel)
	}
	return Entry{Name: botid.Name(level), Members: slices.Repeat([]string{botid.Of(level)}, s.Members), Rating: rating},
		nil
}

// MaxBots returns the greatest number of bots that leaves a person in every game.
func (t *Tournament) MaxBots() int { return t.Format.maxBots() }

func (f Format) maxBots() int {
	if f.Tables() {
		return MinShort - 1
	}
	return 1
}

// Bots returns the entries of bots. Bots that withdrew after the start are included, since they have games; those that
// withdrew before it are not.
func (t *Tournament) Bots() []Entry {
	return slices.DeleteFunc(slices.Clone(t.Entries), func(e Entry) bool {
		return e.Bot() == 0 || e.Status == Withdrawn && e.Number == 0
	})
}

// BotLevels returns the levels of the bots that can be entered now.
func (t *Tournament) BotLevels() (levels []int) {
	there := t.Bots()
	if !t.Play.Bots || len(there) >= t.MaxBots() {
		return nil
	}
	for level := 1; level <= botid.MaxLevel; level++ {
		if !slices.ContainsFunc(there, func(e Entry) bool { return e.Bot() == level }) {
			levels = append(levels, level)
		}
	}
	return levels
}

// WithBot reports whether a bot sits at a pairing.
func (t *Tournament) WithBot(p Pairing) bool {
	return slices.ContainsFunc(p.Seats, func(id string) bool {
		e, _ := t.Entry(id)
		return e.Bot() > 0
	})
}

// checkAdmission refuses settings that do not suit the bots that are entered.
func (t *Tournament) checkAdmission(s Settings) error {
	bots := t.Bots()
	active := slices.DeleteFunc(slices.Clone(bots), func(e Entry) bool { return e.Status == Withdrawn })
	switch {
	case !s.Play.Bots && len(active) > 0:
		return Fault("play/bots", "%s is in the field; remove it, or let it withdraw, first", active[0].Name)
	case len(bots) > s.Format.maxBots():
		return Fault("format", "%d bots are entered, and in this format there may be %d, so that in every game there is a "+
			"person; remove the others first", len(bots), s.Format.maxBots())
	}
	return nil
}

// checkBotVenue refuses a board in the hall with a bot.
func (t *Tournament) checkBotVenue(p Pairing) error {
	if p.Venue == InHall && t.WithBot(p) {
		return NotNow("a bot sits at board %d, and bots play on the server only; move the board there first, or pair "+
			"another entry", p.Board)
	}
	return nil
}

// botsInHall is why a tournament in the hall admits no bots.
var botsInHall = sentence.New("bots play on the server only, and the boards of this tournament are in the hall; " +
	"choose the server, or do without bots")
