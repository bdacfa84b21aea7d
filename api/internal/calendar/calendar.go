// Package calendar writes tournaments as iCalendar (RFC 5545): their starts, their public rounds, and the next evening
// of Keizer seasons.
package calendar

import (
	"context"
	"errors"
	"strconv"
	"time"

	ics "github.com/arran4/golang-ical"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/pages/message"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/team"
)

// Kind is the media type of a calendar.
const Kind = "text/calendar; charset=utf-8"

// Calendar holds the data of a calendar apart from the tournaments.
type Calendar struct {
	Name    string // of the calendar
	Site    string // the installation
	Address string // of the pages, without a slash at its end; "" where that is not known
	Round   func(name string, round int) string
	Team    int // number of the only team with its matches in the calendar; 0 for all
}

// OneTeam returns the number of a team in an address, 0 for none; ok is false if it is no number.
func OneTeam(text string) (number int, ok bool) {
	if text == "" {
		return 0, true
	}
	number, err := strconv.Atoi(text)
	return number, err == nil && number > 0
}

// Of returns the calendar of tournaments' public data, in UTC. The same data make the same file. The ids of events stay;
// their sequence numbers grow with each change that the public can see.
func (c Calendar) Of(list ...*tournament.Tournament) []byte {
	cal := ics.NewCalendarFor(c.Site)
	cal.SetMethod(ics.MethodPublish)
	cal.SetName(c.Name)
	cal.SetXWRCalName(c.Name)
	for _, t := range list {
		if t = t.Public(); t.Status != tournament.Draft {
			c.add(cal, t)
		}
	}
	return []byte(cal.Serialize(ics.WithNewLineWindows))
}

// add adds the events of a tournament.
func (c Calendar) add(cal *ics.Calendar, t *tournament.Tournament) {
	page := c.Address + "/tournaments/" + t.ID
	add := func(uid, summary string, at int64, link string) *ics.VEvent {
		event := cal.AddEvent(uid + "@" + t.ID)
		event.SetDtStampTime(time.UnixMilli(max(t.CreatedAt, at)).UTC())
		event.SetSequence(int(t.PublicVersion))
		event.SetStartAt(time.UnixMilli(at).UTC())
		event.SetSummary(summary)
		if c.Address != "" {
			event.SetURL(link)
		}
		return event
	}
	if c.Team > 0 {
		c.addMatches(t, add)
		return
	}
	round := func(number int, at int64) {
		add("round-"+strconv.Itoa(number), c.Round(t.Name, number), at, page+"?round="+strconv.Itoa(number))
	}
	next := int64(0) // the next evening of a Keizer season; it starts at the announced time of each evening
	begin := max(t.StartsAt, 0)
	if t.Format.ByEvenings() && t.StartedAt > 0 {
		next, begin = begin, 0
	}
	if begin == 0 {
		begin = t.StartedAt
	}
	if begin > 0 {
		add("start", t.Name, begin, page)
	}
	last := int64(0)
	for _, r := range t.Rounds {
		if r.PublishedAt > 0 {
			round(r.Number, r.PublishedAt)
			last = r.PublishedAt
		}
	}
	if next > last && t.Status == tournament.Running {
		round(t.Evening(), next)
	}
}

// addMatches adds the matches of a team, the home team first. They are tentative where no date is agreed.
func (c Calendar) addMatches(
	t *tournament.Tournament, add func(uid, summary string, at int64, link string) *ics.VEvent,
) {
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Bye != tournament.NoBye || t.Teams == nil {
				continue
			}
			home, _ := t.Entry(p.Seats[0])
			away, _ := t.Entry(p.Seats[1])
			if home.Number != c.Team && away.Number != c.Team {
				continue
			}
			round := strconv.Itoa(r.Number)
			link := c.Address + "/tournaments/" + t.ID + "/matches/" + round + "/" + strconv.Itoa(p.Board)
			event := add("match-"+round+"-"+strconv.Itoa(c.Team), message.Opponents(home.Name, away.Name)+" ("+c.Round(t.Name, r.Number)+")",
				team.MatchAt(t, r.Number, p), link)
			event.SetStatus(ics.ObjectStatusConfirmed)
			if t.Dated() && (p.Date == nil || p.Date.At == 0) {
				event.SetStatus(ics.ObjectStatusTentative)
			}
		}
	}
}

// maxTournaments is the number of tournaments in a calendar of the club, the newest.
const maxTournaments = 200

// Newest returns the ids of the club's newest tournaments that are public.
func Newest(ctx context.Context, archive director.Lister) (ids []string, err error) {
	list, _, err := archive.List(ctx, director.Filter{Status: director.PublicStatuses}, maxTournaments, "")
	for _, t := range list {
		ids = append(ids, t.ID)
	}
	return ids, err
}

// Read returns tournaments as the public sees them, without those that it does not.
func Read(ctx context.Context, from access.Tournaments, ids ...string) (list []*tournament.Tournament, err error) {
	for _, id := range ids {
		t, _, err := access.Tournament(ctx, from, id, auth.Identity{})
		switch {
		case errors.Is(err, tournament.ErrNotFound):
		case err != nil:
			return nil, err
		default:
			list = append(list, t)
		}
	}
	return list, nil
}
