package rest_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/apitest"
	"quatuor/engine/table"
	"quatuor/tournament/account"
)

// TestPlayersMustAccept goes through an invitation: nothing runs before all have accepted.
func TestPlayersMustAccept(t *testing.T) {
	s := apitest.New(t)
	ada, bob, cyd, eve := s.Reserved("ada"), s.Reserved("bob"), s.Reserved("cyd"), s.Reserved("eve")
	made := ada.Post("/games", apitest.GameOf("quivive/melee", ada.Player, bob.Player, cyd.Player)).
		Want(t, http.StatusCreated)
	id := made.Text("id")
	if made.Text("status") != "waiting" || made.At("seats", 0, "accepted") != true ||
		made.At("seats", 1, "accepted") != false || made.Text("accept_until") == "" {
		t.Errorf("as it was made: %s", made.Raw)
	}
	s.Pass(23 * time.Hour)
	ada, bob, cyd, eve = ada.Again(), bob.Again(), cyd.Again(), eve.Again()
	seen := s.Anonymous().Get("/games/"+id).Want(t, http.StatusOK)
	if seen.Text("status") != "waiting" || seen.At("seats", 0, "running") != false ||
		seen.Number("seats", 0, "remaining_ms") != 300_000 {
		t.Errorf("a day later: %s", seen.Raw)
	}
	for _, act := range []string{"/moves", "/resign", "/draw"} {
		body := map[string]any{"seat": 1, "turn": 1, "move": "d4"}
		switch act {
		case "/resign":
			body = map[string]any{"seat": 1}
		case "/draw":
			body = map[string]any{"action": "offer"}
		}
		ada.Post("/games/"+id+act, body).Refused(t, http.StatusConflict, "not-started")
	}
	eve.Post("/games/"+id+"/accept", nil).Refused(t, http.StatusForbidden, "not-your-seat")
	eve.Post("/games/"+id+"/decline", nil).Refused(t, http.StatusForbidden, "not-your-seat")
	s.WithRole("olga", account.RoleOrganiser).Post("/games/"+id+"/accept", nil).
		Refused(t, http.StatusForbidden, "not-your-seat")
	s.Anonymous().Post("/games/"+id+"/accept", nil).Refused(t, http.StatusUnauthorized, "unauthorized")
	bob.TokenFor("read").Post("/games/"+id+"/accept", nil).Refused(t, http.StatusForbidden, "insufficient-scope")
	bob.Post("/games/unknown/accept", nil).Refused(t, http.StatusNotFound, "not-found")

	for _, p := range []struct {
		player apitest.Person
		lists  int
	}{{bob, 1}, {eve, 0}} {
		list := p.player.Get("/games?status=waiting&player="+p.player.Player).Want(t, http.StatusOK)
		if len(list.List("items")) != p.lists || p.lists > 0 && list.At("items", 0, "seats", 1, "accepted") != false {
			t.Errorf("the invitations of %s: %s", p.player.Player, list.Raw)
		}
	}
	first := bob.Post("/games/"+id+"/accept", nil, apitest.Header{"Idempotency-Key", "yes"}).Want(t, http.StatusOK)
	again := bob.Post("/games/"+id+"/accept", nil, apitest.Header{"Idempotency-Key", "yes"}).Want(t, http.StatusOK)
	if first.Text("status") != "waiting" || first.At("seats", 1, "accepted") != true ||
		string(again.Raw) != string(first.Raw) {
		t.Errorf("after one of two: %s, and repeated %s", first.Raw, again.Raw)
	}
	bob.Post("/games/"+id+"/accept", nil).Want(t, http.StatusOK)
	last := cyd.TokenFor("play").Post("/games/"+id+"/accept", nil).Want(t, http.StatusOK)
	if last.Text("status") != "running" || last.Kinds() != "accept accept start" ||
		last.At("seats", 0, "accepted") != nil ||
		last.At("accept_until") != nil || last.Number("seats", 0, "remaining_ms") < 290_000 {
		t.Errorf("after the last: %s", last.Raw)
	}
	bob.Post("/games/"+id+"/decline", nil).Refused(t, http.StatusConflict, "no-invitation")
	bob.Post("/games/"+id+"/accept", nil).Want(t, http.StatusOK)
	s.Anonymous().Get("/games/"+id+"/record").Want(t, http.StatusOK).Lacks(t, "accept")
}

