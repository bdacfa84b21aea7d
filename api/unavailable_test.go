package api_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"quatuor/api"
	"quatuor/api/apitest"
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
	olga := s.WithRole("olga", account.RoleOrganiser)
	people.faults = []any{fmt.Errorf("store: create a player: %w: the disk at /secret is full", table.ErrUnavailable)}
	refused := olga.Post("/players", `{"name":"Cleo"}`).Refused(t, http.StatusServiceUnavailable, "unavailable")
	if refused.Header.Get("Retry-After") != "1" || refused.Text("detail") != table.ErrUnavailable.Error() {
		t.Errorf("%s, %v", refused.Raw, refused.Header)
	}
	olga.Post("/players", `{"name":"Cleo"}`).Want(t, http.StatusCreated)
}

// TestAKeyOfAFailedRequest repeats a request with the same key until it does not fail any more.
func TestAKeyOfAFailedRequest(t *testing.T) {
	s, people := brittleService(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	people.faults = []any{"at the disco", fmt.Errorf("full: %w", table.ErrUnavailable), fmt.Errorf("broken"), "again"}
	for _, status := range []int{
		http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusInternalServerError,
		http.StatusInternalServerError, http.StatusCreated, http.StatusCreated,
	} {
		olga.Post("/players", `{"name":"Cleo"}`, apitest.Key("k")).Want(t, status)
	}
}

func brittleService(t *testing.T) (*apitest.Service, *brittle) {
	people := &brittle{}
	return apitest.New(t, func(c *apitest.Config) {
		c.Edit = func(d *api.Config) {
			people.People, d.Rest.Commands.People = d.Rest.Commands.People, people
		}
	}), people
}
