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
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/standings"
	"quatuor/tournament/team"
)

// TournamentBody is what the page of a tournament shows.
type TournamentBody struct {
	*tournament.Tournament
	entries.OwnEntry
	Tab          Tab
	Shown        int // the round whose pairings are shown, 0 before the first
	Latest       int // the latest round that the visitor may see
	Unpublished  bool
	Staff        bool              // the visitor is one of those who run it
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

// Cut returns what a stream sends again in three pieces: what is the visitor's own stands between them.
func (b TournamentBody) Cut() [3]template.HTML {
	const here = "<wbr data-cut>"
	head, rest, _ := strings.Cut(string(b.Rendered), here)
	bar, table, _ := strings.Cut(rest, here)
	return [3]template.HTML{template.HTML(head), template.HTML(bar), template.HTML(table)} // templates escaped their values
}

// Knockout reports whether the page shows a bracket, and standings by how far each entry came.
func (b TournamentBody) Knockout() bool { return b.Format.Eliminates() }

// IsArena reports whether the page shows an arena, which has no rounds.
func (b TournamentBody) IsArena() bool { return b.Format == tournament.Arena }

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

// LostIn returns the name of the round of the bracket in which an entry was out.
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

// PairingLine is one board of a round.
type PairingLine struct {
	Tournament string // id
	Numbers    string // of the entries, to find them

	Board   int
	Seats   []pairingSeat
	Bye     tournament.Bye
	Result  string // "" while it is open
	GameID  string
	Earlier []bracket.Game // games of the pairing before that one
	Third   bool           // for the third place of a knock-out
	Reason  string
	Manual  bool // given by an arbiter

	Said        sentence.Sentence // what decides a level match of teams
	Match       string            // path of the page of a match of teams; "" for others
	Adjourned   string            // when and how an open game goes on
	Adjudicated bool
	Corrected   bool   // it replaced another result
	RatedAs     string // what counts for the ratings, if that was corrected alone
}

// pairingSeat is one entry at a board.
type pairingSeat struct {
	Tournament string // id

	Number int
	Name   string
	Before tournament.Points // score before the round
	Seed   int               // number in a knock-out, where scores mean nothing; else 0
	Won    bool
	Rank   int                // 0 = none yet
	Gained *tournament.Points // in the round, at a table; nil while that is not known
	Absent bool               // did not come to the table
	Side   int                // at a table whose partners change, 1 or 2; else 0
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

// tournamentAt serves one tab of a tournament's page; no tab means the one for its stage.
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
	body.Rendered = mark(body.Rendered, body.Find.Numbers)
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

// tournamentFeeds makes the streams of the Tabs in one language. That of the games follows topics instead, for games
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

// FillPairings adds the boards of the round shown.
func (p *Pages) FillPairings(ctx context.Context, b *TournamentBody) error {
	if b.Shown == 0 {
		return nil
	}
	b.Pairings = pairingLines(b.Tournament, b.Rounds[b.Shown-1])
	b.Tables = slices.ContainsFunc(b.Pairings, func(l PairingLine) bool { return len(l.Seats) > 2 })
	changes, err := p.Tournaments.History(ctx, b.ID)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if c.Corrects() && !c.RatingOnly() && c.Round == b.Shown && c.Board <= len(b.Pairings) {
			b.Pairings[c.Board-1].Corrected = true
		}
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

// MatchScore returns the game points of a match of teams.
func MatchScore(t *tournament.Tournament, pair tournament.Pairing) string {
	s := team.Of(t)
	return kit.Halves(s.Outcome(pair, 0).GP.String()) + " : " + kit.Halves(s.Outcome(pair, 1).GP.String())
}

func pairingLines(t *tournament.Tournament, round tournament.Round) []PairingLine {
	before := map[string]pairingSeat{}
	for _, card := range t.Cards(round.Number - 1) {
		seat := pairingSeat{Tournament: t.ID, Number: card.Entry.Number, Name: card.Entry.Name}
		for _, cell := range card.Cells {
			seat.Before += cell.Points
		}
		if t.Bonuses != nil {
			seat.Before += t.BonusOf(card.Entry.ID, round.Number-1).Of(t.Teams.Rank())
		}
		before[card.Entry.ID] = seat
	}
	lines := make([]PairingLine, len(round.Pairings))
	for i, pair := range round.Pairings {
		line := PairingLine{
			Board: pair.Board, Bye: pair.Bye, Result: kit.PrettyResult(ResultText(t, pair)), GameID: pair.ShownGame(),
			Adjourned: pair.Adjourned, Tournament: t.ID,
			Third: t.ForThirdPlace(round.Number, pair),
		}
		if t.Teams != nil && pair.Bye == tournament.NoBye && round.Status != tournament.Paired {
			line.Match, line.Result = matchPath(t.ID, round.Number, pair.Board), ""
			if !t.Sealed(pair) {
				s := team.Of(t)
				line.Result = MatchScore(t, pair)
				if pair.Result == nil || pair.Result.GoesOn > 0 {
					line.Said = s.Decision(t, round.Number, pair).Text
				}
			}
		}
		for _, g := range bracket.GamesOf(t, pair) {
			if g.ID != pair.GameID {
				line.Earlier = append(line.Earlier, g)
			}
		}
		for seat, id := range pair.Seats {
			who := before[id]
			line.Numbers = strings.TrimSpace(line.Numbers + " " + strconv.Itoa(who.Number))
			if t.Format.Eliminates() {
				who.Seed = who.Number
			}
			if len(pair.Seats) > 2 {
				who.atTable(t, pair, seat)
			}
			if r := pair.Result; r != nil && seat < len(r.Ranks) && (len(pair.Seats) == 2 || !r.Forfeit) {
				who.Rank = r.Ranks[seat]
				who.Won = who.Rank == 1 && r.Points[seat] > t.Points.Draw || r.GoesOn == seat+1
			}
			line.Seats = append(line.Seats, who)
		}
		if r := pair.Result; r != nil {
			line.Reason, line.Manual, line.Adjudicated = r.Reason, r.Source == tournament.ByArbiter, r.Adjudicated
			line.RatedAs = kit.PrettyResult(r.RatedText())
		}
		lines[i] = line
	}
	return lines
}

// atTable adds the result of a seat, from 0, at a table.
func (s *pairingSeat) atTable(t *tournament.Tournament, pair tournament.Pairing, seat int) {
	if t.Rules.Tables.Rotate {
		s.Side = seat%2 + 1
	}
	if r := pair.Result; r != nil {
		s.Gained = &r.Points[seat]
		s.Absent = slices.Contains(r.Verdict().Absent(len(pair.Seats)), seat+1)
	}
}

// PublishedAt returns when the round shown was published, ms UTC; 0 if it is not going on.
func (b TournamentBody) PublishedAt() int64 {
	if b.Shown == 0 || b.Status != tournament.Running || b.Rounds[b.Shown-1].Status != tournament.Published {
		return 0
	}
	return b.Rounds[b.Shown-1].PublishedAt
}

// TournamentChange renders the data of an event for one tab of a tournament's page.
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
