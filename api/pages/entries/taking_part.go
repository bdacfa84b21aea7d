// Package entries carries out players' acts on their own entries in tournaments: they enter and leave, check in, and
// agree to be in a team.
package entries

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"
	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/roster"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/tournament"
	"quatuor/tournament/presence"
)

// Pages are the forms of players for their own entries.
type Pages struct{ *kit.Kit }

// New returns the forms of players for their own entries.
func New(k *kit.Kit) *Pages { return &Pages{k} }

// Mount adds the forms.
func (p *Pages) Mount(e *echo.Echo) {
	p.Post(e, "/tournaments/:id/entries/:entry/agree", command.OnTournament, p.agree)
	p.Post(e, "/tournaments/:id/entries/:entry/decline", command.OnTournament, p.refuse)
	p.Post(e, "/tournaments/:id/register", command.OnTournament, p.register)
	p.Post(e, "/tournaments/:id/entries/:entry/leave", command.OnTournament, p.leave)
	p.Post(e, "/tournaments/:id/arena/join", command.OnTournament, p.joinArena)
	p.Post(e, "/tournaments/:id/arena/leave", command.OnTournament, p.leaveArena)
	p.Post(e, "/tournaments/:id/entries/:entry/arrive", command.OnTournament, p.arrive)
}

// OwnEntry holds a visitor's options for their own entry, on the page of a tournament.
type OwnEntry struct {
	Asking []TeamLine // teams that wait for the visitor
	Self   *selfLine  // the visitor's own entry, which can check in now
	Part   *partLine  // whether the visitor takes part, and can change it; nil to show none
	Mine   []MyTeam   // the visitor's teams over several boards
}

// Of returns a visitor's options for their own entry in a tournament.
func (p *Pages) Of(t *tournament.Tournament, who auth.Identity) (own OwnEntry, err error) {
	own.Asking, own.Self = teamsAsking(t, who.PlayerID), checkInOf(t, who.PlayerID)
	own.Mine = MyTeams(t, who.PlayerID, p.Now().UnixMilli())
	if t.Format.ByEvenings() {
		own.Self = p.EveningOf(t, who.PlayerID, p.Now().UnixMilli())
	}
	own.Part, err = p.takingPart(t, who)
	return own, err
}

// partLine is the visitor's part in a tournament that has not started, and the form to change that.
type partLine struct {
	Tournament  string // id
	Entry, Name string // of the visitor's own entry; "" if there is none
	State       string // of that entry: the name of a text
	Team        bool   // no entry, and only teams take part
	Stranger    bool   // no entry, and the visitor is not logged in
	Full        bool   // no entry, and all places are taken
	Left        int    // places, 0 for no limit
}

// takingPart returns the visitor's participation for a tournament's page; nil to show none.
func (p *Pages) takingPart(t *tournament.Tournament, who auth.Identity) (*partLine, error) {
	if p.Guard == nil || !slices.Contains(beforeStart, t.Status) {
		return nil, nil
	}
	line := &partLine{Tournament: t.ID, Full: t.Full(), Left: t.PlacesLeft()}
	if e, ok := ownEntry(t, who.PlayerID); ok {
		line.Entry = e.ID
		line.Name = e.Name
		line.State = partState(t, e)
		return line, nil
	}
	if t.Status != tournament.Open || who.PlayerID == "" && !who.Anonymous() || len(teamsAsking(t, who.PlayerID)) > 0 {
		return nil, nil
	}
	team, err := p.byTeams(t)
	line.Team, line.Stranger = team, who.Anonymous()
	return line, err
}

// partState returns the name of the text for the state of a player's entry.
func partState(t *tournament.Tournament, e tournament.Entry) string {
	switch {
	case e.Waits():
		return "waits"
	case t.CheckIn == tournament.CheckInClosed && !presence.Here(t, e) && !t.Format.ByEvenings():
		return "absent"
	case e.Status == tournament.Registered:
		return "registered"
	}
	return "confirmed"
}

