package desk

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/forms"
	"quatuor/tournament"
)

// banLine is a group of entries that never meet each other.
type banLine struct {
	tournament.Ban
	Names []string
	Key   string // names the group in a form
}

// banKey returns the name of a group in a form.
func banKey(b tournament.Ban) string {
	key := strings.Join(b.Entries, " ")
	if b.First > 0 || b.Last > 0 {
		key += fmt.Sprintf(" %d-%d", b.First, b.Last)
	}
	return key
}

// Bans returns the groups of entries that never meet each other.
func (b *deskBody) Bans() (list []banLine) {
	for _, ban := range b.Forbidden {
		line := banLine{Ban: ban, Key: banKey(ban)}
		for _, id := range ban.Entries {
			line.Names = append(line.Names, b.NameOf(id))
		}
		list = append(list, line)
	}
	return list
}

// forbidden forbids entries to meet, or allows a group again.
func (p *Pages) forbidden(c echo.Context) error {
	f := deskForm{tab: "entries", said: "saved", seen: func(t *tournament.Tournament) string { return command.Tag(t.Forbidden) }}
	return deskRun(p, c, f, command.SetForbidden, func(t *tournament.Tournament) ([]tournament.Ban, error) {
		if allow := c.FormValue("allow"); allow != "" {
			i := slices.IndexFunc(t.Forbidden, func(b tournament.Ban) bool { return banKey(b) == allow })
			if i < 0 {
				return nil, tournament.Refuse(tournament.ErrNotFound, "this group")
			}
			return slices.Delete(slices.Clone(t.Forbidden), i, i+1), nil
		}
		ban, err := banIn(t, c.Request().Form)
		return append(slices.Clone(t.Forbidden), ban), err
	})
}

// banIn reads a group of entries from a form: two by name, more in a text of a name a line, and the rounds concerned.
func banIn(t *tournament.Tournament, form url.Values) (ban tournament.Ban, err error) {
	names := []string{form.Get("first"), form.Get("second")}
	fields := []string{"first", "second"}
	for line := range strings.SplitSeq(form.Get("others"), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			names, fields = append(names, line), append(fields, "others")
		}
	}
	for i, name := range names {
		id, err := entryNamed(t, name, fields[i])
		if err != nil {
			return ban, err
		}
		ban.Entries = append(ban.Entries, id)
	}
	in := &forms.FieldReader{Form: form}
	ban.First, ban.Last = in.Whole("first_round", 200), in.Whole("last_round", 200)
	if len(in.Faults) > 0 {
		return ban, in.Faults
	}
	ban.Why, err = forms.Reason(form.Get("reason"))
	return ban, err
}

// entryNamed finds the only entry with a name.
func entryNamed(t *tournament.Tournament, name, field string) (id string, err error) {
	n := 0
	for _, e := range t.Entries {
		if strings.EqualFold(e.Name, strings.TrimSpace(name)) {
			id = e.ID
			n++
		}
	}
	switch n {
	case 0:
		return "", tournament.Fault(field, "no entry is called %q", name)
	case 1:
		return id, nil
	}
	return "", tournament.Fault(field, "%d entries are called %q; give one of them another name first", n, name)
}