// TestInvitationsThatComeToNothing declines, breaks off and lets time pass; each ends the game for all, without a
// result.
func TestInvitationsThatComeToNothing(t *testing.T) {
	s := apitest.New(t)
	ada, bob, cyd := s.Reserved("ada"), s.Reserved("bob"), s.Reserved("cyd")
	olga := s.WithRole("olga", account.RoleOrganiser)
	invite := func(by apitest.Person) string {
		t.Helper()
		return "/games/" + by.Post("/games", apitest.GameOf("quivive/melee", ada.Player, bob.Player, cyd.Player)).
			Want(t, http.StatusCreated).Text("id")
	}
	game := invite(ada)
	cyd.Post(game+"/accept", nil).Want(t, http.StatusOK)
	declined := bob.Post(game+"/decline", map[string]any{"reason": "no  time today"}).Want(t, http.StatusOK)
	if declined.Text("status") != "aborted" || declined.Text("events", 1,
		"text") != "declined by Player bob: no time today" ||
		declined.Number("events", 1, "seat") != 2 {
		t.Errorf("declined: %s", declined.Raw)
	}
	bob.Post(game+"/decline", nil).Want(t, http.StatusOK)
	cyd.Post(game+"/decline", nil).Refused(t, http.StatusConflict, "game-over")
	bob.Post(game+"/accept", nil).Refused(t, http.StatusConflict, "game-over")
	s.Anonymous().Get(game+"/record").Want(t, http.StatusOK).Has(t, "declined by Player bob")

	game = invite(ada)
	ada.Post(game+"/abort", nil).Want(t, http.StatusOK)
	bob.Post(game+"/accept", nil).Refused(t, http.StatusConflict, "game-over")

	game = invite(olga)
	if seen := s.Anonymous().Get(game); seen.At("seats", 0, "accepted") != false {
		t.Errorf("an organiser speaks for the player of seat 1: %s", seen.Raw)
	}
	s.WithRole("otto", account.RoleOrganiser).Post(game+"/abort", nil).Refused(t, http.StatusForbidden, "not-your-seat")
	olga.Post(game+"/abort", nil).Want(t, http.StatusOK)

	game = invite(ada)
	s.Pass(24*time.Hour + time.Minute)
	bob.Again().Post(game+"/accept", nil).Refused(t, http.StatusConflict, "game-over")
	over := s.Anonymous().Get(game).Want(t, http.StatusOK)
	if over.Text("status") != "aborted" || !strings.Contains(over.Text("events", 0, "text"), "24 hours") ||
		over.At("outcome") != nil {
		t.Errorf("too late: %s", over.Raw)
	}
}

