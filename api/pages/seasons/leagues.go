package seasons

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/lobby"
	"quatuor/api/problem"
	"quatuor/engine/catalog"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/league"
	"quatuor/tournament/season"
	"quatuor/tournament/series"
)

// mountLeagues adds the pages of leagues that change something.
func (p *Pages) mountLeagues(e *echo.Echo) {
	p.Get(e, "/leagues/new", p.newLeague)
	p.Post(e, "/leagues/new", command.OnNothing, p.createLeague)
	p.Post(e, "/leagues/:id/delete", command.OnNothing, p.deleteLeague)
	p.Post(e, "/leagues/:id/next", command.OnNothing, p.nextSeason)
	for route, act := range map[string]seasonAct{"edit": p.saveSeason, "confirm": p.confirmSeason, "drop": p.dropSeason} {
		p.Post(e, "/leagues/:id/seasons/:season/"+route, command.OnNothing, p.onSeason(act))
	}
}

// seasonAct is what a form does with a season of a league. It returns the path to go on at.
type seasonAct func(c echo.Context, on command.On) (string, error)

// onSeason returns the handler of a form: it leads back to the page, or shows there why the act was refused.
func (p *Pages) onSeason(act seasonAct) echo.HandlerFunc {
	return func(c echo.Context) error {
		number, err := seasonNumber(c)
		if err != nil {
			return err
		}
		on := onForm(c)
		on.Number = number
		path, err := act(c, on)
		if err == nil {
			return p.Back(c, path, "saved")
		}
		status, alert, err := p.alertOf(c, err)
		if err != nil {
			return err
		}
		return p.showLeague(c, status, number, alert)
	}
}

// seasonNumber returns the season in the path; 0 for none.
func seasonNumber(c echo.Context) (int, error) {
	text := c.Param("season")
	if text == "" {
		return 0, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		return 0, league.ErrNotFound
	}
	return number, nil
}

func seasonPath(id string, number int) string {
	return fmt.Sprintf("/leagues/%s/seasons/%d", url.PathEscape(id), number)
}

// leagueBody is what the page of a season of a league shows.
type leagueBody struct {
	*season.League
	Runs       bool
	Seen       string // of the season
	SeenLeague string
	Newest     bool
	First      bool     // the draft has its members in divisions
	Lists      []string // of a first draft: the members, one a line, and an empty one
	Joining    string
	Stayers    []stayer // of a later draft: who can leave
	Alert      *forms.Alert
	Season     kit.Season
}

// stayer is a member of the season before in the form of a draft.
type stayer struct {
	Who      kit.Person
	Key      string
	Division int
	Place    int
	Leaves   bool
	Withdrew bool
}

// Who returns a member with a link to its page; teams have none.
func (b leagueBody) Who(member string) kit.Person { return personOf(b.Names, member) }

func personOf(names map[string]string, member string) kit.Person {
	if name, nameless := series.Nameless(member); nameless {
		return kit.Person{Name: name}
	}
	return kit.Person{ID: member, Name: names[member]}
}

// Teams reports whether the members are teams.
func (b leagueBody) Teams() bool { return b.Plan.State.Tournament.Format.Teams() }

// Why returns what blocks the season.
func (b leagueBody) Why() sentence.Sentence {
	_, said := problem.Reason(b.Blocked)
	return said
}

// Missing reports whether the tournament of a division was deleted.
func (b leagueBody) Missing() bool {
	return slices.ContainsFunc(b.Divisions, func(d league.DivisionTable) bool { return d.Deleted })
}

func (p *Pages) league(c echo.Context) error {
	number, err := seasonNumber(c)
	if err != nil {
		return err
	}
	if id, calendar := strings.CutSuffix(c.Param("id"), ".ics"); calendar {
		return p.leagueCalendar(c, id)
	}
	return p.showLeague(c, http.StatusOK, number, nil)
}

