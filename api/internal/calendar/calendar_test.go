package calendar

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quatuor/tournament"
)

// at returns a time of 10 January 2030, ms UTC.
func at(hour int) int64 {
	return time.Date(2030, time.January, 10, hour, 0, 0, 0, time.UTC).UnixMilli()
}

func TestOneTeam(t *testing.T) {
	for text, want := range map[string]struct {
		number int
		ok     bool
	}{
		"": {0, true}, "3": {3, true}, "0": {0, false}, "-1": {-1, false}, "x": {0, false}, "1e3": {0, false}, "3.0": {0, false},
	} {
		if number, ok := OneTeam(text); ok != want.ok || ok && number != want.number {
			t.Errorf("team %q: %d, %v; want %d, %v", text, number, ok, want.number, want.ok)
		}
	}
}

func TestEventsOfATournament(t *testing.T) {
	open := func(change func(*tournament.Tournament)) *tournament.Tournament {
		to := &tournament.Tournament{ID: "t1", Status: tournament.Open, CreatedAt: at(8), PublicVersion: 4}
		to.Name = "Club evening"
		to.Format = tournament.Swiss
		to.StartsAt = at(19)
		change(to)
		return to
	}
	rounds := func(published ...int64) (list []tournament.Round) {
		for i, at := range published {
			list = append(list, tournament.Round{Number: i + 1, Status: tournament.Published, PublishedAt: at})
		}
		return list
	}
	keizer := func(published int64) *tournament.Tournament {
		return open(func(to *tournament.Tournament) {
			to.Format = tournament.Keizer
			to.Status = tournament.Running
			to.StartedAt = at(9)
			to.Rounds = rounds(published)
		})
	}
	for name, c := range map[string]struct {
		address    string
		tournament *tournament.Tournament
		has, never []string
	}{
		"a draft is in no calendar": {
			tournament: open(func(to *tournament.Tournament) { to.Status = tournament.Draft }),
			never:      []string{"VEVENT", "Club evening"},
		},
		"before the start": {
			address:    "https://club.example",
			tournament: open(func(*tournament.Tournament) {}),
			has:        []string{"UID:start@t1", "DTSTART:20300110T190000Z", "SEQUENCE:4", "URL:https://club.example/tournaments/t1"},
			never:      []string{"round-1"},
		},
		"without an address there are no links": {
			tournament: open(func(*tournament.Tournament) {}),
			has:        []string{"UID:start@t1"},
			never:      []string{"URL"},
		},
		"rounds begin when they are published": {
			tournament: open(func(to *tournament.Tournament) {
				to.Status = tournament.Running
				to.StartedAt = at(19)
				to.Rounds = rounds(at(19), at(20))
			}),
			has: []string{"UID:start@t1", "UID:round-1@t1", "DTSTART:20300110T200000Z", "SUMMARY:Club evening round 2"},
		},
		"the next evening of a Keizer season": {
			tournament: keizer(at(10)),
			has:        []string{"DTSTART:20300110T090000Z", "UID:round-1@t1", "UID:round-2@t1", "DTSTART:20300110T190000Z"},
		},
		"an evening that has begun is not announced again": {
			tournament: keizer(at(19)),
			has:        []string{"UID:round-1@t1"},
			never:      []string{"round-2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			calendar := Calendar{
				Name: "Club", Site: "quatuor", Address: c.address,
				Round: func(name string, round int) string { return fmt.Sprintf("%s round %d", name, round) },
			}
			text := string(calendar.Of(c.tournament))
			for _, part := range c.has {
				if !strings.Contains(text, part) {
					t.Errorf("%q is missing in\n%s", part, text)
				}
			}
			for _, part := range c.never {
				if strings.Contains(text, part) {
					t.Errorf("%q must not be in\n%s", part, text)
				}
			}
		})
	}
}