// ownEntry returns the entry that a player plays for, which has not withdrawn and has the player's consent.
func ownEntry(t *tournament.Tournament, player string) (tournament.Entry, bool) {
	for _, e := range t.Entries {
		if player != "" && e.Status != tournament.Withdrawn && slices.Contains(e.Members, player) &&
			!slices.Contains(e.Awaiting, player) {
			return e, true
		}
	}
	return tournament.Entry{}, false
}

// byTeams reports whether an entry takes several players.
func (p *Pages) byTeams(t *tournament.Tournament) (bool, error) {
	shape, err := p.Tournaments.Variant(t.Variant, t.Options)
	return shape.For(t.Rules).Members > 1, err
}

// selfRun executes a player's command on their own entry, and redirects to the tournament, which shows the outcome.
// refused returns the message for a known refusal; others are error pages.
func selfRun[In any](p *Pages, c echo.Context, run command.Command[In], on command.On, in In, said string,
	refused func(name string) (said string, known bool),
) error {
	back := "/tournaments/" + url.PathEscape(c.Param("id"))
	if auth.Session(c).Anonymous() {
		return p.ToLogin(c, back)
	}
	on.ID = c.Param("id")
	if _, err := run.Run(c.Request().Context(), p.Commands, on, in); err != nil {
		text, known := refused(problem.RefusalOf(err).Name)
		if !known {
			return err
		}
		said = text
	}
	return p.Back(c, back, said)
}

// register registers the visitor, and redirects to the tournament, which shows the outcome. A repeated form
// registers once.
func (p *Pages) register(c echo.Context) error {
	ctx, who := c.Request().Context(), auth.Session(c)
	if who.Anonymous() {
		return p.ToLogin(c, "/tournaments/"+url.PathEscape(c.Param("id")))
	}
	t, _, err := access.Tournament(ctx, p.Tournaments, c.Param("id"), who)
	if err != nil {
		return err
	}
	if who.PlayerID == "" {
		return echo.NewHTTPError(http.StatusForbidden)
	}
	team, err := p.byTeams(t)
	if err != nil {
		return err
	}
	players, err := p.Players.Players(ctx, []string{who.PlayerID})
	if err != nil {
		return err
	}
	e, err := roster.EntryOf(ctx, p.Ratings, t, "", []string{who.PlayerID}, players)
	if err != nil {
		return err
	}
	return selfRun(p, c, command.AddEntry, command.On{}, &e, "part_in", func(refusal string) (string, bool) {
		switch {
		case refusal == "invalid" && p.entersMeanwhile(ctx, t.ID, who.PlayerID):
			return "part_in", true
		case refusal == "invalid" && team:
			return "part_team", true
		case refusal == "tournament_full":
			return "part_full", true
		case refusal == "wrong_state":
			return "part_over", true
		}
		return "", false
	})
}

// entersMeanwhile reports whether a player has an entry in the present state of the tournament.
func (p *Pages) entersMeanwhile(ctx context.Context, id, player string) bool {
	t, err := p.Tournaments.Tournament(ctx, id)
	if err != nil {
		return false
	}
	_, ok := ownEntry(t, player)
	return ok
}

// leave withdraws the visitor's own entry before the start. Later only an arbiter may: the player may be paired
// already.
func (p *Pages) leave(c echo.Context) error {
	on := command.On{If: func(now *tournament.Tournament) error {
		if !slices.Contains(beforeStart, now.Status) {
			return tournament.ErrState
		}
		return nil
	}}
	return selfRun(p, c, command.WithdrawEntry, on, c.Param("entry"), "part_out", func(refusal string) (string, bool) {
		return "part_started", refusal == "wrong_state"
	})
}

// selfLine offers a player to check in.
type selfLine struct {
	Tournament, Entry, Name string
	Present                 bool

	Evening  int    // the next round of a Keizer season, 0 for other formats
	Said     string // about it: "tonight", "absent", "club", "" for nothing
	StartsAt int64  // ms UTC, 0 if it is not announced
	Closes   int64  // when answers close, ms UTC; 0 where that is not known
	Event    string // name of the tournament, on other pages than its own
}

// Evening is a player's form for coming, or not, to an evening.
type Evening = *selfLine