func (p *Pages) showLeague(c echo.Context, status, number int, alert *forms.Alert) error {
	l, err := p.reading(c).League(c.Request().Context(), c.Param("id"), number)
	if err != nil {
		return err
	}
	b := leagueBody{
		League: l, Runs: command.Runs(auth.Session(c), l.Organiser), Seen: command.VersionTag(l.Plan.Version), SeenLeague: command.VersionTag(l.Version), Alert: alert,
		Newest: l.Plan.Number == len(l.Plans), First: l.Plan.Number == 1 && !l.Plan.Confirmed,
		Season: p.Season(c, "/leagues/"+url.PathEscape(l.ID)+".ics"),
	}
	lines := func(members []string) string {
		var text strings.Builder
		for _, m := range members {
			var squad []string
			for _, id := range l.Plan.State.Squads[m] {
				squad = append(squad, l.Names[id])
			}
			text.WriteString(strings.Join(slices.Concat([]string{b.Who(m).Name}, squad[:min(1, len(squad))]), ": "))
			for _, name := range squad[min(1, len(squad)):] {
				text.WriteString(", " + name)
			}
			text.WriteString("\n")
		}
		return text.String()
	}
	b.Joining = lines(l.Plan.State.Joining)
	if b.First {
		for _, d := range l.Plan.State.Divisions {
			var members []string
			for _, m := range d.Members {
				members = append(members, m.Name)
			}
			b.Lists = append(b.Lists, lines(members))
		}
		b.Lists = append(b.Lists, "")
	}
	if l.Last != nil {
		for i, division := range l.Last.Divisions {
			for k, member := range division {
				withdrew := slices.Contains(l.Last.Leaving, member)
				b.Stayers = append(b.Stayers, stayer{
					Who: b.Who(member), Key: member, Division: i + 1, Place: k + 1, Withdrew: withdrew,
					Leaves: withdrew || slices.Contains(l.Plan.State.Leaving, member),
				})
			}
		}
	}
	return p.Answer(c, status, "league", kit.Frame{Section: "tournaments", Body: b})
}

// leagueCalendar serves the tournaments of a league's newest season as iCalendar.
func (p *Pages) leagueCalendar(c echo.Context, id string) error {
	l, err := p.reading(c).League(c.Request().Context(), id, 0)
	if err != nil {
		return err
	}
	var ids []string
	for _, d := range l.Divisions {
		if d.Tournament != nil {
			ids = append(ids, d.Tournament.ID)
		}
	}
	return p.Calendar(c, l.Name, ids...)
}

// leagueForm is what the form of a new league shows.
type leagueForm struct {
	Typed    map[string]string
	Lists    []string
	Variants []string
	Controls []string
	Formats  []tournament.Format
	Key      string
	Alert    *forms.Alert
}

// leagueFields are the fields of the form beside the divisions, with what a new league has.
var leagueFields = map[string]string{
	"name": "", "variant": "", "format": string(tournament.RoundRobin), "control": "600+5", "venue": "hall", "rated": "yes",
	"boards": "4", "up": "2", "down": "2", "playoff": "",
}

func (p *Pages) newLeague(c echo.Context) error {
	if ok, err := p.mayCreate(c); !ok {
		return err
	}
	return p.showLeagueForm(c, http.StatusOK, leagueForm{Typed: leagueFields, Lists: make([]string, 3), Key: uuid.NewString()})
}

func (p *Pages) showLeagueForm(c echo.Context, status int, form leagueForm) error {
	form.Controls = lobby.ChallengeControls
	form.Formats = tournament.FormatsWith(tournament.Format.RoundRobin)
	for _, rules := range catalog.All() {
		if info := rules.Info(); info.Seats[0] == 2 && p.Commands.Offer.Has(info.ID) {
			form.Variants = append(form.Variants, info.ID)
		}
	}
	return p.Answer(c, status, "league-form", kit.Frame{Section: "tournaments", Body: form})
}

