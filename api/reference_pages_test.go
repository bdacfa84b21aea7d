package api_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestDesignIsServedOnRequest: the page of all components is there with the flag alone, in every language.
func TestDesignIsServedOnRequest(t *testing.T) {
	plain := newService(t, func(c *configuration) { c.pages = true })
	plain.visitor().get("/design").want(t, http.StatusNotFound)
	s := newService(t, func(c *configuration) { c.pages, c.design = true, true })
	for _, in := range languages() {
		s.visitor().get("/design", inLanguage(in)).want(t, http.StatusOK).says(t,
			`<html lang="`+in.Language()+`">`, "<h1>"+textOf(t, in, "design.title")+"</h1>", "Ada Nowak", "Club Open")
	}
}

// TestHelpAnswersPlayers in every language, with the words that are on the buttons and a picture for each; guests find it from the first page,
// from where accounts are opened, and at the foot of every page.
func TestHelpAnswersPlayers(t *testing.T) {
	s := newService(t, func(c *configuration) { c.pages = true })
	for _, in := range languages() {
		for path, keys := range map[string][]string{
			"/help":        {"help.title", "help.join.title", "taking_part.register", "game_start.here"},
			"/help/phone":  {"help.phone.title", "start.slip", "mine.to_board", "play.other_ways", "help.phone.picture"},
			"/help/rating": {"help.rating.title", "help.rating.picture"},
		} {
			page := s.visitor().get(path, inLanguage(in)).want(t, http.StatusOK)
			for _, key := range keys {
				page.says(t, textOf(t, in, key))
			}
			page.says(t, "<figure><svg")
		}
	}
	s.visitor().get("/help/nothing").want(t, http.StatusNotFound)
	for path, links := range map[string]int{"/": 2, "/register": 2, "/players": 1} {
		if got := strings.Count(s.visitor().get(path).want(t, http.StatusOK).page(), `href="/help"`); got != links {
			t.Errorf("%s has %d links to the help, want %d", path, got, links)
		}
	}
}