// TestRacesForAnInvitation lets everything happen at the same moment: each game ends up in a single state, by a single
// line.
func TestRacesForAnInvitation(t *testing.T) {
	s := apitest.New(t, func(c *apitest.Config) { c.Limits = api.Limits{} })
	ada, bob, cyd := s.Reserved("ada"), s.Reserved("bob"), s.Reserved("cyd")
	seen := map[string]int{}
	for n := range 40 {
		if n%table.MaxUnplayedTo == 0 { // these games that were not played are too many for an hour
			s.Pass(2 * time.Hour)
			ada, bob, cyd = ada.Again(), bob.Again(), cyd.Again()
		}
		game := "/games/" + ada.Post("/games", apitest.GameOf("quivive/melee", ada.Player, bob.Player, cyd.Player)).
			Want(t, http.StatusCreated).Text("id")
		acts := []struct {
			by  apitest.Person
			act string
		}{{bob, "/accept"}, {cyd, "/accept"}, {bob, "/accept"}, {cyd, "/decline"}, {ada, "/abort"}}[:3+n%3]
		answers := make([]*apitest.Answer, len(acts))
		var group sync.WaitGroup
		for i, a := range acts {
			group.Go(func() { answers[i] = a.by.Post(game+a.act, nil) })
		}
		group.Wait()
		for i, a := range answers {
			if a.Status != http.StatusOK && a.Status != http.StatusConflict {
				t.Errorf("%s: %d %s", acts[i].act, a.Status, a.Raw)
			}
		}
		over := ada.Get(game).Want(t, http.StatusOK)
		kinds, status := over.Kinds(), over.Text("status")
		seen[status]++
		if strings.Count(kinds, "start") > 1 || strings.Count(kinds, "abort") > 1 || strings.Contains(kinds, "start") &&
			!strings.HasPrefix(kinds, "accept accept start") ||
			(status == "aborted") != strings.HasSuffix(kinds, "abort") || n%3 == 0 && status != "running" ||
			status == "waiting" {
			t.Errorf("%s after %s", status, kinds)
		}
		if status == "running" {
			ada.Post(game+"/abort", nil).Want(t, http.StatusOK)
		}
	}
	if seen["running"] == 0 || seen["aborted"] == 0 {
		t.Errorf("the races had one kind of winner: %v", seen)
	}
}

// TestOpenToChallenges starts games at once with players open to challenges.
func TestOpenToChallenges(t *testing.T) {
	s := apitest.New(t)
	ada, bob, cyd := s.Reserved("ada"), s.Reserved("bob"), s.Reserved("cyd")
	if me := bob.Get("/me").Want(t, http.StatusOK); me.At("open_to_challenges") != false {
		t.Errorf("at first: %s", me.Raw)
	}
	bob.TokenFor("read").Send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": true}).
		Refused(t, http.StatusForbidden, "insufficient-scope")
	if me := bob.Send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": true}).
		Want(t, http.StatusOK); me.At("open_to_challenges") != true {
		t.Errorf("switched on: %s", me.Raw)
	}
	s.Anonymous().Get("/players/"+bob.Player).Want(t, http.StatusOK).Has(t, `"open_to_challenges":true`)
	s.Anonymous().Get("/players/"+cyd.Player).Want(t, http.StatusOK).Lacks(t, "open_to_challenges")
	if g := ada.Post("/games", apitest.GameOf("quixo/duel", ada.Player, bob.Player)).
		Want(t, http.StatusCreated); g.Text("status") != "running" {
		t.Errorf("with a player who is open to challenges: %s", g.Raw)
	}
	three := ada.Post("/games", apitest.GameOf("quivive/melee", ada.Player, bob.Player, cyd.Player)).
		Want(t, http.StatusCreated)
	if three.At("seats", 1, "accepted") != true || three.At("seats", 2, "accepted") != false {
		t.Errorf("with one of two: %s", three.Raw)
	}
	bob.Send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": false}).Want(t, http.StatusOK)
	if g := ada.Post("/games", apitest.GameOf("quixo/duel", ada.Player, bob.Player)).
		Want(t, http.StatusCreated); g.Text("status") != "waiting" {
		t.Errorf("switched off: %s", g.Raw)
	}
	olga := s.WithRole("olga", account.RoleOrganiser)
	olga.Send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": true}).
		Refused(t, http.StatusConflict, "no-player")
	for _, body := range []string{
		`{}`, `{"password":"another good password"}`,
		`{"current_password":"x","open_to_challenges":true}`,
	} {
		bob.Send(http.MethodPatch, "/me", body).Refused(t, http.StatusUnprocessableEntity, "invalid")
	}
}

