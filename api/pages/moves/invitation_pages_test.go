package moves_test

import (
	"net/http"
	"testing"

	"quatuor/api/apitest"
	"quatuor/engine/table"
)

// TestInvitationPages shows an invitation to those it concerns, and lets them answer.
func TestInvitationPages(t *testing.T) {
	f := apitest.NewFixture(t)
	invite := func(id string) {
		f.Open(table.NewGame{
			ID: id, Variant: "quivive/melee", Players: []string{"p1", "p2", "p3"}, Controls: []string{"300"}, Rated: true,
			Invited: table.SeatSet(0).With(2).With(3),
		})
	}
	invite("one")
	invite("two")
	for _, c := range []struct {
		as, path string
		has      []string
		lacks    []string
	}{
		{
			"", "/games/one",
			[]string{"Still to accept: <strong>Charles Babbage, Émilie du Châtelet</strong>"},
			[]string{"<button>Accept", "/decline"},
		},
		{"p1", "/games/one", []string{"Still to accept:"}, []string{"<button>Accept"}},
		{"p2", "/games/one", []string{`action="/games/one/accept" method="post"`, `formaction="/games/one/decline"`}, nil},
		{"p2", "/", []string{"Invitations", "waits for you", "/games/one", "/games/two"}, nil},
		{"p1", "/", []string{"Invitations", "waits for Charles Babbage and Émilie du Châtelet"}, []string{"waits for you"}},
		{"p4", "/", nil, []string{"Invitations"}},
		{"", "/", nil, []string{"Invitations"}},
	} {
		f.Get(c.path, c.as).Want(t, http.StatusOK).Has(t, c.has...).Lacks(t, c.lacks...)
	}
	f.Post("/games/one/accept", "", nil).RedirectsTo(t, "/login?next=/games/one")
	f.Post("/games/one/accept", "p4", nil).Want(t, http.StatusForbidden)
	f.Post("/games/none/accept", "p2", nil).Want(t, http.StatusNotFound)
	for _, c := range []struct{ path, as, says string }{
		{"/games/one/accept", "p2", "Still to accept: <strong>Émilie du Châtelet</strong>"},
		{"/games/one/accept", "p2", "Still to accept: <strong>Émilie du Châtelet</strong>"},
		{"/games/one/accept", "p3", "is to move"},
		{"/games/one/decline", "p3", "is to move"}, // too late
		{"/games/two/decline", "p3", "declined by Émilie du Châtelet"},
		{"/games/two/accept", "p2", "was broken off"}, // too late
	} {
		game := c.path[:len("/games/one")]
		f.Post(c.path, c.as, nil).RedirectsTo(t, game)
		f.Get(game, c.as).Want(t, http.StatusOK).Has(t, c.says)
	}
	f.Get("/", "p3").Want(t, http.StatusOK).Lacks(t, "Invitations")
}
