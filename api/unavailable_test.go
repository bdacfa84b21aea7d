package api_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"quatuor/api"
	"quatuor/api/command"
	"quatuor/engine/table"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// brittle keeps players in a store that fails, or panics, as often as the test decides.
type brittle struct {
	command.People
	faults []any // an error to answer, or what to panic with
}

func (b *brittle) CreatePlayer(ctx context.Context, p ...club.Player) error {
	if len(b.faults) == 0 {
		return b.People.CreatePlayer(ctx, p...)
	}
	fault := b.faults[0]
	b.faults = b.faults[1:]
	if err, ok := fault.(error); ok {
		return err
	}
	panic(fault)
}

func TestWithoutDatabaseAnswersHaveRetryAfter(t *testing.T) {
	s, people := brittleService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	people.faults = []any{fmt.Errorf("store: create a player: %w: the disk at /secret is full", table.ErrUnavailable)}
	refused := olga.post("/players", `{"name":"Cleo"}`).refused(t, http.StatusServiceUnavailable, "unavailable")
	if refused.header.Get("Retry-After") != "1" || refused.text("detail") != table.ErrUnavailable.Error() {
		t.Errorf("%s, %v", refused.raw, refused.header)
	}
	olga.post("/players", `{"name":"Cleo"}`).want(t, http.StatusCreated)
}

// TestAKeyOfAFailedRequest repeats a request with one key until it does not fail any more.
func TestAKeyOfAFailedRequest(t *testing.T) {
	s, people := brittleService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	people.faults = []any{"at the disco", fmt.Errorf("full: %w", table.ErrUnavailable), fmt.Errorf("broken"), "again"}
	for _, status := range []int{
		http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusInternalServerError,
		http.StatusInternalServerError, http.StatusCreated, http.StatusCreated,
	} {
		olga.post("/players", `{"name":"Cleo"}`, key("k")).want(t, status)
	}
}

func brittleService(t *testing.T) (*service, *brittle) {
	people := &brittle{}
	return newService(t, func(c *configuration) {
		c.edit = func(d *api.Config) {
			people.People, d.Rest.Commands.People = d.Rest.Commands.People, people
		}
	}), people
}
