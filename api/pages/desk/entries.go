package desk

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/presence"
	"quatuor/tournament/team"
)

// mountEntries adds the forms of the tab Entries.
func (p *Pages) mountEntries(e *echo.Echo) {
	for path, handler := range map[string]echo.HandlerFunc{
		"desk/add":            p.add,
		"desk/bot":            p.addBot,
		"desk/presence":       p.presence,
		"desk/check-in":       p.checkIn,
		"desk/stage":          p.stage,
		"desk/forbidden":      p.forbidden,
		"desk/bonuses":        p.bonuses,
		"desk/entries/:entry": p.entry,
	} {
		p.Post(e, "/tournaments/:id/"+path, command.OnTournament, handler)
	}
}

// entriesPart holds the data of the tab Entries.
type entriesPart struct {
	Rows     []entryRow
	Query    string // prefix of the names that are listed
	Here     int    // entries that are checked in
	Expected int    // entries that take part
	Missing  []string
	Marking  bool // rows check in and out
	Warnings []pairing.Warning

	Found    []foundPlayer // players of the club, after a search
	Search   string
	Team     int           // players of a team, of a squad the most; 0 where each plays alone
	Least    int           // players of a squad; 0 where teams have none
	TeamName string        // of a team that is being put together
	Picked   []foundPlayer // of a team that is being put together from the club's list
	Offer    *rosterOffer  // pasted names, if the club knows some of them
	Edit     *entryEdit    // the entry being changed
}

// entryRow is an entry in the list.
type entryRow struct {
	tournament.Entry
	Players []string       // of a team, by name
	Away    tournament.Bye // why it does not come to the next evening of a Keizer season
}

// Gone reports whether the entry takes no part.
func (r entryRow) Gone() bool { return r.Status == tournament.Withdrawn }

// matches reports whether the entry's name or that of one of its players begins with the text.
func (r entryRow) matches(text string) bool {
	return text == "" || beginsWith(r.Name, text) ||
		slices.ContainsFunc(r.Players, func(name string) bool { return beginsWith(name, text) })
}

// compare orders rows by name, those that take no part last.
func (r entryRow) compare(other entryRow) int {
	if r.Gone() != other.Gone() {
		if r.Gone() {
			return 1
		}
		return -1
	}
	return strings.Compare(strings.ToLower(r.Name), strings.ToLower(other.Name))
}

// Before reports whether the tournament has not started.
func (b *deskBody) Before() bool { return b.CanDelete() == nil }

// Over reports whether the tournament has been finished.
func (b *deskBody) Over() bool {
	return b.Status.Over()
}

// Arriving reports whether there can be a check-in and late entries now.
func (b *deskBody) Arriving() bool {
	return b.Before() || b.Status == tournament.Running && b.Format.Arrivals()
}

// Adding reports whether the desk can add entries now.
func (b *deskBody) Adding() bool {
	return b.Before() || b.Status == tournament.Running && b.Format.LateEntries()
}

func (p *Pages) entries(c echo.Context, b *deskBody) error {
	part := entriesPart{Query: strings.TrimSpace(c.QueryParam("q")), Search: strings.TrimSpace(c.QueryParam("player"))}
	part.Marking = b.CheckIn != tournament.NoCheckIn && b.Arriving() ||
		b.Format.Continuous() && b.Adding() && b.Status != tournament.Draft
	for _, e := range b.Entries {
		row := entryRow{Entry: e}
		row.Present = presence.Here(b.Tournament, e)
		if b.Format.ByEvenings() {
			row.Away, row.Byes = e.Away(b.Evening()), nil
		}
		if !row.Gone() && !e.Waits() {
			part.Expected++
			switch {
			case presence.Here(b.Tournament, e):
				part.Here++
			case b.CheckIn == tournament.CheckInClosed:
				part.Missing = append(part.Missing, e.Name)
			}
		}
		part.Rows = append(part.Rows, row)
	}
	ctx := c.Request().Context()
	var err error
	if part.Team, err = p.teamSize(b.Tournament); err != nil {
		return err
	}
	if b.Teams != nil {
		part.Least = team.Of(b.Tournament).Squad.Least
	}
	if part.Team > 0 {
		if err = p.pickTeam(c, b, &part); err != nil {
			return err
		}
		if err = p.nameMembers(ctx, part.Rows); err != nil {
			return err
		}
	}
	part.Rows = slices.DeleteFunc(part.Rows, func(r entryRow) bool { return !r.matches(part.Query) })
	slices.SortStableFunc(part.Rows, entryRow.compare)
	part.Warnings = p.Tournaments.Advice(b.Tournament)
	if part.Search != "" {
		if part.Found, err = p.foundPlayers(ctx, b.Tournament, part.Search); err != nil {
			return err
		}
	}
	if offer, ok := c.Get(offerKey).(*rosterOffer); ok {
		part.Offer = offer
	}
	if id := c.QueryParam("entry") + c.Param("entry"); id != "" {
		if part.Edit, err = p.entryEditOf(ctx, b, id, max(part.Team, 1)); err != nil {
			return err
		}
	}
	b.Part = part
	return nil
}

