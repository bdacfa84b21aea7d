package matches

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/slip"
	"quatuor/tournament/team"
)

// teamBody is the page of the visitor's own team.
type teamBody struct {
	*tournament.Tournament
	Entry   tournament.Entry
	Teams   []tournament.Entry // all of the visitor's in the tournament
	Path    string
	Leads   bool
	Squad   []squadLine
	Now     *teamMatch // in the round that is going on; nil for none
	Own     *ownLineUp // nil where the visitor cannot file one now
	Sheet   matchBody  // the boards of that match, once they are revealed
	Date    *matchDate // of the match that is going on; nil where matches have none
	Reports [2]bool    // the visitor can report the own board, and all boards of the match
	Past    []teamMatch
	Bonuses []tournament.Bonus // of the team, penalties among them
	Totals  tournament.TeamTotals
	Why     sentence.Sentence // the reason of a refusal, but of a line-up that can be filed again

	Calendar kit.Season // of its matches
}

// AllPlayed reports whether no round is to come, though the tournament is not over yet.
func (b teamBody) AllPlayed() bool {
	return b.Status == tournament.Running && b.RoundCount > 0 && b.PublishedRounds() >= b.RoundCount
}

// squadLine is a member of a squad, with what was played so far.
type squadLine struct {
	kit.Person
	No     int
	Role   string // "captain", "deputy" or ""
	Games  int
	Points tournament.Points // forfeits won included
}

// teamMatch is a round of a team.
type teamMatch struct {
	Round, Match int
	Path         string // of the page of the match
	Opponent     tournament.Entry
	Black        bool
	Bye          tournament.Bye
	Due, Left    int64 // when line-ups are due, and how long that is, in ms; 0 once they are revealed
	Over         bool
	Scores       [2]tournament.TeamTotals // own, and the opponent's
}

// teamsOf returns the entries that a player leads, then those that the player is a member of; withdrawn entries last.
func teamsOf(t *tournament.Tournament, player string) (list []tournament.Entry) {
	for _, e := range t.Entries {
		if e.Inside(player) {
			list = append(list, e)
		}
	}
	order := func(e tournament.Entry) int {
		switch {
		case e.Status == tournament.Withdrawn:
			return 2
		case e.Leads(player):
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b tournament.Entry) int { return order(a) - order(b) })
	return list
}

func (p *Pages) myTeam(c echo.Context) error {
	if auth.Session(c).Anonymous() {
		return p.ToLogin(c, entries.TeamPath(c.Param("id"), ""))
	}
	return p.showTeam(c, http.StatusOK, nil)
}

// showTeam shows the visitor's team; refused is a line-up that was not filed, nil for none.
func (p *Pages) showTeam(c echo.Context, status int, refused *refusedLineUp) error {
	t, _, err := p.VisibleTournament(c)
	if err != nil {
		return err
	}
	player := auth.Session(c).PlayerID
	own := teamsOf(t, player)
	i := 0
	if id := c.FormValue("team"); id != "" {
		i = slices.IndexFunc(own, func(e tournament.Entry) bool { return e.ID == id })
	}
	if t.Teams == nil || i < 0 || len(own) == 0 {
		return kit.ErrMissing
	}
	b := teamBody{
		Tournament: t, Entry: own[i], Teams: own, Leads: own[i].Leads(player), Path: entries.TeamPath(t.ID, own[i].ID),
	}
	b.Calendar = p.Season(c, "/tournaments/"+url.PathEscape(t.ID)+".ics?team="+strconv.Itoa(own[i].Number))
	p.fillMatches(&b)
	if err := p.fillSquad(c, &b); err != nil {
		return err
	}
	if err := p.fillNow(c, &b, refused); err != nil {
		return err
	}
	b.Why = refused.elsewhere(b.Own)
	return p.Answer(c, status, "my-team", kit.Frame{Section: "tournaments", Body: b})
}

// fillMatches adds the rounds of the team.
func (p *Pages) fillMatches(b *teamBody) {
	s, t, now := team.Of(b.Tournament), b.Tournament, p.Now().UnixMilli()
	for _, r := range t.Rounds[:t.PublishedRounds()] {
		for _, pair := range r.Pairings {
			side := slices.Index(pair.Seats, b.Entry.ID)
			if side < 0 {
				continue
			}
			m := teamMatch{Round: r.Number, Match: pair.Board, Bye: pair.Bye, Over: pair.Result != nil}
			if pair.Bye != tournament.NoBye {
				m.Scores[0] = s.Scoring().Bye(team.KindOf(pair.Bye), *s.PAB).Totals
			} else {
				m.Path, m.Black = results.MatchPath(t.ID, r.Number, pair.Board), side == 1
				m.Opponent, _ = t.Entry(pair.Seats[1-side])
				m.Scores = [2]tournament.TeamTotals{s.Outcome(pair, side).Totals, s.Outcome(pair, 1-side).Totals}
			}
			if t.Sealed(pair) {
				m.Due = team.LineUpsDue(t, r.Number, pair)
				m.Left = max(0, m.Due-now)
			}
			if t.Status == tournament.Running && r.Number == t.PublishedRounds() && r.Status != tournament.Complete {
				b.Now = &m
			} else {
				b.Past, b.Totals = append(b.Past, m), b.Totals.Plus(m.Scores[0])
			}
		}
	}
	slices.Reverse(b.Past)
	for _, bonus := range t.Bonuses {
		if bonus.Entry == b.Entry.ID && bonus.After <= t.PublishedRounds() {
			b.Bonuses, b.Totals = append(b.Bonuses, bonus), b.Totals.Plus(bonus.Totals())
		}
	}
}

