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

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/league"
	"quatuor/tournament/season"
	"quatuor/tournament/series"
	"quatuor/tournament/team"
)

// mountLeagues adds the pages of leagues that change something.
func (p *Pages) mountLeagues(e *echo.Echo) {
	leagueSheet.mount(p, e, "/leagues")
	p.Post(e, "/leagues/:id/next", command.OnNothing, p.nextSeason)
	for route, act := range map[string]seasonAct{"edit": p.saveSeason, "confirm": p.confirmSeason, "drop": p.dropSeason} {
		p.Post(e, "/leagues/:id/seasons/:season/"+route, command.OnNothing, p.onSeason(act))
	}
}

// seasonAct carries out the act of a form on a season of a league. It returns the next path.
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

// leagueBody is the data of the page of a season of a league.
type leagueBody struct {
	*season.League
	Runs       bool
	Seen       string // of the season
	SeenLeague string
	Newest     bool
	First      bool     // the draft has its members in divisions
	Lists      []string // of a first draft: the members, a line each, and an empty list
	Joining    string
	Stayers    []stayer // of a later draft: members that can leave
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

// leagueRules are the fields of the rules of a league season.
var leagueRules = []field[gen.LeagueSeasonPatch]{
	number("up", "2", func(s *gen.LeagueSeasonPatch, places *int) { s.Up = places }),
	number("down", "2", func(s *gen.LeagueSeasonPatch, places *int) { s.Down = places }),
	tick("playoff", "", func(s *gen.LeagueSeasonPatch, playoff *bool) { s.Playoff = playoff }),
}

// divisionFields are the fields of the tournaments of a league.
var divisionFields = []field[gen.TournamentPatch]{
	text("variant", "", func(t *gen.TournamentPatch, id *string) { t.Variant = id }),
	text("format", string(tournament.RoundRobin), func(t *gen.TournamentPatch, format *gen.TournamentFormat) { t.Format = format }),
	text("control", "600+5", func(t *gen.TournamentPatch, control *string) { t.TimeControl = control }),
	text("venue", "hall", func(t *gen.TournamentPatch, venue *gen.Venue) { t.Venue = venue }),
	tick("rated", "yes", func(t *gen.TournamentPatch, rated *bool) { t.Rated = rated }),
	{"boards", "4", func(t *gen.TournamentPatch, typed string) error {
		if !tournament.Format(*t.Format).Teams() {
			return nil
		}
		boards, err := forms.Number(typed, "boards")
		if err != nil {
			return err
		}
		if n := *whole(boards); n < team.MinBoards || n > team.MaxBoards {
			return tournament.Fault("boards", "%d boards are not possible; choose %d to %d", n, team.MinBoards, team.MaxBoards)
		}
		t.Teams = &gen.TeamSettings{Boards: new(make(gen.TeamBoards, int(boards)))}
		return nil
	}},
}

// leagueSheet is the form of a new league with its first season.
var leagueSheet = sheet[league.Stored, gen.NewLeague]{
	kept: command.Leagues, page: "league-form", list: "/tournaments",
	fields: slices.Concat(
		[]field[gen.NewLeague]{text("name", "", func(l *gen.NewLeague, name *string) { l.Name = *name })},
		within(func(l *gen.NewLeague) *gen.TournamentPatch {
			if l.Season.Tournament == nil {
				l.Season.Tournament = &gen.TournamentPatch{}
			}
			return l.Season.Tournament
		}, divisionFields),
		within(func(l *gen.NewLeague) *gen.LeagueSeasonPatch { return &l.Season }, leagueRules),
	),
	rest: func(p *Pages, c echo.Context, _ form, into *gen.NewLeague) error {
		return p.typedDivisions(c, &into.Season, tournament.Format(*into.Season.Tournament.Format).Teams())
	},
	offer: func(p *Pages, _ echo.Context, f *form) error {
		p.offerDuels(f)
		f.Formats = tournament.FormatsWith(tournament.Format.RoundRobin)
		return nil
	},
	fresh: func(*Pages) league.Stored {
		return league.Stored{Plans: []league.Plan{{State: league.State{Rules: league.DefaultRules()}}}}
	},
	apply: func(p *Pages, l *league.Stored, sent gen.NewLeague) error {
		l.Name = sent.Name
		return p.Commands.Offer.ApplyLeague(&l.Plans[0].State, sent.Season)
	},
	path: func(l league.Stored) string { return seasonPath(l.ID, 1) },
}

// typedDivisions reads the lists of members; empty lists are left out.
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

// membersOf reads members, a line each: teams, with their players after a colon; or players of the club by their
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
			*who.Name = strings.TrimSpace(team)
			if named {
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

// maxCalled is the maximum of players in a search by a part of a name.
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
		form, teams := c.Request().Form, s.Tournament.Format.Teams()
		if _, err := read(leagueRules, form, &patch); err != nil {
			return err
		}
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
