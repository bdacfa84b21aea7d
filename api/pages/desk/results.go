package desk

import (
	"context"
	"encoding/json"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/history"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/phones"
	"quatuor/api/pages/results"
	"quatuor/tournament"
	"quatuor/tournament/scoring"
)

// resultsPart holds the data of the tab Results: a round with a row a board, or a single board with all details.
type resultsPart struct {
	Round   int
	Rounds  []int // those that are published
	Boards  []resultRow
	Left    []resultRow // boards without a result
	Missing bool        // only these are shown
	Arena   bool
	Ready   bool // the next round can be paired
	Final   bool // it is the last round of the tournament
	Draft   int  // the round that is drawn up, 0 if there is none
	One     *boardPart
	Ask     *resultAsk
	List    *resultsList
}

// resultRow is a board of a round.
type resultRow struct {
	Board       int
	Place       int    // where people find it: in an arena in the hall the table
	Since       int64  // when an open game of an arena began, ms UTC; else 0
	Minutes     int64  // that it has been going on
	Tag         string // see boardTag
	Seats       []rowSeat
	Result      string // as tournament.ParseVerdict reads it, or ranks; "" while it is open
	Shown       string // as score sheets write it
	Ranks       []int
	Forfeit     bool // not played
	Sides       bool // partners change: the result is that of two sides
	Tables      bool // several sit at a table
	GameID      string
	Adjourned   string
	Adjudicated bool
	Reason      string
	Server      bool // the result is that of the server's game
	Rated       bool
	RatedAs     string   // the result for the ratings, if that was corrected alone
	Reported    string   // "reported" or "disputed" while players have reported a result that does not count yet; "" otherwise
	Said        []string // their reports, by seat
}

// rowSeat is an entry at a board.
type rowSeat struct {
	ID     string
	Number int
	Name   string
	Points tournament.Points // before the round
}

// Open reports whether the board has no result.
func (r resultRow) Open() bool { return r.Result == "" }

// Duel reports whether the board has two opponents: two players, or two sides at a table whose partners change.
func (r resultRow) Duel() bool { return len(r.Seats) == 2 || r.Sides }

// Party returns the names of a side of a duel, 0 or 1.
func (r resultRow) Party(side int) string {
	if !r.Sides {
		return r.Seats[side].Name
	}
	return r.Seats[side].Name + " + " + r.Seats[side+2].Name
}

// Absent reports whether the entry in a seat did not come to the table.
func (r resultRow) Absent(seat int) bool {
	return len(r.Seats) > 2 && r.Result != "" && (r.Ranks == nil || seat < len(r.Ranks) && r.Ranks[seat] == 0)
}

// Places lists the ranks that a seat of the board may have.
func (r resultRow) Places() []int {
	out := make([]int, len(r.Seats))
	for i := range out {
		out[i] = i + 1
	}
	return out
}

// Rank returns the rank of a seat, 0 for none.
func (r resultRow) Rank(seat int) int {
	if seat < len(r.Ranks) && !r.Forfeit {
		return r.Ranks[seat]
	}
	return 0
}

// boardPart is a board with its history.
type boardPart struct {
	resultRow
	History  []boardChange
	Record   string           // of the moves, attached in this form
	Records  bool             // a record can be attached
	Hosted   bool             // the server can open another game
	Rateable bool             // it may be chosen whether the result is rated
	Venue    tournament.Venue // where it may be moved to, "" if it cannot
	Clear    bool             // the result can be removed
	Split    bool             // it may be a result that neither won
	Late     bool             // a correction can count for the ratings alone
}

// boardChange is a change of a board's result.
type boardChange struct {
	Before, After string
	RatingOnly    bool
	At            int64
	Login         string // "" for the server, or if the account is gone
	Why           template.HTML
	Players       bool // they entered it themselves
}

// resultAsk is a question before a result is saved; the form comes back with the answer.
type resultAsk struct {
	Kind  string // "paired", "changed", "running" or "reason"
	Row   resultRow
	Typed url.Values
}

// Ranked reports whether a table of the round has its result by ranks.
func (r resultsPart) Ranked() bool {
	return slices.ContainsFunc(r.Boards, func(row resultRow) bool { return !row.Duel() })
}