func (p *Pages) createLeague(c echo.Context) error {
	form := leagueForm{Typed: map[string]string{}, Key: c.FormValue("key")}
	for name := range leagueFields {
		form.Typed[name] = strings.TrimSpace(c.FormValue(name))
	}
	form.Lists = slices.Clone(c.Request().Form["division"])
	id, err := kit.FormID(c, "league", form.Key)
	if err != nil {
		return err
	}
	patch, err := p.typedLeague(c, form)
	if err == nil {
		first := league.State{Rules: league.DefaultRules()}
		if err = p.Commands.Offer.ApplyLeague(&first, patch); err == nil {
			l := league.Stored{Settings: league.Settings{Name: form.Typed["name"]}, Plans: []league.Plan{{State: first}}}
			_, err = command.Leagues.Create(c.Request().Context(), p.Commands, id, l)
		}
	}
	if err == nil {
		return p.Back(c, seasonPath(id, 1), "saved")
	}
	status, alert, err := p.alertOf(c, err)
	if err != nil {
		return err
	}
	form.Alert = alert
	return p.showLeagueForm(c, status, form)
}

// typedLeague returns what the form of a new league makes of the first season.
func (p *Pages) typedLeague(c echo.Context, form leagueForm) (patch gen.LeagueSeasonPatch, err error) {
	venue, rated := gen.Venue(form.Typed["venue"]), form.Typed["rated"] != ""
	control, format := form.Typed["control"], gen.TournamentFormat(form.Typed["format"])
	settings := gen.TournamentPatch{
		Variant: new(form.Typed["variant"]), Format: &format, TimeControl: &control, Venue: &venue, Rated: &rated,
	}
	teams := tournament.Format(format).Teams()
	if teams {
		boards, err := forms.Number(form.Typed["boards"], "boards")
		if err != nil {
			return patch, err
		}
		if n := *whole(boards); n < 2 || n > 8 {
			return patch, tournament.Fault("boards", "%d boards are not possible; choose %d to %d", n, 2, 8)
		}
		list := make(gen.TeamBoards, int(boards))
		settings.Teams = &gen.TeamSettings{Boards: &list}
	}
	patch = gen.LeagueSeasonPatch{Tournament: &settings}
	if err := typedRules(c, &patch); err != nil {
		return patch, err
	}
	return patch, p.typedDivisions(c, &patch, teams)
}

// typedRules reads what is played for.
func typedRules(c echo.Context, patch *gen.LeagueSeasonPatch) error {
	moves, err := forms.Numbers(c.FormValue, "up", "down")
	if err != nil {
		return err
	}
	patch.Up, patch.Down = whole(moves[0]), whole(moves[1])
	patch.Playoff = new(c.FormValue("playoff") != "")
	return nil
}

// typedDivisions reads the lists of members; empty ones are left out.
func (p *Pages) typedDivisions(c echo.Context, patch *gen.LeagueSeasonPatch, teams bool) error {
	patch.Divisions = &[]struct {
		Members []gen.LeagueWho `json:"members"`
	}{}
	for i, text := range c.Request().Form["division"] {
		members, err := p.membersOf(c.Request().Context(), text, fmt.Sprintf("division-%d", i+1), teams)
		if err != nil {
			return err
		}
		if len(members) > 0 {
			*patch.Divisions = append(*patch.Divisions, struct {
				Members []gen.LeagueWho `json:"members"`
			}{members})
		}
	}
	return nil
}

// membersOf reads members, one a line: teams, with their players after a colon; or players of the club by their
// names, of several namesakes by their ids, and others.
func (p *Pages) membersOf(ctx context.Context, text, field string, teams bool) ([]gen.LeagueWho, error) {
	members := []gen.LeagueWho{}
	for line := range strings.Lines(text) {
		name := strings.TrimSpace(line)
		if name == "" {
			continue
		}
		if len(members) == league.MaxMembers {
			return nil, tournament.Fault(field, "at most %d members make a league", league.MaxMembers)
		}
		who := gen.LeagueWho{Name: &name}
		if teams {
			team, squad, named := strings.Cut(name, ":")
			if *who.Name = strings.TrimSpace(team); named {
				who.Squad = &[]string{}
				for player := range strings.SplitSeq(squad, ",") {
					id, err := p.playerCalled(ctx, strings.TrimSpace(player), field)
					if err == nil && id == "" {
						err = tournament.Fault(field, "there is no player %q", strings.TrimSpace(player))
					}
					if err != nil {
						return nil, err
					}
					*who.Squad = append(*who.Squad, id)
				}
			}
		} else if id, err := p.playerCalled(ctx, name, field); err != nil {
			return nil, err
		} else if id != "" {
			who = gen.LeagueWho{PlayerID: &id}
		}
		members = append(members, who)
	}
	return members, nil
}