// beginsWith reports whether a word of the name begins with the text, case ignored.
func beginsWith(name, text string) bool {
	name, text = strings.ToLower(name), strings.ToLower(text)
	return strings.HasPrefix(name, text) || strings.Contains(name, " "+text) || strings.Contains(name, "-"+text)
}

// entryEdit holds the data of an entry's form.
type entryEdit struct {
	tournament.Entry
	Seen   string // digest of the entry, so that others' changes of it are not lost
	Rounds []byeChoice
	Full   bool // full-point byes may be given

	Players []memberField // empty if they can no longer change
	Late    bool          // the entry gets its first players while the tournament runs
}

// eveningsAhead is the number of coming evenings of an open-ended season that the form offers byes for.
const eveningsAhead = 4

// lastToCome returns the last round that the form offers byes for.
func (b *deskBody) lastToCome() int {
	if b.RoundCount == 0 && b.Format.ByEvenings() {
		return min(b.LastRound(), len(b.Rounds)+eveningsAhead)
	}
	return b.RoundCount
}

// byeChoice is a coming round with the bye requested for it, if any.
type byeChoice struct {
	Round int
	Bye   tournament.Bye
}

func (p *Pages) entryEditOf(ctx context.Context, b *deskBody, id string, size int) (edit *entryEdit, err error) {
	e, ok := b.Entry(id)
	if !ok {
		if b.Alert != nil { // it was removed while a form of it was open
			return nil, nil
		}
		return nil, kit.ErrMissing
	}
	edit = &entryEdit{Entry: e, Seen: unquoted(command.EntryTag(e)), Full: b.Rules.FullPointByes}
	if b.Format.Arrivals() && !b.Over() {
		for n := len(b.Rounds) + 1; n <= b.lastToCome(); n++ {
			choice := byeChoice{Round: n}
			for _, bye := range e.Byes {
				if bye.Round == n {
					choice.Bye = bye.Bye
				}
			}
			edit.Rounds = append(edit.Rounds, choice)
		}
	}
	edit.Players, err = p.memberFields(ctx, b, e, size)
	edit.Late = !b.Before()
	return edit, err
}

// presence checks an entry in or out: the field "in" or "out" names it. A script learns how many are there.
func (p *Pages) presence(c echo.Context) error {
	entry, present := c.FormValue("in"), true
	if entry == "" {
		entry, present = c.FormValue("out"), false
	}
	if entry == "" {
		return kit.ErrUnreadable
	}
	if c.Request().Header.Get(echo.HeaderAccept) == echo.MIMEApplicationJSON {
		return p.presenceJSON(c, entry, present)
	}
	c.Request().Form.Set("anchor", "e-"+entry)
	return deskRun(p, c, deskForm{tab: "entries"}, command.SetPresence, given(command.Presence{Entry: entry, Present: present}))
}

// presenceAnswer is the JSON answer to the check-in script.
type presenceAnswer struct {
	Present  bool `json:"present"`
	Here     int  `json:"here"`
	Expected int  `json:"expected"`
}