// TestChallengesAtOnce lets strangers challenge a player that is open to challenges: as many games begin at once as the
// player allows, a single game by default, and the others wait for the player to accept. The number is set over REST
// and on the page.
func TestChallengesAtOnce(t *testing.T) {
	s := apitest.New(t, func(c *apitest.Config) { c.Pages = true })
	ada, bob := s.Reserved("ada"), s.Reserved("bob")
	status := func() string {
		return ada.Post("/games", apitest.GameOf("quixo/duel", ada.Player, bob.Player)).Want(t, http.StatusCreated).
			Text("status")
	}
	set := func(number any) *apitest.Answer {
		return bob.Send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": true, "challenges_at_once": number})
	}
	if me := set(1).Want(t, http.StatusOK); me.Number("challenges_at_once") != 1 {
		t.Errorf("at first: %s", me.Raw)
	}
	if first, second := status(), status(); first != "running" || second != "waiting" {
		t.Errorf("two challenges are %s and %s", first, second)
	}
	set(0).Refused(t, http.StatusBadRequest, "malformed")
	set(21).Refused(t, http.StatusBadRequest, "malformed")
	set(2).Want(t, http.StatusOK)
	if third, fourth := status(), status(); third != "running" || fourth != "waiting" {
		t.Errorf("with two at once the next are %s and %s", third, fourth)
	}
	v := s.LoggedIn("bob")
	page := v.Get("/me").Want(t, http.StatusOK).Has(t, `id="at_once"`, `value="2"`)
	version := regexp.MustCompile(`name="version" value="(\d+)"`).FindSubmatch(page.Raw)
	for _, number := range []string{"0", "21", "x", "-1", "1.5"} {
		v.Post("/me/player", "name", "Bob", "club", "", "challenges", "yes", "at_once", number, "version",
			string(version[1])).
			Alert(t, http.StatusUnprocessableEntity, "from 1 to 20").Has(t, `value="`+number+`"`)
	}
	v.Post("/me/player", "name", "Bob", "club", "", "challenges", "yes", "at_once", "3", "version", string(version[1])).
		RedirectsTo(t, "/me?said=saved")
	if me := bob.Get("/me").Want(t, http.StatusOK); me.Number("challenges_at_once") != 3 || status() != "running" {
		t.Errorf("set on the page: %s", me.Raw)
	}
}

// TestPlayersThatCannotBeInvited refuses players unable to accept, and rated games that are not fair.
func TestPlayersThatCannotBeInvited(t *testing.T) {
	s := apitest.New(t)
	ada, bob, gone := s.Reserved("ada"), s.Reserved("bob"), s.Register("gone")
	olga, admin := s.WithRole("olga", account.RoleOrganiser), s.WithRole("adam", account.RoleAdmin)
	guest := olga.Post("/players", map[string]any{"name": "Guest"}).Want(t, http.StatusCreated).Text("id")
	tag := admin.Get("/accounts/"+gone.Account).Want(t, http.StatusOK).IfMatch()
	admin.Send(http.MethodPatch, "/accounts/"+gone.Account, map[string]any{"disabled": true}, tag).Want(t, http.StatusOK)
	for _, by := range []apitest.Person{ada, olga, admin} {
		by.Post("/games", apitest.GameOf("quixo/duel", ada.Player, guest)).
			Refused(t, http.StatusUnprocessableEntity, "invalid").
			Has(t, "/seats/1/player_id", "Guest has no account", "tournament")
		by.Post("/games", apitest.GameOf("quixo/duel", ada.Player, gone.Player)).
			Refused(t, http.StatusUnprocessableEntity, "invalid").
			Has(t, "/seats/1/player_id", "is closed")
	}
	uneven := apitest.GameOf("quixo/duel", ada.Player, bob.Player)
	uneven["seats"].([]any)[1].(map[string]any)["time_control"] = "0.001"
	ada.Post("/games", uneven).Refused(t, http.StatusUnprocessableEntity, "invalid-setup").
		Has(t, `"/seats"`, "same time control")
	ada.Post("/games", apitest.With(uneven, "rated", false)).Want(t, http.StatusCreated)
	short := apitest.With(apitest.GameOf("quixo/duel", ada.Player, bob.Player), "time_control", "30")
	ada.Post("/games", short).Refused(t, http.StatusUnprocessableEntity, "invalid-setup").
		Has(t, `"/time_control"`, "too short")
	endless := apitest.With(apitest.GameOf("quixo/duel", ada.Player, bob.Player), "time_control", "none")
	endless["options"] = map[string]any{"repetition": "0", "max_plies": "0"}
	ada.Post("/games", endless).Refused(t, http.StatusUnprocessableEntity, "invalid-setup").
		Has(t, `"/options"`, "for ever")
	cup := map[string]any{
		"name": "Cup", "variant": "quixo/duel", "format": "round_robin", "time_control": "none",
		"options": endless["options"], "rated": true,
	}
	olga.Post("/tournaments", cup).Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, `"/options"`, "for ever")
	olga.Post("/tournaments", apitest.With(cup, "time_control", "300")).Want(t, http.StatusCreated)
}

