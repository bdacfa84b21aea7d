package api_test

import (
	"net/http"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"

	"quatuor/tournament/account"
)

// TestSeasonCalendar: the club's, a series' and a tournament's calendar have what is public, in lines as RFC 5545
// demands, with ids that stay, and are not sent twice.
func TestSeasonCalendar(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	players := []person{s.register("ada"), s.register("bert"), s.register("carl")}
	event := s.finished(t, olga, players...)
	secret := olga.draft("A draft that nobody else sees")
	long := olga.draft(strings.Repeat("Ängby, Öde; ", 12))
	starts := s.now().Add(48 * 3600e9).UTC().Format("2006-01-02T15:04:05Z")
	for _, id := range []string{secret, long} {
		olga.send(http.MethodPatch, "/tournaments/"+id, map[string]any{"starts_at": starts}, anyVersion).want(t, http.StatusOK)
	}
	olga.post("/tournaments/"+long+"/open", nil).want(t, http.StatusOK)
	series := seriesOf(t, olga, event, "/tournaments/"+secret)
	for address, events := range map[string]int{
		"/calendar": 5, "/calendar?series=" + path.Base(series): 4, "/calendar?tournament=" + path.Base(event): 4,
		"//calendar.ics": 5, "/" + series + ".ics": 4, "/" + event + ".ics": 4,
	} {
		for _, p := range []person{s.anonymous(), olga} {
			answer := p.get(address).want(t, http.StatusOK).lacks(t, secret, "A draft")
			if kind := answer.header.Get("Content-Type"); kind != "text/calendar; charset=utf-8" {
				t.Errorf("%s is %s", address, kind)
			}
			text := string(answer.raw)
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
			p.get(address, header{"If-None-Match", answer.header.Get("ETag")}).want(t, http.StatusNotModified)
			p.get(address, header{"If-None-Match", `"other"`}).want(t, http.StatusOK)
		}
	}
	s.anonymous().get("/calendar?tournament="+secret).refused(t, http.StatusNotFound, "not-found")
	s.anonymous().get("/calendar?series=01930000-0000-7000-8000-000000000000").refused(t, http.StatusNotFound, "not-found")
	s.anonymous().get("/calendar?tournament="+long+"&series="+path.Base(series)).refused(t, http.StatusUnprocessableEntity, "invalid")
	s.anonymous().get("//tournaments").want(t, http.StatusOK).says(t, `href="/calendar.ics"`, `href="webcal://`)
	s.anonymous().get("/"+series).want(t, http.StatusOK).says(t, `.ics"`, `href="webcal://`)
	s.anonymous().get("/"+event+"?tab=info").want(t, http.StatusOK).says(t, `href="webcal://`)
}
