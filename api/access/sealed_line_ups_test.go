package access_test

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestSealedLineUpsStaySealed: in two worlds that differ in nothing but a line-up that was filed, and filed again, all
// but its captain get the same bytes from every path that can be read, with the same headers, until it is revealed.
func TestSealedLineUpsStaySealed(t *testing.T) {
	at := time.Now().Truncate(time.Second)
	fixed := func(c *apitest.Config) { c.Clock = func() time.Time { return at } }
	first := apitest.NewTeamLeague(t, apitest.FourBoards, 4, apitest.WithPages, fixed)
	match := first.Path + "/rounds/1/matches/1"
	white, black := first.Sides(match)
	m := first.Members[white]
	paths := []string{match + "/lineup", first.Path + "/rounds/1/matches/1", first.Path + "/export?format=trf", first.Path + "/export?format=json"}
	for path, item := range apitest.Contract().Paths.Map() {
		if item.Get == nil || !slices.ContainsFunc([]string{"/tournaments/{", "/me", "/players", "/games"}, func(part string) bool { return strings.HasPrefix(path, part) }) {
			continue
		}
		path = strings.NewReplacer("{tournament_id}", strings.TrimPrefix(first.Path, "/tournaments/"), "{round}", "1",
			"{board}", "1",
			"{entry_id}", first.Entries[white]).Replace(path)
		if !strings.Contains(path, "events") && !strings.Contains(path, "{") {
			paths = append(paths, path)
		}
	}
	for _, tab := range []string{
		"", "/entries", "/rounds/1", "/standings", "/crosstable", "/history", "/matches/1/1", "/desk", "/wall", "/team",
		"/print/matches", "/print/pairings", "/print/names", "/print/boards", "/print/slips", "/print/cards", "/desk/codes",
	} {
		paths = append(paths, "/"+first.Path+tab)
	}
	if len(paths) < 25 {
		t.Fatalf("only %d paths", len(paths))
	}
	viewers := map[string]apitest.Person{
		"anyone": first.Anonymous(), "staff": first.Olga, "the other captain": first.Captains[black],
		"admin": first.WithRole("root", account.RoleAdmin), "a member": first.Second[white],
	}
	paths = append(paths, "/")
	answers := 0
	look := func(lineUp ...string) apitest.Answers {
		first.Captains[white].Send(http.MethodPut, match+"/lineup", map[string]any{"players": lineUp},
			apitest.Header{"If-Match", "*"}).
			Want(t, http.StatusOK)
		seen := apitest.Answers{}
		seen.Look(viewers, paths)
		answers += len(seen)
		return seen
	}
	// Each pair of worlds is another line-up that was filed; with QUATUOR_LONG=1 there are 10,000 answers.
	most, differ := 1, 0
	if os.Getenv("QUATUOR_LONG") != "" {
		most = 10_000
	}
	for i := 0; answers < most; i++ {
		one := look(m[i%5], m[(i+1)%5], m[(i+2)%5], m[(i+3)%5])
		other := look(m[(i+4)%5], m[(i+3)%5], m[(i+2)%5], m[(i+1)%5])
		differ += apitest.Differences(t, one, other)
		paths = slices.DeleteFunc(paths, func(path string) bool { // a few times an hour
			return path == "/me/export" || path == "/games/export"
		})
	}
	t.Logf("%d answers by %d viewers to %d paths: %d differ", answers, len(viewers), len(paths), differ)
}