// maxCalled is how many players with a part of a name are looked through.
const maxCalled = 50

// playerCalled returns the id of the player with a name, or with this id; "" for none.
func (p *Pages) playerCalled(ctx context.Context, name, field string) (string, error) {
	if player, err := p.Players.Player(ctx, name); err == nil {
		return player.ID, nil
	} else if !errors.Is(err, club.ErrNotFound) {
		return "", err
	}
	list, _, err := p.Players.ListPlayers(ctx, club.PlayerFilter{Name: name}, maxCalled, "")
	if err != nil {
		return "", err
	}
	list = slices.DeleteFunc(list, func(player club.Player) bool { return !strings.EqualFold(player.Name, name) || player.Gone > 0 })
	switch len(list) {
	case 0:
		return "", nil
	case 1:
		return list[0].ID, nil
	}
	return "", tournament.Fault(field, "%d players are called %q; write the id of one, from the address of its page", len(list), name)
}

// saveSeason saves a season as the form has it.
func (p *Pages) saveSeason(c echo.Context, on command.On) (string, error) {
	ctx := c.Request().Context()
	_, err := command.LeagueSeasons.Update(ctx, p.Commands, on, func(l *league.Planned) error {
		s := &l.Plan.State
		patch := gen.LeagueSeasonPatch{Name: new(strings.TrimSpace(c.FormValue("title")))}
		if err := typedRules(c, &patch); err != nil {
			return err
		}
		form, teams := c.Request().Form, s.Tournament.Format.Teams()
		if form.Has("division") {
			if err := p.typedDivisions(c, &patch, teams); err != nil {
				return err
			}
		}
		if form.Has("joining") {
			joining, err := p.membersOf(ctx, form.Get("joining"), "joining", teams)
			if err != nil {
				return err
			}
			patch.Joining = &joining
			s.Leaving, s.Winners = form["leaves"], nil
			for border := 1; border < league.MaxDivisions; border++ {
				s.Winners = append(s.Winners, form.Get("winner-"+strconv.Itoa(border)))
			}
			for len(s.Winners) > 0 && s.Winners[len(s.Winners)-1] == "" {
				s.Winners = s.Winners[:len(s.Winners)-1]
			}
		}
		return p.Commands.Offer.ApplyLeague(s, patch)
	})
	return seasonPath(on.ID, on.Number), err
}

func (p *Pages) confirmSeason(c echo.Context, on command.On) (string, error) {
	_, err := command.ConfirmSeason.Run(c.Request().Context(), p.Commands, on)
	return seasonPath(on.ID, on.Number), err
}

func (p *Pages) dropSeason(c echo.Context, on command.On) (string, error) {
	return "/leagues/" + url.PathEscape(on.ID), command.LeagueSeasons.Delete(c.Request().Context(), p.Commands, on)
}

func (p *Pages) nextSeason(c echo.Context) error {
	id := c.Param("id")
	number, err := command.DrawUpSeason.Run(c.Request().Context(), p.Commands, id)
	if err == nil {
		return c.Redirect(http.StatusSeeOther, seasonPath(id, number))
	}
	status, alert, err := p.alertOf(c, err)
	if err != nil {
		return err
	}
	return p.showLeague(c, status, 0, alert)
}

func (p *Pages) deleteLeague(c echo.Context) error {
	if err := command.Leagues.Delete(c.Request().Context(), p.Commands, onForm(c)); err != nil {
		return err
	}
	return p.Back(c, "/tournaments", "league_deleted")
}
