package desk

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/roster"
	"quatuor/api/pages/forms"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/team"
)

// teamSize returns how many players a team of the tournament has, at most in a squad; 0 where each plays alone.
func (p *Pages) teamSize(t *tournament.Tournament) (int, error) {
	if t.Teams != nil {
		return team.Of(t).Squad.Most, nil
	}
	shape, err := p.Tournaments.Variant(t.Variant, t.Options)
	if err != nil || shape.Members < 2 {
		return 0, err
	}
	return shape.Members, nil
}

// readTeams reads the teams of a list.
func readTeams(from *rosterOffer, t *tournament.Tournament, members int) (list []party, err error) {
	teams, err := roster.ReadTeams(from.Names, members)
	if err != nil {
		return nil, forms.ListFaults("names", err)
	}
	for _, of := range teams {
		one := party{Name: of.Name}
		for _, player := range of.Players {
			one.Members = append(one.Members, fromLine(t, player))
		}
		list = append(list, one)
	}
	return list, nil
}

// maxPicked is the maximum number of players that can be ticked while a team is put together.
const maxPicked = 8

// nameMembers puts the names of the players of teams into the rows.
func (p *Pages) nameMembers(ctx context.Context, rows []entryRow) error {
	var ids []string
	for _, row := range rows {
		ids = append(ids, row.Members...)
	}
	players, err := p.Players.Players(ctx, ids)
	if err != nil {
		return err
	}
	for i := range rows {
		if rows[i].Bot() > 0 {
			continue
		}
		for _, id := range rows[i].Members {
			rows[i].Players = append(rows[i].Players, players[id].Name)
		}
	}
	return nil
}

// pickedParty returns the team that was put together from the club's list.
func pickedParty(form url.Values) party {
	picked := party{Name: strings.TrimSpace(form.Get("team"))}
	for _, id := range form["pick"] {
		picked.Members = append(picked.Members, candidate{Player: club.Player{ID: id}})
	}
	return picked
}

// pickTeam shows the players ticked so far, from a search or from a form that was refused.
func (p *Pages) pickTeam(c echo.Context, b *deskBody, part *entriesPart) error {
	picks := c.QueryParams()["pick"]
	part.TeamName = c.QueryParam("team")
	if b.Typed.Has("team") {
		picks, part.TeamName = b.Typed["pick"], b.Typed.Get("team")
		part.Search = strings.TrimSpace(b.Typed.Get("player"))
	}
	picks = picks[:min(len(picks), maxPicked)]
	players, err := p.Players.Players(c.Request().Context(), picks)
	if err != nil {
		return err
	}
	for i, id := range picks {
		if player, ok := players[id]; ok && !slices.Contains(picks[:i], id) {
			part.Picked = append(part.Picked, foundPlayer{player, entered(b.Tournament, id)})
		}
	}
	return nil
}

// Ticked reports whether a player is already in the team being put together.
func (p entriesPart) Ticked(id string) bool {
	return slices.ContainsFunc(p.Picked, func(f foundPlayer) bool { return f.ID == id })
}

// memberField is a player of an entry in its form.
type memberField struct {
	Index    int
	ID, Name string // of the present player; "" for none
}

func memberName(i int) string { return "member-" + strconv.Itoa(i) }

// Field returns the name of the field.
func (m memberField) Field() string { return memberName(m.Index) }

// Number returns the place of the player in the entry, from 1.
func (m memberField) Number() int { return m.Index + 1 }

// memberFields returns the fields of an entry's players while they can change; nil afterwards.
func (p *Pages) memberFields(ctx context.Context, b *deskBody, e tournament.Entry, size int) ([]memberField, error) {
	late := b.Status == tournament.Running && len(e.Members) == 0
	if !b.Before() && !late || e.Bot() > 0 {
		return nil, nil
	}
	players, err := p.Players.Players(ctx, e.Members)
	if err != nil {
		return nil, err
	}
	fields := make([]memberField, size)
	for i := range fields {
		fields[i].Index = i
		if i < len(e.Members) {
			fields[i].ID, fields[i].Name = e.Members[i], players[e.Members[i]].Name
		}
		fields[i].Name = b.Field(memberName(i), fields[i].Name)
	}
	return fields, nil
}

// entryChange changes an entry to the values of its form, including its players. New names become new players.
func (p *Pages) entryChange(c echo.Context, t *tournament.Tournament) func(context.Context, *tournament.Entry) ([]club.Player, error) {
	form, by := c.Request().Form, auth.Session(c).AccountID
	return func(ctx context.Context, e *tournament.Entry) (fresh []club.Player, err error) {
		e.Name, e.Club = form.Get("name"), form.Get("club")
		if e.Rating, err = forms.Number(form.Get("rating"), "rating"); err != nil {
			return nil, err
		}
		return p.replaceMembers(ctx, t, e, form, by)
	}
}

