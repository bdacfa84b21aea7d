package reference_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestDesignIsServedOnRequest: the page of all components is there with the flag alone, in every language.
func TestDesignIsServedOnRequest(t *testing.T) {
	plain := apitest.New(t, func(c *apitest.Config) { c.Pages = true })
	plain.Visitor().Get("/design").Want(t, http.StatusNotFound)
	s := apitest.New(t, func(c *apitest.Config) { c.Pages, c.Design = true, true })
	for _, in := range apitest.Languages() {
		s.Visitor().Get("/design", apitest.InLanguage(in)).Want(t, http.StatusOK).Says(t,
			`<html lang="`+in.Language()+`">`, "<h1>"+apitest.TextOf(t, in, "design.title")+"</h1>", "Ada Nowak", "Club Open")
	}
}

// TestHelpAnswersPlayers in every language, with the words that are on the buttons and a picture for each; guests find it from the first page,
// from where accounts are opened, and at the foot of every page.
func TestHelpAnswersPlayers(t *testing.T) {
	s := apitest.New(t, func(c *apitest.Config) { c.Pages = true })
	for _, in := range apitest.Languages() {
		for path, keys := range map[string][]string{
			"/help":        {"help.title", "help.join.title", "taking_part.register", "game_start.here"},
			"/help/phone":  {"help.phone.title", "start.slip", "mine.to_board", "play.other_ways", "help.phone.picture"},
			"/help/rating": {"help.rating.title", "help.rating.picture"},
		} {
			page := s.Visitor().Get(path, apitest.InLanguage(in)).Want(t, http.StatusOK)
			for _, key := range keys {
				page.Says(t, apitest.TextOf(t, in, key))
			}
			page.Says(t, "<figure><svg")
		}
	}
	s.Visitor().Get("/help/nothing").Want(t, http.StatusNotFound)
	for path, links := range map[string]int{"/": 2, "/register": 2, "/players": 1} {
		if got := strings.Count(s.Visitor().Get(path).Want(t, http.StatusOK).Page(), `href="/help"`); got != links {
			t.Errorf("%s has %d links to the help, want %d", path, got, links)
		}
	}
}