// TestInvitationsAreLimited counts what an account has open, in all and to the same player.
func TestInvitationsAreLimited(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Reserved("ada"), s.Reserved("bob")
	others := make([]apitest.Person, 20)
	for i := range others {
		others[i] = s.Reserved(fmt.Sprint("other", i))
	}
	for range 3 {
		ada.Post("/games", apitest.GameOf("quixo/duel", ada.Player, bob.Player)).Want(t, http.StatusCreated)
	}
	ada.Post("/games", apitest.GameOf("quixo/duel", ada.Player, bob.Player)).
		Refused(t, http.StatusConflict, "too-many-invitations").Has(t, "3 is the limit")
	statuses := make([]int, len(others))
	var group sync.WaitGroup
	for i, other := range others {
		group.Go(func() {
			statuses[i] = ada.Post("/games", apitest.GameOf("quixo/duel", ada.Player, other.Player)).Status
		})
	}
	group.Wait()
	slices.Sort(statuses)
	if want := append(slices.Repeat([]int{http.StatusCreated}, 17),
		slices.Repeat([]int{http.StatusConflict}, 3)...); !slices.Equal(statuses, want) {
		t.Errorf("twenty more at once: %v", statuses)
	}
	bob.Post("/games", apitest.GameOf("quixo/duel", bob.Player, ada.Player)).Want(t, http.StatusCreated)
	list := ada.Get("/games?status=waiting&limit=200&player="+bob.Player).Want(t, http.StatusOK)
	bob.Post("/games/"+list.Text("items", 1, "id")+"/decline", nil).Want(t, http.StatusOK)
	ada.Post("/games", apitest.GameOf("quixo/duel", ada.Player, bob.Player)).Want(t, http.StatusCreated)
}

// TestNoRematchWithoutWelcome: a blocked player offers no rematch, over REST as by the form.
func TestNoRematchWithoutWelcome(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	ada, bob := s.Register("ada"), s.Register("bob")
	id := ada.Post("/games", apitest.GameOf("quixo/duel", ada.Player, bob.Player)).Want(t, http.StatusCreated).Text("id")
	ada.Post("/games/"+id+"/resign", nil).Want(t, http.StatusOK)
	ada.Post("/me/blocks", map[string]any{"player_id": bob.Player}).Want(t, http.StatusOK)
	bob.Post("/games/"+id+"/rematch", nil).Refused(t, http.StatusForbidden, "unwelcome")
	bob.PostForm("/games/"+id+"/rematch", nil).Want(t, http.StatusForbidden)
	bob.Get("/games/"+id+"/rematch").Want(t, http.StatusNotFound)
}