// replaceMembers puts the players that a form names into an entry, and returns those that the club does not have yet.
func (p *Pages) replaceMembers(ctx context.Context, t *tournament.Tournament, e *tournament.Entry, form url.Values, by string) (fresh []club.Player, err error) {
	if !form.Has(memberName(0)) {
		return nil, nil
	}
	size, err := p.teamSize(t)
	if err != nil {
		return nil, err
	}
	now, err := p.Players.Players(ctx, e.Members)
	if err != nil {
		return nil, err
	}
	var members []string
	for i := range max(size, 1) {
		name := strings.TrimSpace(form.Get(memberName(i)))
		if name == "" {
			continue
		}
		if i < len(e.Members) && now[e.Members[i]].Name == name {
			members = append(members, e.Members[i])
			continue
		}
		player, known, err := p.playerNamed(ctx, name, memberName(i))
		if err != nil {
			return nil, err
		}
		if !known {
			source := fmt.Appendf(nil, "%s\n%s\n%s\n%d\n%s\n%s", by, t.ID, e.ID, i, name, form.Get("seen"))
			player.ID = uuid.NewSHA1(uuid.NameSpaceOID, source).String()
			player.CreatedBy = by
			player.CreatedAt = p.Now().UnixMilli()
			player.Version = 1
			if made, err := p.Players.Players(ctx, []string{player.ID}); err != nil {
				return nil, err
			} else if len(made) == 0 {
				fresh = append(fresh, player)
			}
		}
		members = append(members, player.ID)
	}
	e.Members = members
	return fresh, nil
}

// playerNamed finds the only player of the club with a name; known is false if there is none.
func (p *Pages) playerNamed(ctx context.Context, name, field string) (player club.Player, known bool, err error) {
	one, err := roster.ReadNames(name)
	if err != nil {
		return player, false, forms.ListFaults(field, err)
	}
	list, _, err := p.Players.ListPlayers(ctx, club.PlayerFilter{Name: one[0].Name}, maxClubFound, "")
	if err != nil {
		return player, false, err
	}
	list = slices.DeleteFunc(list, func(found club.Player) bool { return !strings.EqualFold(found.Name, one[0].Name) })
	switch len(list) {
	case 0:
		return club.Player{Name: one[0].Name, Club: one[0].Club}, false, nil
	case 1:
		return list[0], true, nil
	}
	return player, false, tournament.Fault(field,
		"%d players are called %q; remove this entry, and add it again from the club's list, where you see who is who", len(list), one[0].Name)
}

// bonuses adds a penalty or a bonus of a team, or takes one back.
func (p *Pages) bonuses(c echo.Context) error {
	f := deskForm{tab: "entries", said: "saved", seen: func(t *tournament.Tournament) string { return command.Tag(t.Bonuses) }}
	return deskRun(p, c, f, command.SetBonuses, func(t *tournament.Tournament) ([]tournament.Bonus, error) {
		if back := c.FormValue("back"); back != "" {
			i, err := strconv.Atoi(back)
			if err != nil || i < 0 || i >= len(t.Bonuses) || command.Tag(t.Bonuses[i]) != c.FormValue("bonus-"+back) {
				return nil, command.ErrTagStale
			}
			return slices.Delete(slices.Clone(t.Bonuses), i, i+1), nil
		}
		form := c.Request().Form
		b := tournament.Bonus{Entry: form.Get("team"), Why: form.Get("reason")}
		in := &forms.FieldReader{Form: form}
		b.MP, b.GP = bonusPoints(in, "bonus_mp"), bonusPoints(in, "bonus_gp")
		b.After = in.Whole("after_round", 200)
		if len(in.Faults) > 0 {
			return nil, in.Faults
		}
		return append(slices.Clone(t.Bonuses), b), nil
	})
}

// bonusPoints reads points with at most one decimal, which may be negative.
func bonusPoints(in *forms.FieldReader, field string) tournament.Points {
	value, err := forms.Number(in.Form.Get(field), field)
	if err != nil || math.Abs(value) > 100 || math.Abs(math.Round(value*10)-value*10) > 1e-6 {
		in.Refuse(field, "%q is not possible; write a number with at most one decimal", in.Form.Get(field))
	}
	return tournament.Points(math.Round(value * 10))
}

// BonusTag names a penalty or bonus as the form saw it.
func (b *deskBody) BonusTag(of tournament.Bonus) string { return command.Tag(of) }
