package tournaments

import (
	"context"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/pages/bracket"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/stream"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/standings"
)

// TournamentBody holds the data of a tournament's page.
type TournamentBody struct {
	*tournament.Tournament
	entries.OwnEntry
	Tab          Tab
	Shown        int // the round of the pairings that are shown, 0 before the first
	Latest       int // the latest round that the visitor may see
	Unpublished  bool
	Staff        bool              // the visitor is of the tournament's staff
	Warnings     []pairing.Warning // for staff
	Done, Boards int               // games of the round shown
	Tables       bool
	Pairings     []PairingLine
	Standings    *standings.Standings // after the round shown, nil before the first
	AsOf         AsOf                 // the results that the standings and the crosstable count
	Bracket      *bracket.Body        // of a knock-out that has started
	Crosstable   crosstableBody
	Players      []PlayerLine
	Games        tournamentGames
	Rendered     template.HTML // all that a stream sends again
	Find         Search        // the search, for marked rows
	All          bool          // long lists are shown whole
	Address      string        // of the installation, for absolute links
	Season       kit.Season

	In *message.Printer // the reader's language
}

// Cut returns what a stream sends again in three pieces: the visitor's own part lies between them.
func (b TournamentBody) Cut() [3]template.HTML {
	const here = "<wbr data-cut>"
	head, rest, _ := strings.Cut(string(b.Rendered), here)
	bar, table, _ := strings.Cut(rest, here)
	return [3]template.HTML{template.HTML(head), template.HTML(bar), template.HTML(table)} // templates escaped their values
}

// Knockout reports whether the page shows a bracket, and standings by how far each entry came.
func (b TournamentBody) Knockout() bool { return b.Format.Eliminates() }

// IsArena reports whether the page shows an arena, which has no rounds.
func (b TournamentBody) IsArena() bool { return b.Format.Continuous() }

// ArenaRows returns the standings of an arena.
func (b TournamentBody) ArenaRows() ([]ArenaRow, error) { return ArenaRows(b.Tournament) }

// Calls returns the open games of an arena in the hall.
func (b TournamentBody) Calls() []ArenaCall { return ArenaCalls(b.Tournament) }

// ShortRows returns the first of the standings of an arena.
func (b TournamentBody) ShortRows() ([]ArenaRow, error) {
	rows, err := ArenaRows(b.Tournament)
	return rows[:min(len(rows), arenaShown)], err
}

// RoundName returns the name of a round of a knock-out.
func (b TournamentBody) RoundName(round int) string {
	return bracket.RoundOf(b.In, b.Tournament, round)
}

// LostIn returns the name of the round of the bracket that knocked an entry out.
func (b TournamentBody) LostIn(round int) string {
	stage, _ := b.LegOf(round)
	return bracket.RoundName(b.In, stage, b.RoundCount/b.Legs())
}

// Follows reports whether the page has a stream: it shows the current state.
func (b TournamentBody) Follows() bool {
	return b.Shown == b.Latest && b.Status != tournament.Archived && b.Tab != tabGames
}

// Reasoned reports whether the visitor may see the explanation of the round's pairings.
func (b TournamentBody) Reasoned() bool { return b.Shown > 0 && Reasoned(b.Tournament, b.Staff) }

