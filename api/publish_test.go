package api_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/tournament"
	"quatuor/tournament/account"
)

// published makes the files of tournaments.
func published(f *apitest.Fixture, ids ...string) (map[string]string, error) {
	f.T.Helper()
	folder := filepath.Join(f.T.TempDir(), "site")
	if err := app.Publish(f.T.Context(), f.Store, folder, ids, terminal.Streams{Out: io.Discard}); err != nil {
		return nil, err
	}
	list, err := os.ReadFile(filepath.Join(folder, ".quatuor-published"))
	f.Do(err)
	files, last := map[string]string{}, ""
	for name := range strings.Lines(string(list)) {
		last = strings.TrimSpace(name)
		if _, twice := files[last]; twice {
			f.T.Errorf("%s is made twice", last)
		}
		content, err := os.ReadFile(filepath.Join(folder, last))
		f.Do(err)
		files[last] = string(content)
	}
	if last != "index.html" {
		f.T.Errorf("the last file is %s", last)
	}
	return files, nil
}

var referred = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// TestPublish: every link in what is published leads to a file of it, nothing needs a server, and nothing private is
// published.
func TestPublish(t *testing.T) {
	f := apitest.NewFurnished(t)
	files, err := published(f)
	f.Do(err)
	for _, want := range []string{
		"index.html", "static/page.css", "tournaments/tuesday/index.html", "tournaments/tuesday/index_tab-standings.html",
		"tournaments/tuesday/index_round-1.html",
		"tournaments/tuesday/players/1.html", "tournaments/tuesday/standings/3.html",
		"tournaments/tuesday/prizes.html", "games/tuesday-1-1.html", "tournaments/tuesday.ics", "rules/quixo.html",
	} {
		if files[want] == "" {
			t.Errorf("%s is missing", want)
		}
	}
	for name, content := range files {
		for _, secret := range []string{"Surprise Open", "brothers", "login-of", "only the organisers"} {
			if strings.Contains(content, secret) {
				t.Errorf("%s tells %q", name, secret)
			}
		}
	}
	standsAlone(t, files)
}

// standsAlone demands of published files that every link leads to another of them, and that nothing needs a server.
func standsAlone(t *testing.T, files map[string]string) {
	t.Helper()
	for name, content := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		apitest.WellFormed(t, content)
		for _, bad := range []string{"<script", "<form", "data-live", "/api/v1", "og:image", "/login"} {
			if strings.Contains(content, bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
		for _, found := range referred.FindAllStringSubmatch(content, -1) {
			target, anchor, _ := strings.Cut(found[1], "#")
			if target == "" {
				continue
			}
			to := path.Join(path.Dir(name), target)
			if files[to] == "" {
				t.Errorf("%s leads to %s, which is not there", name, found[1])
			} else if anchor != "" && !strings.Contains(files[to], `id="`+anchor+`"`) {
				t.Errorf("%s leads to %s, where there is no %s", name, to, anchor)
			}
		}
	}
}

// TestPublishSeasons: series, ladders, leagues and seasons are published with what they lead to, and without what only
// visitors with an account can do.
func TestPublishSeasons(t *testing.T) {
	f := apitest.NewFixture(t)
	olga := f.WithRole("olga", account.RoleOrganiser)
	players := []apitest.Person{f.Register("ada"), f.Register("bert"), f.Register("carl"), f.Register("dora")}
	first, second := f.PlayOut(t, olga, players[:3]...), f.PlayOut(t, olga, players[:3]...)
	series, ladder := apitest.SeriesOf(t, olga, first, second), apitest.LadderOf(t, olga, players...)
	league := apitest.LeagueOf(t, olga, "round_robin", "Anna Bo Cem", "Dan Eve Fay")
	olga.Post(league+"/seasons/1/confirm", nil, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	season := apitest.SeasonOf(t, olga, series, ladder, league+"/seasons/1")
	files, err := published(f)
	f.Do(err)
	for at, wanted := range map[string]string{
		series: `class="chart"`, ladder: "bert", league: "Cem", season: "2026/27",
		season + "/players/" + players[0].Player: "ada",
	} {
		name := strings.TrimPrefix(at, "/")
		content := files[name] + files[name+".html"] + files[name+"/index.html"]
		if !strings.Contains(content, wanted) {
			t.Errorf("%s is missing, or lacks %q", name, wanted)
		}
	}
	standsAlone(t, files)
}

// TestPublishOneTournament leaves out the others, and refuses a tournament that is not public.
func TestPublishOneTournament(t *testing.T) {
	f := apitest.NewFurnished(t)
	files, err := published(f, "autumn")
	f.Do(err)
	for name := range files {
		if strings.Contains(name, "tuesday") || strings.Contains(name, "left") {
			t.Errorf("%s is there, too", name)
		}
	}
	for _, id := range []string{"secret", "none"} {
		if _, err := published(f, id); !errors.Is(err, tournament.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := f.Pages.Publish(t.Context(), nil); err == nil {
		t.Error("pages that know visitors are published")
	}
}
