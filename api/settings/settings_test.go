package settings

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"quatuor/api/auth"
	"quatuor/tournament/club"
)

// memory keeps settings without a database.
type memory struct {
	kept   club.Settings
	failed error
	reads  int
}

func (m *memory) Settings(context.Context) (club.Settings, error) {
	m.reads++
	return m.kept, m.failed
}

func (m *memory) SaveSettings(_ context.Context, s club.Settings, from int64) error {
	if m.kept.Version != from {
		return club.ErrStale
	}
	s.Version = from + 1
	m.kept = s
	return nil
}

var tuesday = club.Settings{
	Name: "Tuesday  Club", Language: "de", TimeZone: "Europe/Berlin", Registration: "invite", Reach: club.ReachNetwork,
}

func TestCurrent(t *testing.T) {
	at, m := time.Unix(1_800_000_000, 0), &memory{}
	c := New(m, Given{}, func() time.Time { return at }, slog.New(slog.DiscardHandler))
	if got := c.Current(t.Context()); got.Name != "quatuor" || got.Registration != auth.RegistrationClosed ||
		got.Zone != time.UTC {
		t.Errorf("before anything is decided: %+v", got)
	}
	if err := c.Save(t.Context(), tuesday); err != nil {
		t.Fatal(err)
	}
	c.SetAddress("http://192.168.1.5:8080")
	got := c.Current(t.Context())
	if got.Name != "Tuesday Club" || got.Language != "de" || got.Zone.String() != "Europe/Berlin" ||
		got.Registration != auth.RegistrationInvite || got.Address != "http://192.168.1.5:8080" {
		t.Errorf("%+v", got)
	}
	if err := c.Save(t.Context(), tuesday); !errors.Is(err, club.ErrStale) {
		t.Errorf("an old version is saved: %v", err)
	}
	m.kept.Name = "Another instance's"
	if got := c.Current(t.Context()).Name; got != "Tuesday Club" {
		t.Errorf("read too often: %q", got)
	}
	at = at.Add(fresh)
	m.failed = errors.New("disk")
	if got := c.Current(t.Context()).Name; got != "Tuesday Club" {
		t.Errorf("without the store: %q", got)
	}
	m.failed = nil
	if got := c.Current(t.Context()).Name; got != "Another instance's" {
		t.Errorf("after its time: %q", got)
	}
	c.Given = Given{Name: "Flag", Registration: auth.RegistrationOpen, Address: "https://club.example"}
	if got := c.Current(t.Context()); got.Name != "Flag" || got.Registration != auth.RegistrationOpen ||
		got.Address != "https://club.example" {
		t.Errorf("what the operator has given does not win: %+v", got)
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		field  string
		change func(*club.Settings)
	}{
		{"", func(*club.Settings) {}},
		{"", func(s *club.Settings) { s.Language, s.TimeZone = "", "" }},
		{"name", func(s *club.Settings) { s.Name = " " }},
		{"name", func(s *club.Settings) { s.Name = strings.Repeat("x", MaxName+1) }},
		{"name", func(s *club.Settings) { s.Name = "a\x00b" }},
		{"language", func(s *club.Settings) { s.Language = "ja" }},
		{"time_zone", func(s *club.Settings) { s.TimeZone = "Moon/Crater" }},
		{"time_zone", func(s *club.Settings) { s.TimeZone = "../../etc/passwd" }},
		{"time_zone", func(s *club.Settings) { s.TimeZone = "Local" }},
		{"registration", func(s *club.Settings) { s.Registration = "" }},
		{"reach", func(s *club.Settings) { s.Reach = "moon" }},
	} {
		s := tuesday
		tt.change(&s)
		_, err := Check(s)
		var invalid *Invalid
		if errors.As(err, &invalid) != (tt.field != "") || invalid != nil && invalid.Field != tt.field {
			t.Errorf("%+v: %v, want a fault in %q", s, err, tt.field)
		}
	}
}
