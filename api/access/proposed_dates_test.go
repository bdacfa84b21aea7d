package access_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
)

// TestProposedDatesCannotBeSeen: in two worlds that differ in nothing but the dates that captains have proposed, all
// readers outside the two teams get the same bytes with the same headers from everything that can be read of the
// tournament, and their streams send nothing. An agreed date then comes with the very next version. Readers with a
// right to a proposal have another tag after each.
func TestProposedDatesCannotBeSeen(t *testing.T) {
	at := time.Now().Truncate(time.Second)
	x := apitest.DatedLeague(t, 4, apitest.WithPages, func(c *apitest.Config) { c.Clock = func() time.Time { return at } })
	match, other := x.Matches(1)[0], x.Matches(1)[1]
	white, black := x.Sides(match)
	elsewhere, _ := x.Sides(other)
	id := strings.TrimPrefix(x.Path, "/tournaments/")
	requests := below(t, x.Service, x.Entries[white], x.Captains[white].Player, false)
	for _, path := range []string{"//tournaments/{id}.ics?team=1", "//tournaments/{id}.ics?team=2", "//tournaments/{id}.ics", "//", "/export?format=json"} {
		requests = append(requests, question{method: http.MethodGet, path: path})
	}
	outside := map[string]apitest.Person{
		"anyone": x.Anonymous(), "a stranger": x.Register("stranger"), "the captain of another match": x.Captains[elsewhere],
	}
	if testing.Short() {
		delete(outside, "a stranger")
		requests = slices.DeleteFunc(requests, func(r question) bool { return strings.Contains(r.path, "?") && !strings.Contains(r.path, "team=") })
	}
	inside := map[string]apitest.Person{
		"white": x.Captains[white], "black": x.Captains[black],
		"a member": x.Second[black], "staff": x.Olga,
	}
	look := func() apitest.Answers {
		seen := apitest.Answers{}
		for who, p := range outside {
			for _, r := range requests {
				seen[who+": "+r.String()] = answerTo(t, p, id, r)
			}
		}
		return seen
	}
	server := httptest.NewServer(x.Server)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	stream := publicly(t, outside["anyone"], server, "/api/v1"+x.Path+"/events")
	first := idOf(t, frame(t, stream))
	tags := func(path string) map[string]string {
		out := map[string]string{}
		for who, p := range inside {
			out[who] = p.Get(path).Want(t, http.StatusOK).Header.Get("ETag")
		}
		return out
	}
	before, last := look(), tags(match)
	const week = 7 * 24 * time.Hour
	for i, act := range []func(){
		func() { x.Captains[white].Propose(match, x.At(week)).Want(t, http.StatusOK) },
		func() { x.Captains[white].Propose(match, x.At(week+time.Minute)).Want(t, http.StatusOK) },
		func() { x.Captains[black].Propose(match, x.At(week+time.Hour)).Want(t, http.StatusOK) },
		func() { x.Captains[white].Post(match+"/date/proposal", map[string]any{}).Want(t, http.StatusOK) },
	} {
		act()
		apitest.Differences(t, before, look())
		now := tags(match)
		for who, tag := range now {
			if tag == last[who] {
				t.Errorf("after proposal %d the tag of %s is still %s", i+1, who, tag)
			}
		}
		last = now
	}
	if len(before) < 60 {
		t.Errorf("only %d answers were compared", len(before))
	}
	x.Captains[white].Propose(match, x.At(week+time.Hour)).Want(t, http.StatusOK)
	if next := frame(t, stream); idOf(t, next) != first+1 {
		t.Errorf("after event %d came\n%s", first, next)
	}
	agreed := x.Olga.Get(match).Want(t, http.StatusOK)
	change := map[string]any{"at": x.At(week)}
	x.Olga.Send(http.MethodPut, match+"/date", change, apitest.Header{"If-Match", last["staff"]}).
		Want(t, http.StatusPreconditionFailed)
	x.Olga.Send(http.MethodPut, match+"/date", change, agreed.IfMatch()).Want(t, http.StatusOK)
}