// TestARematchMustBeAccepted offers a rematch to a player that is open to challenges: it waits for the player's consent
// all the same.
func TestARematchMustBeAccepted(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	over := func() string {
		t.Helper()
		id := ada.Post("/games", apitest.GameOf("quixo/duel", ada.Player, bob.Player)).Want(t, http.StatusCreated).Text("id")
		ada.Post("/games/"+id+"/resign", nil).Want(t, http.StatusOK)
		return "/games/" + id
	}
	game := over()
	for range 2 {
		offered := ada.Post(game+"/rematch", nil).Want(t, http.StatusOK)
		if offered.Text("status") != "waiting" || offered.At("seats", 0, "accepted") != false ||
			offered.At("seats", 1, "accepted") != true {
			t.Errorf("offered: %s", offered.Raw)
		}
	}
	ada.Post("/games/"+ada.Get(game+"/rematch").Text("id")+"/accept", nil).Want(t, http.StatusOK)
	if next := bob.Post(game+"/rematch", nil).Want(t, http.StatusOK); next.Text("status") != "running" {
		t.Errorf("agreed: %s", next.Raw)
	}
	game = over()
	id := bob.Post(game+"/rematch", nil).Want(t, http.StatusOK).Text("id")
	if next := ada.Post("/games/"+id+"/accept", nil).Want(t, http.StatusOK); next.Text("status") != "running" {
		t.Errorf("accepted: %s", next.Raw)
	}
	game = over()
	id = bob.Post(game+"/rematch", nil).Want(t, http.StatusOK).Text("id")
	ada.Post("/games/"+id+"/decline", nil).Want(t, http.StatusOK)
	bob.Post(game+"/rematch", nil).Refused(t, http.StatusConflict, "rematch-declined")
}

// TestUnmovedPlayersLoseNoRating repeats what could be done to others: two leave a game of three, and the first of them
// before it has moved; a player that has not moved keeps its rating, and the game cannot be broken off for ever.
func TestUnmovedPlayersLoseNoRating(t *testing.T) {
	s := apitest.New(t)
	ada, bob, cyd := s.Register("ada"), s.Register("bob"), s.Register("cyd")
	ratings := func(p apitest.Person) int {
		return len(s.Anonymous().Get("/players/"+p.Player+"/ratings").Want(t, http.StatusOK).List("items"))
	}
	game := "/games/" + ada.Post("/games", apitest.GameOf("quivive/melee", ada.Player, bob.Player, cyd.Player)).
		Want(t, http.StatusCreated).Text("id")
	play := func(p apitest.Person, seat int) {
		t.Helper()
		g := p.Get(game).Want(t, http.StatusOK)
		token := g.Text("legal", fmt.Sprint(seat), 0)
		p.Post(game+"/moves", apitest.Move(seat, g.Number("turn"), token)).Want(t, http.StatusOK)
	}
	play(ada, 1)
	bob.Post(game+"/resign", nil).Want(t, http.StatusOK)
	s.Pass(time.Hour) // the flag of the third falls, before its first move
	if over := s.Anonymous().Get(game); over.Text("status") != "finished" {
		cyd.Again().Post(game+"/resign", nil)
	}
	if over := s.Anonymous().Get(game).Want(t, http.StatusOK); over.Text("status") != "finished" {
		t.Fatalf("%s", over.Raw)
	}
	for _, p := range []apitest.Person{ada, bob, cyd} {
		if n := ratings(p); n != 0 {
			t.Errorf("%s has %d ratings by a game in which only one moved", p.Player, n)
		}
	}
	ada, bob, cyd = ada.Again(), bob.Again(), cyd.Again()
	game = "/games/" + ada.Post("/games", apitest.GameOf("quivive/melee", ada.Player, bob.Player, cyd.Player)).
		Want(t, http.StatusCreated).Text("id")
	play(ada, 1)
	cyd.Post(game+"/resign", nil).Want(t, http.StatusOK) // before its first move
	play(bob, 2)
	ada.Post(game+"/abort", nil).Refused(t, http.StatusConflict, "too-late")
	for range 3 { // a game that is resigned earlier does not count
		play(ada, 1)
		play(bob, 2)
	}
	bob.Post(game+"/resign", nil).Want(t, http.StatusOK)
	if ratings(ada) != 1 || ratings(bob) != 1 || ratings(cyd) != 0 {
		t.Errorf("rated: %d, %d and %d", ratings(ada), ratings(bob), ratings(cyd))
	}
}