// Written returns the JSON of the results that a script enters by keys, as score sheets write them.
func (r resultsPart) Written() (string, error) {
	written := map[string]string{}
	for _, result := range []string{"1-0", "1/2-1/2", "0-1", "+--", "---", "--+"} {
		written[result] = kit.PrettyResult(result)
	}
	text, err := json.Marshal(written)
	return string(text), err
}

// Asks returns the open question about a board; nil if it has none.
func (r resultsPart) Asks(board int) *resultAsk {
	if r.Ask != nil && r.Ask.Row.Board == board {
		return r.Ask
	}
	return nil
}

// Fields returns the texts of the form, to be sent again with the answer.
func (a resultAsk) Fields() [][2]string {
	var out [][2]string
	for name, values := range a.Typed {
		if name != "reason" && name != "seen" && name != "sure" && name != "replace" {
			out = append(out, [2]string{name, values[0]})
		}
	}
	slices.SortFunc(out, func(x, y [2]string) int { return strings.Compare(x[0], y[0]) })
	return out
}

// Wanted returns the result that was typed, as score sheets write it.
func (a resultAsk) Wanted() string {
	return kit.PrettyResult(typedResult(a.Typed, len(a.Row.Seats)))
}

// Names returns the names of the board's present players.
func (a resultAsk) Names() string {
	names := make([]string, len(a.Row.Seats))
	for i, seat := range a.Row.Seats {
		names[i] = seat.Name
	}
	return message.Opponents(names...)
}

// mountResults adds the forms of the tab Results.
func (p *Pages) mountResults(e *echo.Echo) {
	p.Post(e, "/tournaments/:id/desk/results/:round/list", command.OnTournament, p.enterList)
	p.Post(e, "/tournaments/:id/desk/results/:round/:board", command.OnTournament, p.save)
	p.Post(e, "/tournaments/:id/desk/results/:round/:board/adjourn", command.OnTournament, p.board)
	p.Post(e, "/tournaments/:id/desk/results/:round/:board/again", command.OnTournament, p.board)
	p.Post(e, "/tournaments/:id/desk/results/:round/:board/clear", command.OnTournament, p.board)
	p.Post(e, "/tournaments/:id/desk/results/:round/:board/venue", command.OnTournament, p.venue)
	p.Post(e, "/tournaments/:id/desk/results/:round/:board/record", command.OnTournament, p.record)
}

func (p *Pages) results(c echo.Context, b *deskBody) error {
	part := resultsPart{Missing: c.QueryParam("show") == "missing", Arena: b.Format.Continuous()}
	if part.Arena && b.Status == tournament.Running {
		part.Missing = c.QueryParam("show") != "all" // the others are too many
	}
	part.Ask, _ = b.Part.(*resultAsk)
	part.List, _ = b.Part.(*resultsList)
	b.Part = &part
	n, err := roundNumber(c, b.Tournament)
	if err != nil || n == 0 {
		return err
	}
	part.Round = n
	for i := range b.PublishedRounds() {
		part.Rounds = append(part.Rounds, i+1)
	}
	if b.PublishedRounds() < len(b.Rounds) {
		part.Draft = len(b.Rounds)
	}
	part.Boards = resultRows(b.Tournament, n)
	if err := p.addReports(c.Request().Context(), b.Tournament, &part); err != nil {
		return err
	}
	for i := range part.Boards {
		row := &part.Boards[i]
		if now := p.Now().UnixMilli(); row.Since > 0 {
			row.Minutes = max(0, now-row.Since) / 60_000
			kit.Again(c, row.Since+(row.Minutes+1)*60_000)
		}
		if row.Open() {
			part.Left = append(part.Left, *row)
		}
	}
	part.Ready = n == len(b.Rounds) && b.CanPair() == nil
	part.Final = n == b.RoundCount && n == len(b.Rounds) && b.Status == tournament.Running
	if text := c.QueryParam("board"); text != "" {
		if part.One, err = p.oneBoard(c, b.Tournament, n, text); err != nil {
			return err
		}
	}
	return nil
}

