package seasons_test

import (
	"net/http"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestSeasonCalendar: the club's, a series' and a tournament's calendar have what is public, in lines as RFC 5545
// demands, with ids that stay, and are not sent twice.
func TestSeasonCalendar(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	players := []apitest.Person{s.Register("ada"), s.Register("bert"), s.Register("carl")}
	event := s.PlayOut(t, olga, players...)
	secret := olga.Draft("A draft that nobody else sees")
	long := olga.Draft(strings.Repeat("Ängby, Öde; ", 12))
	starts := s.Now().Add(48 * 3600e9).UTC().Format("2006-01-02T15:04:05Z")
	for _, id := range []string{secret, long} {
		olga.Send(http.MethodPatch, "/tournaments/"+id, map[string]any{"starts_at": starts}, apitest.AnyVersion).
			Want(t, http.StatusOK)
	}
	olga.Post("/tournaments/"+long+"/open", nil).Want(t, http.StatusOK)
	series := apitest.SeriesOf(t, olga, event, "/tournaments/"+secret)
	for address, events := range map[string]int{
		"/calendar": 5, "/calendar?series=" + path.Base(series): 4, "/calendar?tournament=" + path.Base(event): 4,
		"//calendar.ics": 5, "/" + series + ".ics": 4, "/" + event + ".ics": 4,
	} {
		for _, p := range []apitest.Person{s.Anonymous(), olga} {
			answer := p.Get(address).Want(t, http.StatusOK).Lacks(t, secret, "A draft")
			if kind := answer.Header.Get("Content-Type"); kind != "text/calendar; charset=utf-8" {
				t.Errorf("%s is %s", address, kind)
			}
			text := string(answer.Raw)
			for line := range strings.SplitSeq(text, "\r\n") {
				if len(line) > 75 || strings.ContainsAny(line, "\r\n") || !utf8.ValidString(line) {
					t.Errorf("%s: line of %d octets: %q", address, len(line), line)
				}
			}
			cal, err := ics.ParseCalendar(strings.NewReader(text))
			if err != nil || len(cal.Events()) != events {
				t.Errorf("%s: %v, %d events, want %d\n%s", address, err, len(cal.Events()), events, text)
			}
			seen := map[string]bool{}
			for _, e := range cal.Events() {
				at := e.GetProperty(ics.ComponentPropertyDtStart).Value
				if seen[e.Id()] || !strings.HasSuffix(at, "Z") || e.GetProperty(ics.ComponentPropertyDtstamp) == nil || e.GetProperty(ics.ComponentPropertySequence) == nil {
					t.Errorf("%s: %s at %s", address, e.Id(), at)
				}
				seen[e.Id()] = true
			}
			p.Get(address, apitest.Header{"If-None-Match", answer.Header.Get("ETag")}).Want(t, http.StatusNotModified)
			p.Get(address, apitest.Header{"If-None-Match", `"other"`}).Want(t, http.StatusOK)
		}
	}
	s.Anonymous().Get("/calendar?tournament="+secret).Refused(t, http.StatusNotFound, "not-found")
	s.Anonymous().Get("/calendar?series=01930000-0000-7000-8000-000000000000").Refused(t, http.StatusNotFound, "not-found")
	s.Anonymous().Get("/calendar?tournament="+long+"&series="+path.Base(series)).Refused(t, http.StatusUnprocessableEntity, "invalid")
	s.Anonymous().Get("//tournaments").Want(t, http.StatusOK).Says(t, `href="/calendar.ics"`, `href="webcal://`)
	s.Anonymous().Get("/"+series).Want(t, http.StatusOK).Says(t, `.ics"`, `href="webcal://`)
	s.Anonymous().Get("/"+event+"?tab=info").Want(t, http.StatusOK).Says(t, `href="webcal://`)
}