func (p *Pages) presenceJSON(c echo.Context, entry string, present bool) error {
	t, err := p.StaffTournament(c, auth.PairRounds)
	if t == nil {
		return err
	}
	t, err = command.SetPresence.Run(c.Request().Context(), p.Commands, command.On{ID: t.ID}, command.Presence{Entry: entry, Present: present})
	if err != nil {
		return c.NoContent(http.StatusConflict) // the script submits the form itself, whose answer has the reason
	}
	answer := presenceAnswer{Present: present}
	for _, e := range t.Entries {
		if e.Status == tournament.Withdrawn || e.Waits() {
			continue
		}
		answer.Expected++
		if presence.Here(t, e) {
			answer.Here++
		}
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, answer)
}

// checkIn opens, closes or drops the check-in.
func (p *Pages) checkIn(c echo.Context) error {
	f := deskForm{tab: "entries"}
	switch c.FormValue("do") {
	case "open":
		f.said = "check_in_open"
		return deskRun(p, c, f, command.OpenCheckIn, given(c.FormValue("anew") != ""))
	case "close":
		f.said = "check_in_closed"
		return deskRun(p, c, f, command.CloseCheckIn, given(command.None{}))
	case "cancel":
		f.said = "check_in_cancelled"
		return deskRun(p, c, f, command.CancelCheckIn, given(command.None{}))
	}
	return kit.ErrUnreadable
}

// stages maps a form's value to the command for that stage of a tournament.
var stages = map[string]command.Command[command.None]{
	"open":    command.Open,
	"close":   command.Close,
	"start":   command.Start,
	"finish":  command.Finish,
	"archive": command.Archive,
}

// stage takes the tournament to its next stage.
func (p *Pages) stage(c echo.Context) error {
	do := c.FormValue("do")
	f := deskForm{tab: "entries", said: "stage_" + do}
	switch do {
	case "start":
		f.then = firstTab(&tournament.Tournament{Status: tournament.Running})
	case "finish", "archive":
		f.tab = "settings"
	}
	stage, ok := stages[do]
	if !ok {
		return kit.ErrUnreadable
	}
	return deskRun(p, c, f, stage, given(command.None{}))
}

// entryActs maps a form's value to the command on an entry, apart from "save" and "byes".
var entryActs = map[string]command.Command[string]{
	"confirm":   command.ConfirmEntry,
	"withdraw":  command.WithdrawEntry,
	"reinstate": command.ReinstateEntry,
	"remove":    command.RemoveEntry,
}

// entry carries out a form about an entry.
func (p *Pages) entry(c echo.Context) error {
	entry, do := c.Param("entry"), c.FormValue("do")
	f := deskForm{tab: "entries", said: "saved"}
	switch act, known := entryActs[do]; {
	case known:
		return deskRun(p, c, f, act, given(entry))
	case do == "save":
		return deskRun(p, c, f, command.UpdateEntry, func(t *tournament.Tournament) (command.EntryChange, error) {
			return command.EntryChange{ID: entry, Change: p.entryChange(c, t)}, nil
		})
	case do == "byes":
		return deskRun(p, c, f, command.RequestByes, func(t *tournament.Tournament) (command.Byes, error) {
			e, err := command.Entry(t, entry)
			return command.Byes{Entry: entry, Byes: byesIn(c.Request().Form, e)}, err
		})
	}
	return kit.ErrUnreadable
}

// byesIn reads the byes of the rounds to come from a form; those of rounds that it does not name stay.
func byesIn(form url.Values, e tournament.Entry) (byes []tournament.RequestedBye) {
	for _, b := range e.Byes {
		if !form.Has(byeField(b.Round)) {
			byes = append(byes, b)
		}
	}
	for n := 1; n <= 200; n++ {
		if bye := form.Get(byeField(n)); bye != "" {
			byes = append(byes, tournament.RequestedBye{Round: n, Bye: tournament.Bye(bye)})
		}
	}
	return byes
}

// NameOf returns the name of an entry.
func (b *deskBody) NameOf(id string) string {
	e, _ := b.Entry(id)
	return e.Name
}

// addBot enters a bot.
func (p *Pages) addBot(c echo.Context) error {
	level, err := strconv.Atoi(c.FormValue("level"))
	if err != nil {
		return kit.ErrUnreadable
	}
	bot := command.Bot{Level: level, Entry: new(tournament.Entry)}
	return deskRun(p, c, deskForm{tab: "entries", said: "bot_added"}, command.AddBot, given(bot))
}