// Numbers lists the rounds that can be shown.
func (b TournamentBody) Numbers() []int {
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

// tournamentAt serves a tab of a tournament's page; no tab means the tab for its stage.
func (p *Pages) tournamentAt(c echo.Context, at Tab) error {
	body, err := p.Outlined(c)
	if err != nil {
		return err
	}
	t := body.Tournament
	if body.Tab, err = body.tabOf(at); err != nil {
		return err
	}
	body.In, body.Address = p.Reader(c), p.Address(c)
	body.Season = p.Season(c, "/tournaments/"+t.ID+".ics")
	body.Find, body.All = Find(
		t, c.QueryParam("find"), c.QueryParams().Has("find"), auth.Session(c).PlayerID,
	), c.QueryParam("all") != ""
	if body.Tab == tabGames {
		if err = p.FillGames(c.Request().Context(), &body); err != nil {
			return err
		}
		kit.Again(c, body.Games.Next)
	}
	if body.Rendered, err = p.RenderTournament(c.Request().Context(), body); err != nil {
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

func (b TournamentBody) key() renderedKey {
	return renderedKey{b.ID, b.Version, b.Shown, b.Staff, b.Tab, b.In.Tag}
}

// RenderTournament makes the part of the page that changes, or remembers it. Games in play change without the
// tournament, so that they are never remembered.
func (p *Pages) RenderTournament(ctx context.Context, b TournamentBody) (template.HTML, error) {
	render := func() (template.HTML, error) {
		if err := p.Fill(ctx, &b); err != nil {
			return "", err
		}
		page := "tournament"
		if b.Tab == TabWall {
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

// Known loads the tournament of the address as the visitor may see it, and reports whether the visitor is on its staff.
func (p *Pages) Known(c echo.Context) (t *tournament.Tournament, staff bool, err error) {
	who := auth.Session(c)
	if t, staff, err = access.Tournament(c.Request().Context(), p.Tournaments, c.Param("id"), who); err != nil {
		return nil, false, err
	}
	return access.View(who, t), staff, nil
}

// RoundParam parses ?round=; 0 means the latest.
func RoundParam(c echo.Context) (int, error) {
	text := c.QueryParam("round")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, kit.ErrMissing
	}
	return n, nil
}

func (p *Pages) tournamentLive(c echo.Context) error {
	t, staff, err := p.Known(c)
	if err != nil {
		return err
	}
	body, err := Outline(t, staff, 0)
	if err != nil {
		return err
	}
	at, err := body.tabOf(Tab(c.QueryParam("tab")))
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

// Outlined returns the page of the tournament and round that a request names.
func (p *Pages) Outlined(c echo.Context) (TournamentBody, error) {
	t, staff, err := p.Known(c)
	if err != nil {
		return TournamentBody{}, err
	}
	round, err := RoundParam(c)
	if err != nil {
		return TournamentBody{}, err
	}
	return Outline(t, staff, round)
}

// Outline sets the round that a page shows; 0 means the latest. Staff see a round before it is published.
func Outline(t *tournament.Tournament, staff bool, round int) (TournamentBody, error) {
	b := TournamentBody{Tournament: t, Latest: t.PublishedRounds(), Shown: round, Staff: staff}
	if staff {
		b.Latest = len(t.Rounds)
	}
	if round == 0 {
		b.Shown = b.Latest
	}
	if b.Shown > b.Latest {
		return b, kit.ErrMissing
	}
	return b, nil
}

// Fill adds the content of the tab, and warnings for staff.
func (p *Pages) Fill(ctx context.Context, b *TournamentBody) error {
	if b.Staff {
		b.Warnings = p.warnings(b)
	}
	if b.Shown > 0 {
		shown := b.Rounds[b.Shown-1]
		b.Unpublished = shown.Status == tournament.Paired
		b.Done, b.Boards = Progress(shown)
	}
	b.AsOf = AsOfRound(b.Tournament, min(b.Shown, b.PublishedRounds()))
	switch b.Tab {
	case tabPlayers:
		b.Players = PlayerLines(b.Tournament)
	case tabCrosstable:
		return p.FillCrosstable(ctx, b)
	case tabGames:
		return p.FillGames(ctx, b)
	case tabStandings:
		return b.FillStandings()
	case TabRound, TabWall:
		if b.IsArena() {
			return b.FillStandings()
		}
		if b.Tab == TabRound {
			b.Bracket = bracket.New(b.In, b.Tournament)
		}
		if err := p.FillPairings(ctx, b); err != nil {
			return err
		}
		return b.FillStandings()
	default:
	}
	return nil
}

// FillStandings adds the standings after the round shown, as far as it is published.
func (b *TournamentBody) FillStandings() (err error) {
	if b.AsOf.Round > 0 {
		b.Standings, err = standings.After(b.Tournament, b.AsOf.Round)
	}
	return err
}

// BonusLine is a penalty or a bonus of a team.
type BonusLine struct {
	Name  string
	Bonus tournament.Bonus
}

// BonusLines lists the penalties and bonuses that the standings count.
func (b TournamentBody) BonusLines() (list []BonusLine) {
	for _, bonus := range b.Bonuses {
		if e, ok := b.Entry(bonus.Entry); ok && bonus.After <= b.AsOf.Round {
			list = append(list, BonusLine{e.Name, bonus})
		}
	}
	return list
}

// warnings lists problems before the first round, and anything unusual in a round that can still be changed.
func (p *Pages) warnings(b *TournamentBody) []pairing.Warning {
	if b.Shown == 0 {
		return p.Tournaments.Advice(b.Tournament)
	}
	if b.Status == tournament.Running && b.Shown == len(b.Rounds) && b.Rounds[b.Shown-1].Status != tournament.Complete {
		return p.Tournaments.Review(b.Tournament, b.Shown)
	}
	return nil
}

// PublishedAt returns when the round shown was published, ms UTC; 0 if it is not going on.
func (b TournamentBody) PublishedAt() int64 {
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
	body, err := Outline(t, staff, 0)
	if err != nil {
		return nil, err
	}
	if body.Tab, err = body.tabOf(at); err != nil {
		return nil, nil // the tab is gone, with the first round
	}
	body.In = in
	after, err := p.RenderTournament(ctx, body)
	if err != nil {
		return nil, err
	}
	key := body.key()
	key.version = since
	before, _ := p.rendered.Get(key) // a page of another round has another key
	return kit.Difference(before, after), nil
}