// fillSquad adds the members.
func (p *Pages) fillSquad(c echo.Context, b *teamBody) error {
	people, err := p.Look(c.Request().Context(), b.Entry.Members...)
	if err != nil {
		return err
	}
	for i, id := range b.Entry.Members {
		line := squadLine{Person: people.Person(id), No: i + 1}
		switch {
		case b.Entry.Captain == id:
			line.Role = "captain"
		case slices.Contains(b.Entry.Deputies, id):
			line.Role = "deputy"
		}
		for _, r := range b.Rounds[:b.PublishedRounds()] {
			for _, pair := range r.Pairings {
				line.add(pair, slices.Index(pair.Seats, b.Entry.ID))
			}
		}
		b.Squad = append(b.Squad, line)
	}
	return nil
}

// add counts what the member played for a side of a match.
func (l *squadLine) add(pair tournament.Pairing, side int) {
	if side < 0 {
		return
	}
	for _, board := range pair.Boards {
		if board.Players[side] != l.ID || board.Result == nil {
			continue
		}
		l.Points += board.Result.Points[side]
		if !board.Result.Forfeit {
			l.Games++
		}
	}
}

// fillNow adds the match of the round that is going on: the form of its line-up, or its boards.
func (p *Pages) fillNow(c echo.Context, b *teamBody, refused *refusedLineUp) error {
	if b.Now == nil || b.Now.Path == "" {
		return nil
	}
	pair, err := team.Match(b.Tournament, b.Now.Round, b.Now.Match)
	if err != nil {
		return err
	}
	if b.Date = p.dateOf(c, b.Tournament, b.Now.Round, pair, false); b.Date != nil {
		b.Date.Team = b.Entry.ID
	}
	if b.Now.Due > 0 {
		kit.Again(c, b.Now.Due)
		b.Own, err = p.ownLineUp(c, b.Tournament, b.Now.Round, pair, refused)
		if b.Own != nil {
			b.Own.Path, b.Own.Team = b.Now.Path, b.Entry.ID
		}
		return err
	}
	open := slip.OpenBoards(pair)
	b.Reports[1] = b.Leads && len(open) > 0 && slip.Open(b.Tournament, b.Now.Round)
	b.Reports[0] = slip.Open(b.Tournament, b.Now.Round) && slices.ContainsFunc(open, func(n int) bool {
		return slices.Contains(pair.Boards[n-1].Players[:], auth.Session(c).PlayerID)
	})
	b.Sheet, err = p.matchOf(c, b.Tournament, b.Now.Round, pair)
	return err
}

// refusedLineUp is the line-up that a captain sent, with the reason of its refusal; or the reason of another refusal.
type refusedLineUp struct {
	LineUp  bool
	Players []string
	Numbers string
	Why     sentence.Sentence
}

// elsewhere returns the reason of a refusal unless the form of a line-up shows it.
func (r *refusedLineUp) elsewhere(form *ownLineUp) (why sentence.Sentence) {
	if r != nil && (form == nil || form.Why.IsZero()) {
		why = r.Why
	}
	return why
}

// ownLineUp returns the form of the visitor's line-up; nil unless the visitor can file it now.
func (p *Pages) ownLineUp(
	c echo.Context, t *tournament.Tournament, round int, pair tournament.Pairing, refused *refusedLineUp,
) (*ownLineUp, error) {
	if team.Open(t, round, pair, p.Now().UnixMilli()) != nil {
		return nil, nil
	}
	own, err := p.Tournaments.OwnLineUp(c.Request().Context(), t, round, pair.Board, auth.Session(c).PlayerID)
	switch {
	case errors.Is(err, tournament.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	e, _ := t.Entry(pair.Seats[own.Side])
	form := ownForm(t, e, own)
	form.Path = results.MatchPath(t.ID, round, pair.Board)
	form.Left = max(0, team.LineUpsDue(t, round, pair)-p.Now().UnixMilli())
	if refused != nil && refused.LineUp {
		form.Why, form.Numbers = refused.Why, refused.Numbers
		for i := range form.Places {
			if i < len(refused.Players) {
				form.Places[i].Player = refused.Players[i]
			}
		}
	}
	return form, nil
}

// byNumbers reads a line-up of numbers of members in the order of registration: "3 1 4 0".
func byNumbers(text string, members []string) (players []string, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;\t", r) }) {
		n, err := strconv.Atoi(word)
		switch {
		case err != nil || n < 0 || n > len(members):
			return nil, tournament.NotValid("%q is no number of a member; write 1 to %d, or 0 for an empty board", word,
				len(members))
		case n == 0:
			players = append(players, "")
		default:
			players = append(players, members[n-1])
		}
	}
	return players, nil
}

// lineUpSent returns the line-up of a form: by numbers if there are any, else as it was chosen.
func lineUpSent(form url.Values, e tournament.Entry) (players []string, err error) {
	if text := strings.TrimSpace(form.Get("numbers")); text != "" {
		return byNumbers(text, e.Members)
	}
	players = []string{}
	for i := 1; form.Has("board" + strconv.Itoa(i)); i++ {
		players = append(players, form.Get("board"+strconv.Itoa(i)))
	}
	return players, nil
}
