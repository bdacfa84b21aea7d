package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestALivePageEndsWithTheRightToIt has an arbiter follow the desk until the organiser takes the right away: what comes
// afterwards is not sent, and no stranger follows the page at all.
func TestALivePageEndsWithTheRightToIt(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	server := httptest.NewServer(s.Server)
	t.Cleanup(server.Close)
	olga, arno, paul := s.WithRole("olga", account.RoleOrganiser), s.Register("arno"), s.Register("paul")
	at := "/tournaments/" + olga.Draft("Thursday")
	arbiters := func(logins ...string) {
		olga.Send(http.MethodPut, at+"/arbiters", map[string]any{"logins": append([]string{}, logins...)},
			apitest.AnyVersion).
			Want(t, http.StatusOK)
	}
	arbiters("arno")
	_, rest, _ := strings.Cut(arno.Get("/"+at+"/desk?tab=entries").Want(t, http.StatusOK).Page(), `data-live="`)
	live, _, _ := strings.Cut(rest, `"`)
	follow := "/live?0=" + url.QueryEscape(strings.ReplaceAll(live, "&amp;", "&"))
	stream := apitest.OpenStream(t, server, follow, arno.Token)
	olga.Post(at+"/entries", map[string]any{"name": "Anna Open"}).Want(t, http.StatusCreated)
	for line := ""; !strings.Contains(line, "Anna Open"); {
		var err error
		if line, err = stream.ReadString('\n'); err != nil {
			t.Fatalf("the entry is not sent: %v", err)
		}
	}
	arbiters()
	olga.Post(at+"/entries", map[string]any{"name": "Bert Hidden"}).Want(t, http.StatusCreated)
	left, err := io.ReadAll(stream)
	if err != nil || !strings.Contains(string(left), "event: end\n") || strings.Contains(string(left), "Bert Hidden") {
		t.Errorf("%v\n%s", err, left)
	}
	left, err = io.ReadAll(apitest.OpenStream(t, server, follow, paul.Token))
	if err != nil || strings.TrimSpace(string(left)) != "event: end\ndata: 0 404" {
		t.Errorf("a stranger is sent %v\n%s", err, left)
	}
}

// TestAPageIsFollowedInItsLanguage: the connection that a browser's pages share has the browser's language, which may
// differ from a page's.
func TestAPageIsFollowedInItsLanguage(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	server := httptest.NewServer(s.Server)
	t.Cleanup(server.Close)
	olga := s.WithRole("olga", account.RoleOrganiser)
	id := olga.Draft("Thursday")
	for language, word := range map[string]string{
		"de": ">in Vorbereitung<", "fr": ">en préparation<", "en": ">in preparation<",
	} {
		follow := "/live?0=" + url.QueryEscape("/tournaments/"+id+"/live?tab=players&version=0&in="+language)
		stream := apitest.OpenStream(t, server, follow, olga.Token)
		for line := ""; !strings.Contains(line, word); {
			var err error
			if line, err = stream.ReadString('\n'); err != nil {
				t.Fatalf("no %q in %s: %v", word, language, err)
			}
		}
	}
}
