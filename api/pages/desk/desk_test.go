package desk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestDeskIsForStaff shows the desk to the tournament's staff alone; a draft's existence is hidden from others.
func TestDeskIsForStaff(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	organiser, other, admin := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser),
		s.WithRole("adam", account.RoleAdmin)
	arbiter, player, stranger := s.Register("arno"), s.Register("paul"), s.Anonymous()
	id := organiser.Draft("Thursday")
	tag := apitest.Header{"If-Match", organiser.Get("/tournaments/" + id).Header.Get("ETag")}
	organiser.Send(http.MethodPut, "/tournaments/"+id+"/arbiters", map[string]any{"logins": []string{"arno"}}, tag).
		Want(t, http.StatusOK)
	desk := "//tournaments/" + id + "/desk"
	for _, c := range []struct {
		who  apitest.Person
		want int
	}{
		{organiser, http.StatusOK},
		{admin, http.StatusOK},
		{arbiter, http.StatusOK},
		{other, http.StatusNotFound},
		{player, http.StatusNotFound},
		{stranger, http.StatusNotFound},
	} {
		c.who.Get(desk).Want(t, c.want)
	}
	organiser.Get(desk+"?tab=nothing").Want(t, http.StatusNotFound)
	organiser.Post("/tournaments/"+id+"/open", nil).Want(t, http.StatusOK)
	other.Get(desk).Want(t, http.StatusForbidden)
	player.Get(desk).Want(t, http.StatusForbidden)
	if to := stranger.Get(desk+"?tab=entries").Want(t, http.StatusSeeOther).
		Header.Get("Location"); to != "/login?next="+url.QueryEscape("/tournaments/"+id+"/desk?tab=entries") {
		t.Errorf("led to %q", to)
	}
	for _, who := range []apitest.Person{other, player, stranger} {
		if a := who.PostForm("/tournaments/"+id+"/desk/undo",
			url.Values{"act": {"2"}, "tab": {"entries"}}); a.Status != http.StatusForbidden && a.Status != http.StatusSeeOther {
			t.Errorf("a stranger's undo: %d", a.Status)
		}
	}
	if status := organiser.Get("/tournaments/" + id).Text("status"); status != "open" {
		t.Errorf("strangers could undo: %s", status)
	}
}

// TestDeskUndo undoes the last act once, however often the button is pressed, and only with the right to do the act.
func TestDeskUndo(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	organiser, arbiter := s.WithRole("olga", account.RoleOrganiser), s.Register("arno")
	id := organiser.Draft("Thursday")
	tag := apitest.Header{"If-Match", organiser.Get("/tournaments/" + id).Header.Get("ETag")}
	organiser.Send(http.MethodPut, "/tournaments/"+id+"/arbiters", map[string]any{"logins": []string{"arno"}}, tag).
		Want(t, http.StatusOK)
	organiser.Post("/tournaments/"+id+"/open", nil).Want(t, http.StatusOK)
	desk, undo := "//tournaments/"+id+"/desk", "/tournaments/"+id+"/desk/undo"
	organiser.Get(desk).Want(t, http.StatusOK).Says(t, "Last change:", "Registration opened", "olga", "Undo</button>")
	if page := arbiter.Get(desk).Want(t, http.StatusOK).Page(); strings.Contains(page, "Undo</button>") {
		t.Error("an arbiter is offered to undo what only the organiser may do")
	}
	act := url.Values{"act": {"3"}, "tab": {"entries"}}
	arbiter.PostForm(undo, act).Want(t, http.StatusForbidden)
	if to := organiser.PostForm(undo, act).Want(t, http.StatusSeeOther).
		Header.Get("Location"); to != "/tournaments/"+id+"/desk?said=undone&tab=entries" {
		t.Errorf("led to %q", to)
	}
	if status := organiser.Get("/tournaments/" + id).Text("status"); status != "draft" {
		t.Errorf("after undoing: %s", status)
	}
	organiser.PostForm(undo, act).Want(t, http.StatusConflict).Says(t, "That is not possible now.", `role="alert"`)
	if page := organiser.Get(desk+"?said=undone").Says(t, "Undone.").Page(); strings.Contains(page, "Last change:") {
		t.Error("an undone act can be undone again")
	}
	for _, bad := range []url.Values{{}, {"act": {"x"}, "tab": {"entries"}}, {"act": {"2"}, "tab": {"nothing"}}} {
		organiser.PostForm(undo, bad).Want(t, http.StatusBadRequest)
	}
}