// words maps a player's answer about an evening to its meaning.
var words = map[string]presence.Announcement{
	"tonight": {Comes: true}, "absent": {Away: tournament.ZeroPoint}, "club": {Away: tournament.ClubDuty},
}

// EveningOf returns a player's form for coming, or not, to the next evening of a Keizer season; nil if there is none,
// or it is too late.
func (p *Pages) EveningOf(t *tournament.Tournament, player string, now int64) Evening {
	e, ok := ownEntry(t, player)
	closes := presence.ClosesAt(t)
	over := t.Status != tournament.Open && t.Status != tournament.Closed && t.Status != tournament.Running
	if !t.Format.ByEvenings() || !ok || e.Waits() || over || closes > 0 && now >= closes ||
		len(t.Rounds) >= t.LastRound() {
		return nil
	}
	line := &selfLine{Tournament: t.ID, Entry: e.ID, Name: e.Name, Evening: t.Evening(), Closes: closes}
	if closes > 0 {
		line.StartsAt = t.StartsAt
	}
	for word, said := range words {
		if said.Comes && presence.Here(t, e) || !said.Comes && e.Away(line.Evening) == said.Away {
			line.Said = word
		}
	}
	return line
}

// checkInOf returns the entry that a player may check in now, nil for none.
func checkInOf(t *tournament.Tournament, player string) *selfLine {
	if player == "" || t.CheckIn != tournament.CheckInOpen || (t.Status == tournament.Running && !t.Format.Arrivals()) {
		return nil
	}
	for _, e := range t.Entries {
		if e.Status != tournament.Withdrawn && !e.Waits() && slices.Contains(e.Members, player) {
			return &selfLine{Tournament: t.ID, Entry: e.ID, Name: e.Name, Present: e.Present}
		}
	}
	return nil
}

// arrive checks the visitor's own entry in, and redirects to the tournament, which shows the outcome.
func (p *Pages) arrive(c echo.Context) error {
	present := c.FormValue("out") == ""
	said := map[bool]string{true: "checked_in", false: "checked_out"}[present]
	in := command.Presence{Entry: c.Param("entry"), Present: present}
	if word, says := words[c.FormValue("say")]; says {
		in.Present, in.Away, said = word.Comes, word.Away, "evening_"+c.FormValue("say")
	}
	return selfRun(p, c, command.SetPresence, command.On{}, in, said, func(refusal string) (string, bool) {
		return "check_in_late", refusal == "wrong_state" || refusal == "invalid"
	})
}

// joinArena lets the visitor wait for opponents in an arena.
func (p *Pages) joinArena(c echo.Context) error {
	ctx, who := c.Request().Context(), auth.Session(c)
	if who.Anonymous() {
		return p.ToLogin(c, arenaPath(c))
	}
	t, _, err := access.Tournament(ctx, p.Tournaments, c.Param("id"), who)
	if err != nil {
		return err
	}
	if who.PlayerID == "" {
		return echo.NewHTTPError(http.StatusForbidden)
	}
	players, err := p.Players.Players(ctx, []string{who.PlayerID})
	if err != nil {
		return err
	}
	e, err := roster.EntryOf(ctx, p.Ratings, t, "", []string{who.PlayerID}, players)
	if err == nil {
		_, err = command.JoinArena.Run(ctx, p.Commands, command.On{ID: t.ID}, &e)
	}
	if err != nil {
		return err
	}
	return p.Back(c, arenaPath(c), "arena_in")
}

// leaveArena lets the visitor wait for no more opponents.
func (p *Pages) leaveArena(c echo.Context) error {
	if auth.Session(c).Anonymous() {
		return p.ToLogin(c, arenaPath(c))
	}
	_, err := command.LeaveArena.Run(c.Request().Context(), p.Commands, command.On{ID: c.Param("id")}, command.None{})
	if err != nil {
		return err
	}
	return p.Back(c, arenaPath(c), "arena_out")
}

func arenaPath(c echo.Context) string {
	return "/tournaments/" + url.PathEscape(c.Param("id")) + "/arena"
}
