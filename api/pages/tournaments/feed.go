package tournaments

import (
	"cmp"
	"context"
	"encoding/xml"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/history"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/tournament"
)

// feedLength is the maximum number of entries of a feed.
const feedLength = 50

// atomFeed is a feed as RFC 4287 has it.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"xml:lang,attr"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  atomAuthor  `xml:"author"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomAuthor struct {
	Name string `xml:"name"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Content string   `xml:"content,omitempty"`

	at int64
}

// feed serves the published rounds and the results, latest first (Atom, RFC 4287).
func (p *Pages) feed(c echo.Context) error {
	t, err := p.PublicTournament(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	feed, err := p.feedOf(ctx, t, p.Reader(c), p.Address(c), p.Club(ctx).Name)
	if err != nil {
		return err
	}
	text, err := xml.MarshalIndent(feed, "", " ")
	if err != nil {
		return err
	}
	return p.File(c, "application/atom+xml; charset=utf-8", append([]byte(xml.Header), text...))
}

func (p *Pages) feedOf(
	ctx context.Context, t *tournament.Tournament, in *message.Printer, address, site string,
) (atomFeed, error) {
	page := address + "/tournaments/" + t.ID
	feed := atomFeed{
		Lang: in.Language(), ID: "urn:uuid:" + t.ID, Title: t.Name, Author: atomAuthor{site},
		Links: []atomLink{{"self", "application/atom+xml", page + ".atom"}, {"alternate", "text/html", page}},
	}
	changes, err := p.Tournaments.History(ctx, t.ID)
	if err != nil {
		return feed, err
	}
	for _, round := range t.Rounds {
		if round.PublishedAt > 0 {
			feed.Entries = append(feed.Entries, atomEntry{
				ID:    feed.ID + "#round-" + strconv.Itoa(round.Number),
				Title: kit.Say(in, "feed.published", "Round", round.Number), at: round.PublishedAt,
				Link: atomLink{"alternate", "text/html", page + "?round=" + strconv.Itoa(round.Number)},
			})
		}
	}
	for i, change := range t.PublicChanges(changes) {
		feed.Entries = append(feed.Entries, atomEntry{
			ID: feed.ID + "#result-" + strconv.Itoa(i+1), Title: resultTitle(t, in, change), at: change.At,
			Link: atomLink{"alternate", "text/html", page + "?round=" + strconv.Itoa(change.Round)},
		})
	}
	slices.SortStableFunc(feed.Entries, func(a, b atomEntry) int { return cmp.Compare(b.at, a.at) })
	feed.Entries = feed.Entries[:min(len(feed.Entries), feedLength)]
	updated := t.CreatedAt
	for i := range feed.Entries {
		feed.Entries[i].Updated = p.moment(feed.Entries[i].at)
		updated = max(updated, feed.Entries[i].at)
	}
	feed.Updated = p.moment(updated)
	return feed, nil
}

// moment returns a time as Atom writes it.
func (p *Pages) moment(ms int64) string { return p.At(ms).UTC().Format("2006-01-02T15:04:05Z") }

// resultTitle returns the title of a changed result.
func resultTitle(t *tournament.Tournament, in *message.Printer, change tournament.Change) string {
	line := history.ActLine(t, change.Act(), in)
	result := line.After
	if result == "" {
		result = kit.Say(in, "feed.open")
	}
	return kit.Say(
		in, kit.AtTable("feed.result", t.AtTables()), "Round", change.Round, "Board",
		change.Board, "Names", message.Opponents(line.Seats...), "Result", result,
	)
}
