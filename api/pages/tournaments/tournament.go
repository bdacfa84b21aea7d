package tournaments

import (
	"context"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"
	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/contract"
	"quatuor/api/pages/bracket"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/results"
	"quatuor/api/stream"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// tournamentBody holds the data of a tournament's page.
type tournamentBody struct {
	results.Body
	entries.OwnEntry
	Tab      Tab
	Warnings []pairing.Warning // for staff
	Games    tournamentGames
	Rendered template.HTML // all that a stream sends again
	Find     Search        // the search, for marked rows
	All      bool          // long lists are shown whole
	Address  string        // of the installation, for absolute links
	Season   kit.Season
}

// Snippet returns the HTML that shows the tournament on another site.
func (b tournamentBody) Snippet() string {
	return `<iframe src="` + b.Address + "/embed/tournaments/" + url.PathEscape(
		b.ID,
	) + `" width="100%" height="600"></iframe>`
}

// Cut returns what a stream sends again in three pieces: the visitor's own part lies between them.
func (b tournamentBody) Cut() [3]template.HTML {
	const here = "<wbr data-cut>"
	head, rest, _ := strings.Cut(string(b.Rendered), here)
	bar, table, _ := strings.Cut(rest, here)
	return [3]template.HTML{template.HTML(head), template.HTML(bar), template.HTML(table)} // templates escaped their values
}

// Calls returns the open games of an arena in the hall.
func (b tournamentBody) Calls() []results.ArenaCall { return results.ArenaCalls(b.Tournament) }

// ShortRows returns the first of the standings of an arena.
func (b tournamentBody) ShortRows() ([]results.ArenaRow, error) {
	rows, err := results.ArenaRows(b.Tournament)
	return rows[:min(len(rows), arenaShown)], err
}

// Follows reports whether the page has a stream: it shows the current state.
func (b tournamentBody) Follows() bool {
	return b.Shown == b.Latest && b.Status != tournament.Archived && b.Tab != tabGames
}

// Reasoned reports whether the visitor may see the explanation of the round's pairings.
func (b tournamentBody) Reasoned() bool { return b.Shown > 0 && reasoned(b.Tournament, b.Staff) }

// Numbers lists the rounds that can be shown.
func (b tournamentBody) Numbers() []int {
	numbers := make([]int, b.Latest)
	for i := range numbers {
		numbers[i] = i + 1
	}
	return numbers
}

func (p *Pages) tournament(c echo.Context) error {
	id := c.Param("id")
	for suffix, handler := range map[string]echo.HandlerFunc{".ics": p.calendar, ".atom": p.feed} {
		if name, ok := strings.CutSuffix(id, suffix); ok {
			c.SetParamNames("id")
			c.SetParamValues(name)
			return handler(c)
		}
	}
	return p.tournamentAt(c, Tab(c.QueryParam("tab")))
}

func (p *Pages) crosstable(c echo.Context) error { return p.tournamentAt(c, tabCrosstable) }

// tournamentAt serves a tab of a tournament's page; no tab means the tab for its stage.
func (p *Pages) tournamentAt(c echo.Context, at Tab) error {
	outline, err := results.Requested(c, p.Kit)
	if err != nil {
		return err
	}
	t, body := outline.Tournament, tournamentBody{Body: outline}
	if body.Tab, err = body.tabOf(at); err != nil {
		return err
	}
	body.In, body.Address = p.Reader(c), p.Address(c)
	body.Season = p.Season(c, "/tournaments/"+t.ID+".ics")
	body.Find, body.All = Find(
		t, c.QueryParam("find"), c.QueryParams().Has("find"), auth.Session(c).PlayerID,
	), c.QueryParam("all") != ""
	if body.Tab == tabGames {
		if err = p.fillGames(c.Request().Context(), &body); err != nil {
			return err
		}
		kit.Again(c, body.Games.Next)
	}
	if body.Rendered, err = p.renderLive(c.Request().Context(), body); err != nil {
		return err
	}
	body.Rendered = Mark(body.Rendered, body.Find.Numbers)
	if body.OwnEntry, err = p.entries.Of(t, auth.Session(c)); err != nil {
		return err
	}
	return p.Show(c, "tournament", "tournaments", body)
}

// renderedKey is the cache key of a tournament page's body: everything that it depends on.
type renderedKey struct {
	id       string
	version  int64
	round    int
	staff    bool
	tab      Tab
	language language.Tag
}

func (b tournamentBody) key() renderedKey {
	return renderedKey{b.ID, b.Version, b.Shown, b.Staff, b.Tab, b.In.Tag}
}

// renderLive makes the part of the page that changes, or remembers it. Games in play change without the
// tournament, so that they are never remembered.
func (p *Pages) renderLive(ctx context.Context, b tournamentBody) (template.HTML, error) {
	render := func() (template.HTML, error) {
		if err := p.fill(ctx, &b); err != nil {
			return "", err
		}
		page := "tournament"
		if b.Tab == tabWall {
			page = "wall"
		}
		html, err := p.Render(b.In, page, "live", b)
		return template.HTML(html), err // templates escape their values
	}
	if b.Tab == tabGames {
		return render()
	}
	return p.rendered.Load(b.key(), render)
}

func (p *Pages) tournamentLive(c echo.Context) error {
	t, staff, err := p.VisibleTournament(c)
	if err != nil {
		return err
	}
	outline, err := results.Of(t, staff, 0)
	if err != nil {
		return err
	}
	at, err := tournamentBody{Body: outline}.tabOf(Tab(c.QueryParam("tab")))
	if err != nil {
		return err
	}
	var still func(*tournament.Tournament) bool
	if staff {
		who := auth.Session(c)
		still = func(t *tournament.Tournament) bool { return access.Staff(who, t) }
	}
	feed, ok := p.eventFeeds[p.Reader(c).Tag][at]
	if !ok {
		return kit.ErrMissing
	}
	return feed.ServeSince(c.Request().Context(), c.Response(), c.Param("id"), kit.SeenVersion(c), still)
}

// tournamentFeeds makes the streams of the Tabs in a language. That of the games follows topics instead, for games
// change without their tournament.
func (p *Pages) tournamentFeeds(in *message.Printer) map[Tab]*stream.TournamentFeed {
	feeds := map[Tab]*stream.TournamentFeed{}
	for _, at := range slices.DeleteFunc(slices.Clone(Tabs), func(at Tab) bool { return at == tabGames }) {
		feeds[at] = p.Hub.TournamentChangeFeed(p.Tournaments,
			func(ctx context.Context, t *tournament.Tournament, staff bool, since int64) ([]byte, error) {
				return p.TournamentChange(ctx, in, at, t, staff, since)
			})
	}
	return feeds
}

// fill adds the content of the tab, and warnings for staff.
func (p *Pages) fill(ctx context.Context, b *tournamentBody) error {
	if b.Staff {
		b.Warnings = p.warnings(b)
	}
	switch b.Tab {
	case tabPlayers:
		b.Players = results.PlayerLines(b.Tournament)
	case tabCrosstable:
		return b.FillCrosstable(ctx, p.Kit)
	case tabGames:
		return p.fillGames(ctx, b)
	case tabStandings:
		return b.FillStandings()
	case TabRound:
		if !b.IsArena() {
			b.Bracket = bracket.New(b.In, b.Tournament)
		}
		return b.FillRound(ctx, p.Kit)
	case tabWall:
		return b.FillRound(ctx, p.Kit)
	default:
	}
	return nil
}

// warnings lists problems before the first round, and anything unusual in a round that can still be changed.
func (p *Pages) warnings(b *tournamentBody) []pairing.Warning {
	if b.Shown == 0 {
		return p.Tournaments.Advice(b.Tournament)
	}
	if b.Status == tournament.Running && b.Shown == len(b.Rounds) && b.Rounds[b.Shown-1].Status != tournament.Complete {
		return p.Tournaments.Review(b.Tournament, b.Shown)
	}
	return nil
}

// PublishedAt returns when the round shown was published, ms UTC; 0 if it is not going on.
func (b tournamentBody) PublishedAt() int64 {
	if b.Shown == 0 || b.Status != tournament.Running || b.Rounds[b.Shown-1].Status != tournament.Published {
		return 0
	}
	return b.Rounds[b.Shown-1].PublishedAt
}

// TournamentChange renders the data of an event for a tab of a tournament's page.
func (p *Pages) TournamentChange(
	ctx context.Context, in *message.Printer, at Tab, t *tournament.Tournament, staff bool, since int64,
) ([]byte, error) {
	if t.Status == tournament.Draft && !staff {
		return nil, nil // it has become a draft again
	}
	outline, err := results.Of(t, staff, 0)
	if err != nil {
		return nil, err
	}
	body := tournamentBody{Body: outline}
	if body.Tab, err = body.tabOf(at); err != nil {
		return nil, nil // the tab is gone, with the first round
	}
	body.In = in
	after, err := p.renderLive(ctx, body)
	if err != nil {
		return nil, err
	}
	key := body.key()
	key.version = since
	before, _ := p.rendered.Get(key) // a page of another round has another key
	return kit.Difference(before, after), nil
}

// Tab is a part of a tournament's page, as its address names it.
type Tab string

// The Tabs, in their order on the page. The wall shows the round by itself.
const (
	TabRound      Tab = "round"
	tabStandings  Tab = "standings"
	tabPlayers    Tab = "players"
	tabCrosstable Tab = "crosstable"
	tabGames      Tab = "games"
	tabInfo       Tab = "info"
	tabWall       Tab = "wall"
)

// Tabs are all on the page.
var Tabs = []Tab{TabRound, tabStandings, tabPlayers, tabCrosstable, tabGames, tabInfo}

// played are the Tabs that show something once the first round is there.
var played = []Tab{TabRound, tabStandings, tabCrosstable, tabGames}

// tabOf returns the tab to show for the requested tab; "" requests the first with content.
func (b tournamentBody) tabOf(asked Tab) (Tab, error) {
	switch {
	case asked == "" && b.Latest > 0, asked == "" && b.Knockout():
		return TabRound, nil
	case asked == "":
		return tabPlayers, nil
	case !slices.Contains(Tabs, asked):
		return "", kit.ErrMissing
	}
	return asked, nil
}

// Tabs lists the Tabs that have something to show, and the tab that is shown.
func (b tournamentBody) Tabs() (list []Tab) {
	for _, each := range Tabs {
		if b.IsArena() && each == tabCrosstable { // games follow each other, not rounds
			continue
		}
		empty := b.Latest == 0 && slices.Contains(played, each) && (each != TabRound || !b.Knockout())
		if each == b.Tab || !empty {
			list = append(list, each)
		}
	}
	return list
}

// Link returns the address of a tab with the round that is shown.
func (b tournamentBody) Link(to Tab) string { return b.link(to, b.Shown, false) }

// LinkRound returns the address of the tab with another round.
func (b tournamentBody) LinkRound(round int) string { return b.link(b.Tab, round, false) }

// tabFiles are the tables of the export that have what tabs show.
var tabFiles = map[Tab]string{
	TabRound: "pairings", tabGames: "pairings", tabStandings: "standings", tabCrosstable: "crosstable", tabPlayers: "entries",
}

// File returns the address of what the tab shows as a file, "" if there is nothing yet.
func (b tournamentBody) File() string {
	table := tabFiles[b.Tab]
	if table == "" || len(b.Entries) == 0 || b.Latest == 0 && b.Tab != tabPlayers {
		return ""
	}
	return contract.BasePath + "/tournaments/" + url.PathEscape(b.ID) + "/export?format=csv&table=" + table
}

// LinkAll returns the address of the tab with its lists whole.
func (b tournamentBody) LinkAll() string { return b.link(b.Tab, b.Shown, true) }

func (b tournamentBody) link(to Tab, round int, all bool) string {
	query := url.Values{}
	if to != TabRound || b.Latest == 0 {
		query.Set("tab", string(to))
	}
	if round != b.Latest && to != tabPlayers && to != tabInfo {
		query.Set("round", strconv.Itoa(round))
	}
	if all {
		query.Set("all", "1")
	}
	address := "/tournaments/" + url.PathEscape(b.ID)
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// Rounded reports whether the tab can show an earlier round.
func (b tournamentBody) Rounded() bool {
	return !b.IsArena() && (b.Tab == TabRound || b.Tab == tabStandings || b.Tab == tabGames || b.Tab == tabCrosstable)
}
