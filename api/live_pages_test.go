package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// TestALivePageEndsWithTheRightToIt has an arbiter follow the desk until the organiser takes the right away: what comes
// afterwards is not sent, and no stranger follows the page at all.
func TestALivePageEndsWithTheRightToIt(t *testing.T) {
	s := newService(t, withRealPages)
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	olga, arno, paul := s.withRole("olga", account.RoleOrganiser), s.register("arno"), s.register("paul")
	at := "/tournaments/" + olga.draft("Thursday")
	arbiters := func(logins ...string) {
		olga.send(http.MethodPut, at+"/arbiters", map[string]any{"logins": append([]string{}, logins...)}, anyVersion).
			want(t, http.StatusOK)
	}
	arbiters("arno")
	_, rest, _ := strings.Cut(arno.get("/"+at+"/desk?tab=entries").want(t, http.StatusOK).page(), `data-live="`)
	live, _, _ := strings.Cut(rest, `"`)
	follow := "/live?0=" + url.QueryEscape(strings.ReplaceAll(live, "&amp;", "&"))
	stream := openStream(t, server, follow, arno.token)
	olga.post(at+"/entries", map[string]any{"name": "Anna Open"}).want(t, http.StatusCreated)
	for line := ""; !strings.Contains(line, "Anna Open"); {
		var err error
		if line, err = stream.ReadString('\n'); err != nil {
			t.Fatalf("the entry is not sent: %v", err)
		}
	}
	arbiters()
	olga.post(at+"/entries", map[string]any{"name": "Bert Hidden"}).want(t, http.StatusCreated)
	left, err := io.ReadAll(stream)
	if err != nil || !strings.Contains(string(left), "event: end\n") || strings.Contains(string(left), "Bert Hidden") {
		t.Errorf("%v\n%s", err, left)
	}
	left, err = io.ReadAll(openStream(t, server, follow, paul.token))
	if err != nil || strings.TrimSpace(string(left)) != "event: end\ndata: 0 404" {
		t.Errorf("a stranger is sent %v\n%s", err, left)
	}
}

// TestAPageIsFollowedInItsLanguage: the connection that a browser's pages share asks in the browser's language, which
// may be another one than a page has.
func TestAPageIsFollowedInItsLanguage(t *testing.T) {
	s := newService(t, withRealPages)
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	olga := s.withRole("olga", account.RoleOrganiser)
	id := olga.draft("Thursday")
	for language, word := range map[string]string{
		"de": ">in Vorbereitung<", "fr": ">en préparation<", "en": ">in preparation<",
	} {
		follow := "/live?0=" + url.QueryEscape("/tournaments/"+id+"/live?tab=players&version=0&in="+language)
		stream := openStream(t, server, follow, olga.token)
		for line := ""; !strings.Contains(line, word); {
			var err error
			if line, err = stream.ReadString('\n'); err != nil {
				t.Fatalf("no %q in %s: %v", word, language, err)
			}
		}
	}
}