// addReports adds the reports of the players of open boards.
func (p *Pages) addReports(ctx context.Context, t *tournament.Tournament, part *resultsPart) error {
	reports, err := p.Tournaments.Reports(ctx, t, part.Round)
	if err != nil {
		return err
	}
	for i := range part.Boards {
		row := &part.Boards[i]
		board, ok := reports[row.Board]
		if !ok {
			continue
		}
		row.Reported = phones.ReportState(reports, row.Board)
		for seat := range row.Seats {
			row.Said = append(row.Said, kit.PrettyResult(board.Report(seat+1)))
		}
	}
	return nil
}

// roundNumber returns the published round that an address names, the latest without a name, 0 if there is none.
func roundNumber(c echo.Context, t *tournament.Tournament) (int, error) {
	text := c.Param("round")
	if text == "" {
		text = c.QueryParam("round")
	}
	if text == "" {
		return t.PublishedRounds(), nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > t.PublishedRounds() {
		return 0, kit.ErrMissing
	}
	return n, nil
}

func resultRows(t *tournament.Tournament, round int) []resultRow {
	seats := seatsBefore(t, round)
	var rows []resultRow
	for _, pair := range t.Rounds[round-1].Pairings {
		if pair.Bye == tournament.NoBye {
			rows = append(rows, resultRowOf(t, pair, seats))
		}
	}
	return rows
}

// seatsBefore returns all entries by id, with their points before a round.
func seatsBefore(t *tournament.Tournament, round int) map[string]rowSeat {
	seats := make(map[string]rowSeat, len(t.Entries))
	for _, e := range t.Entries {
		seats[e.ID] = rowSeat{ID: e.ID, Number: e.Number, Name: e.Name}
	}
	for _, pair := range t.Rounds[round-1].Pairings {
		for i, id := range pair.Seats {
			if s, ok := seats[id]; ok && i < len(pair.Scores) {
				s.Points = pair.Scores[i]
				seats[id] = s
			}
		}
	}
	return seats
}

func resultRowOf(t *tournament.Tournament, pair tournament.Pairing, seats map[string]rowSeat) resultRow {
	text := results.ResultText(t, pair)
	row := resultRow{
		Board: pair.Board, Place: pair.Place(), Tag: boardTag(pair), Result: text, Shown: kit.PrettyResult(text), GameID: pair.GameID,
		Adjourned: pair.Adjourned, Tables: t.AtTables(), Sides: t.Rules.Tables.Rotate && len(pair.Seats) == 4,
	}
	if t.Teams != nil {
		row.Shown = ""
		if !t.Sealed(pair) {
			row.Shown = results.MatchScore(t, pair)
		}
	}
	if pair.Arena != nil && pair.Result == nil {
		row.Since = pair.Arena.PairedAt
	}
	for _, id := range pair.Seats {
		row.Seats = append(row.Seats, seats[id])
	}
	if r := pair.Result; r != nil {
		row.Ranks = r.Ranks
		row.Adjudicated = r.Adjudicated
		row.Reason = r.Reason
		row.Server = r.Source == tournament.ByServer
		row.Rated = r.Rated
		row.Forfeit = r.Forfeit
		row.RatedAs = kit.PrettyResult(r.RatedText())
	}
	return row
}

// boardTag returns the tag of a board as forms carry it: see [command.BoardTag].
func boardTag(pair tournament.Pairing) string { return unquoted(command.BoardTag(pair)) }

func (p *Pages) oneBoard(c echo.Context, t *tournament.Tournament, round int, text string) (*boardPart, error) {
	board, err := strconv.Atoi(text)
	if err != nil {
		return nil, kit.ErrMissing
	}
	pair, err := t.Pairing(round, board)
	if err != nil || pair.Bye != tournament.NoBye {
		return nil, kit.ErrMissing
	}
	one := boardOf(t, round, pair)
	_, notRecordable := scoring.Recordable(t, round, board)
	one.Records = notRecordable == nil
	if pair.Record != "" {
		if one.Record, err = p.Tournaments.BoardRecord(c.Request().Context(), t, round, board); err != nil {
			return nil, err
		}
	}
	changes, err := p.Tournaments.History(c.Request().Context(), t.ID)
	if err != nil {
		return nil, err
	}
	logins := map[string]string{}
	for _, change := range changes {
		if change.Round != round || change.Board != board {
			continue
		}
		before, after := change.Texts()
		line := boardChange{
			Before: kit.PrettyResult(before), After: kit.PrettyResult(after), RatingOnly: change.RatingOnly(),
			At: change.At, Why: history.Because(p.Reader(c), change.Act()),
		}
		switch change.By {
		case tournament.ServerAccount:
		case scoring.PlayersAccount:
			line.Players = true
		default:
			if line.Login, err = p.history.LoginOf(c.Request().Context(), change.By, logins); err != nil {
				return nil, err
			}
		}
		one.History = append(one.History, line)
	}
	return one, nil
}

// boardOf returns a board with the possible acts.
func boardOf(t *tournament.Tournament, round int, pair tournament.Pairing) *boardPart {
	one := &boardPart{
		resultRow: resultRowOf(t, pair, seatsBefore(t, round)), Hosted: pair.GameID != "" && round == len(t.Rounds),
		Rateable: t.Rated && pair.HallGame != "", Split: !t.Format.Decides() && !t.Format.ScoresItself() && len(pair.Seats) == 2,
		Clear: pair.GameID == "" && pair.Result != nil && round == len(t.Rounds) && t.Status == tournament.Running,
	}
	one.Late = !t.Format.Decides() && len(pair.Seats) == 2 && pair.GameID == "" && pair.Result != nil && !pair.Result.Forfeit &&
		(t.Status == tournament.Finished || round < len(t.Rounds))
	if t.Status == tournament.Running && pair.Result == nil && round == len(t.Rounds) {
		one.Venue = tournament.InHall
		if t.VenueOf(round, pair) == tournament.InHall {
			one.Venue = tournament.OnServer
			if !withPlayers(t, pair) {
				one.Venue = ""
			}
		}
	}
	return one
}

func deskJSON(c echo.Context, status int, v any) error {
	c.Response().Header().Set("Cache-Control", "private, no-store")
	c.Response().Header().Set("X-Content-Type-Options", "nosniff")
	return c.JSON(status, v)
}

// typedResult returns the result that a form names: a duel's unchanged, or the ranks of a larger table.
func typedResult(form url.Values, seats int) string {
	if seats == 2 || form.Has("result") {
		return form.Get("result")
	}
	ranks := make([]string, seats)
	for i := range ranks {
		ranks[i] = form.Get("rank" + strconv.Itoa(i+1))
	}
	return strings.Join(ranks, ",")
}

// typedRanks parses the ranks of a table; "-" marks an absent entry.
func typedRanks(form url.Values, seats int) (tournament.Verdict, error) {
	var missing []int
	ranks, any := make([]int, seats), false
	for i := range ranks {
		text := form.Get("rank" + strconv.Itoa(i+1))
		if text == "-" {
			missing = append(missing, i+1)
		}
		ranks[i], _ = strconv.Atoi(text) // 0 is refused as a rank
		any = any || ranks[i] > 0
	}
	switch {
	case missing == nil:
		return tournament.RankVerdict(ranks)
	case !any:
		ranks = nil // the table was not played
	}
	return tournament.Verdict{Ranks: ranks, Missing: missing}, nil
}

// typedVerdict reads the verdict in a form about a pairing.
func typedVerdict(
	t *tournament.Tournament, pair tournament.Pairing, form url.Values,
) (v tournament.Verdict, err error) {
	if len(pair.Seats) == 2 || form.Has("result") {
		v, err = tournament.ParseVerdict(form.Get("result"))
	} else {
		v, err = typedRanks(form, len(pair.Seats))
	}
	if err == nil {
		v, err = scoring.Resolve(t, pair, v)
	}
	v.Adjudicated, v.RatingOnly = form.Get("adjudicated") != "", form.Get("only_rating") != ""
	if form.Has("rateable") {
		rated := form.Get("rated") != "" && !v.Forfeit
		v.Rated = &rated
	}
	return v, err
}
