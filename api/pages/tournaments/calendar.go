package tournaments

import (
	"strconv"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/tournament"
)

// calendar serves the start of a tournament and its public rounds as iCalendar (RFC 5545).
func (p *Pages) calendar(c echo.Context) error {
	t, err := p.Public(c)
	if err != nil {
		return err
	}
	text := calendarOf(t, p.Reader(c), p.Address(c), p.Club(c.Request().Context()).Name)
	return p.File(c, "text/calendar; charset=utf-8", []byte(text))
}

// calendarOf returns the calendar of a tournament's public data.
func calendarOf(t *tournament.Tournament, in *message.Printer, address, site string) string {
	cal := ics.NewCalendarFor(site)
	cal.SetMethod(ics.MethodPublish)
	cal.SetName(t.Name)
	cal.SetXWRCalName(t.Name)
	page := address + "/tournaments/" + t.ID
	add := func(uid, summary string, at int64, link string) {
		event := cal.AddEvent(uid + "@" + t.ID)
		event.SetDtStampTime(time.UnixMilli(max(t.CreatedAt, at)).UTC()) // the same file for the same state
		event.SetStartAt(time.UnixMilli(at).UTC())
		event.SetSummary(summary)
		if address != "" {
			event.SetURL(link)
		}
	}
	if begin := max(t.StartsAt, 0); begin > 0 {
		add("start", t.Name, begin, page)
	} else if t.StartedAt > 0 {
		add("start", t.Name, t.StartedAt, page)
	}
	for _, round := range t.Rounds {
		if round.PublishedAt > 0 {
			add("round-"+strconv.Itoa(round.Number), kit.Say(in, "feed.round", "Name", t.Name, "Round", round.Number),
				round.PublishedAt,
				page+"?round="+strconv.Itoa(round.Number))
		}
	}
	return cal.Serialize(ics.WithNewLineWindows)
}
