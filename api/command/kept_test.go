package command

import (
	"context"
	"errors"
	"testing"
	"time"

	"quatuor/api/auth"
	"quatuor/tournament/account"
)

// note is something kept by version.
type note struct {
	id, by, text string
	at           time.Time
	version      int64
}

var (
	errNoNote  = errors.New("no such note")
	errNotOwn  = errors.New("not your note")
	errNoWords = errors.New("no words")
	errStored  = errors.New("changed by another instance")
)

// notes keeps notes in a map. An overtaken note is changed by another instance while it is stored.
func notes(stored map[string]note, overtaken bool) Kept[note] {
	return Kept[note]{
		Name: "note", New: auth.CreateTournaments,
		Load: func(_ ClubCall, on On) (note, error) {
			if n, ok := stored[on.ID]; ok {
				return n, nil
			}
			return note{}, errNoNote
		},
		Allow: func(c ClubCall, n note) error {
			if c.Who.AccountID != n.by {
				return errNotOwn
			}
			return nil
		},
		Version: func(n note) int64 { return n.version },
		Init:    func(n *note, o Origin) { n.id, n.by, n.at = o.ID, o.By, o.At },
		Save: func(_ ClubCall, before *note, now note) (note, error) {
			switch {
			case now.text == "":
				return now, errNoWords
			case overtaken || (before == nil) != (now.version == 0):
				return now, errStored
			}
			now.version++
			stored[now.id] = now
			return now, nil
		},
		Remove: func(_ ClubCall, n note) error {
			delete(stored, n.id)
			return nil
		},
	}
}

func as(ctx context.Context, login string, role account.Role) context.Context {
	return auth.With(ctx, auth.Identity{
		AccountID: login, Role: role, Method: auth.ByCookie, Scopes: []auth.Scope{auth.ScopePlay, auth.ScopeOrganise},
	})
}

// TestKept changes and deletes a note of olga's as several visitors, and demands the refusal that comes first: what is
// missing, a right, the tag, the input, the database.
func TestKept(t *testing.T) {
	write := func(text string) func(*note) error {
		return func(n *note) error {
			if text == "?" {
				return ErrInvalid
			}
			n.text = text
			return nil
		}
	}
	tag := func(tag string) *string { return &tag }
	for _, c := range []struct {
		name      string
		who       string
		on        On
		change    func(*note) error // nil to delete it
		overtaken bool
		want      error
		left      string // text of the note afterwards
		version   int64
	}{
		{"a change", "olga", On{ID: "n", Seen: tag(`"v1"`)}, write("b"), false, nil, "b", 2},
		{"a change of any version", "olga", On{ID: "n", Seen: tag("*")}, write("b"), false, nil, "b", 2},
		{"a change of one of two", "olga", On{ID: "n", Seen: tag(`"v0", "v1"`)}, write("b"), false, nil, "b", 2},
		{"what is missing", "otto", On{ID: "m"}, write("?"), true, errNoNote, "a", 1},
		{"another's, unseen", "otto", On{ID: "n"}, write("?"), true, errNotOwn, "a", 1},
		{"without a tag", "olga", On{ID: "n"}, write("?"), true, ErrTagMissing, "a", 1},
		{"with a stale tag", "olga", On{ID: "n", Seen: tag(`"v0"`)}, write("?"), true, ErrTagStale, "a", 1},
		{"with a weak tag", "olga", On{ID: "n", Seen: tag(`W/"v1"`)}, write("?"), true, ErrTagStale, "a", 1},
		{"unreadable", "olga", On{ID: "n", Seen: tag(`"v1"`)}, write("?"), true, ErrInvalid, "a", 1},
		{"unfit", "olga", On{ID: "n", Seen: tag(`"v1"`)}, write(""), true, errNoWords, "a", 1},
		{"overtaken", "olga", On{ID: "n", Seen: tag(`"v1"`)}, write("b"), true, errStored, "a", 1},
		{"a deletion", "olga", On{ID: "n", Seen: tag(`"v1"`)}, nil, false, nil, "", 0},
		{"a deletion of what is missing", "olga", On{ID: "m", Seen: tag("*")}, nil, false, errNoNote, "a", 1},
		{"a deletion by another", "otto", On{ID: "n", Seen: tag(`"v1"`)}, nil, false, errNotOwn, "a", 1},
		{"a deletion without a tag", "olga", On{ID: "n"}, nil, false, ErrTagMissing, "a", 1},
		{"a stale deletion", "olga", On{ID: "n", Seen: tag(`"v2"`)}, nil, false, ErrTagStale, "a", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			stored := map[string]note{"n": {id: "n", by: "olga", text: "a", version: 1}}
			kept, s, ctx := notes(stored, c.overtaken), New(Config{}), as(t.Context(), c.who, account.RoleOrganiser)
			var err error
			if c.change == nil {
				err = kept.Delete(ctx, s, c.on)
			} else {
				var now note
				if now, err = kept.Update(ctx, s, c.on, c.change); err == nil && now != stored["n"] {
					t.Errorf("returned %v, stored %v", now, stored["n"])
				}
			}
			if !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if n := stored["n"]; n.text != c.left || n.version != c.version {
				t.Errorf("left %q in version %d, want %q in version %d", n.text, n.version, c.left, c.version)
			}
		})
	}
}

// TestKeptCreate creates notes: the right comes before the input, and an id of the caller's choice is kept.
func TestKeptCreate(t *testing.T) {
	now := time.UnixMilli(1000)
	s := New(Config{Now: func() time.Time { return now }})
	for _, c := range []struct {
		name, who string
		role      account.Role
		id, text  string
		want      error
	}{
		{"with an id", "olga", account.RoleOrganiser, "n", "a", nil},
		{"with any id", "olga", account.RoleOrganiser, "", "a", nil},
		{"by an anonymous visitor", "", "", "n", "", auth.ErrNeeded},
		{"by a player", "anna", account.RolePlayer, "n", "", auth.ErrRole},
		{"unfit", "olga", account.RoleOrganiser, "n", "", errNoWords},
	} {
		t.Run(c.name, func(t *testing.T) {
			stored := map[string]note{}
			n, err := notes(stored, false).Create(as(t.Context(), c.who, c.role), s, c.id, note{text: c.text})
			if !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if c.want != nil {
				if len(stored) > 0 {
					t.Errorf("stored %v", stored)
				}
				return
			}
			if n.by != c.who || !n.at.Equal(now) || n.version != 1 || n.id == "" || c.id != "" && n.id != c.id || stored[n.id] != n {
				t.Errorf("created %v, stored %v", n, stored)
			}
		})
	}
}
