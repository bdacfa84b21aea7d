package api_test

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
	"quatuor/engine/table"
	"quatuor/tournament/account"
)

// reserved opens an account with a player that must accept each game.
func (s *service) reserved(login string) person {
	s.t.Helper()
	p := s.register(login)
	p.send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": false}).want(s.t, http.StatusOK)
	return p
}

// gameOf is the body of a request for a game between some players.
func gameOf(variant string, players ...string) map[string]any {
	seats := make([]any, len(players))
	for i, id := range players {
		seats[i] = map[string]any{"player_id": id}
	}
	return map[string]any{"variant": variant, "time_control": "300+3", "rated": true, "start": "now", "seats": seats}
}

func with(body map[string]any, key string, value any) map[string]any {
	body[key] = value
	return body
}

func (a *answer) kinds() string {
	var kinds []string
	for i := range a.list("events") {
		kinds = append(kinds, a.text("events", i, "kind"))
	}
	return strings.Join(kinds, " ")
}

// TestPlayersMustAccept goes through an invitation: nothing runs before all have accepted.
func TestPlayersMustAccept(t *testing.T) {
	s := newService(t)
	ada, bob, cyd, eve := s.reserved("ada"), s.reserved("bob"), s.reserved("cyd"), s.reserved("eve")
	made := ada.post("/games", gameOf("quivive/melee", ada.player, bob.player, cyd.player)).want(t, http.StatusCreated)
	id := made.text("id")
	if made.text("status") != "waiting" || made.at("seats", 0, "accepted") != true ||
		made.at("seats", 1, "accepted") != false || made.text("accept_until") == "" {
		t.Errorf("as it was made: %s", made.raw)
	}
	s.pass(23 * time.Hour)
	ada, bob, cyd, eve = ada.again(), bob.again(), cyd.again(), eve.again()
	seen := s.anonymous().get("/games/"+id).want(t, http.StatusOK)
	if seen.text("status") != "waiting" || seen.at("seats", 0, "running") != false ||
		seen.number("seats", 0, "remaining_ms") != 300_000 {
		t.Errorf("a day later: %s", seen.raw)
	}
	for _, act := range []string{"/moves", "/resign", "/draw"} {
		body := map[string]any{"seat": 1, "turn": 1, "move": "d4"}
		switch act {
		case "/resign":
			body = map[string]any{"seat": 1}
		case "/draw":
			body = map[string]any{"action": "offer"}
		}
		ada.post("/games/"+id+act, body).refused(t, http.StatusConflict, "not-started")
	}
	eve.post("/games/"+id+"/accept", nil).refused(t, http.StatusForbidden, "not-your-seat")
	eve.post("/games/"+id+"/decline", nil).refused(t, http.StatusForbidden, "not-your-seat")
	s.withRole("olga", account.RoleOrganiser).post("/games/"+id+"/accept", nil).
		refused(t, http.StatusForbidden, "not-your-seat")
	s.anonymous().post("/games/"+id+"/accept", nil).refused(t, http.StatusUnauthorized, "unauthorized")
	bob.tokenFor("read").post("/games/"+id+"/accept", nil).refused(t, http.StatusForbidden, "insufficient-scope")
	bob.post("/games/unknown/accept", nil).refused(t, http.StatusNotFound, "not-found")

	for _, p := range []struct {
		player person
		lists  int
	}{{bob, 1}, {eve, 0}} {
		list := p.player.get("/games?status=waiting&player="+p.player.player).want(t, http.StatusOK)
		if len(list.list("items")) != p.lists || p.lists > 0 && list.at("items", 0, "seats", 1, "accepted") != false {
			t.Errorf("the invitations of %s: %s", p.player.player, list.raw)
		}
	}
	first := bob.post("/games/"+id+"/accept", nil, header{"Idempotency-Key", "yes"}).want(t, http.StatusOK)
	again := bob.post("/games/"+id+"/accept", nil, header{"Idempotency-Key", "yes"}).want(t, http.StatusOK)
	if first.text("status") != "waiting" || first.at("seats", 1, "accepted") != true ||
		string(again.raw) != string(first.raw) {
		t.Errorf("after one of two: %s, and repeated %s", first.raw, again.raw)
	}
	bob.post("/games/"+id+"/accept", nil).want(t, http.StatusOK)
	last := cyd.tokenFor("play").post("/games/"+id+"/accept", nil).want(t, http.StatusOK)
	if last.text("status") != "running" || last.kinds() != "accept accept start" ||
		last.at("seats", 0, "accepted") != nil ||
		last.at("accept_until") != nil || last.number("seats", 0, "remaining_ms") < 290_000 {
		t.Errorf("after the last: %s", last.raw)
	}
	bob.post("/games/"+id+"/decline", nil).refused(t, http.StatusConflict, "no-invitation")
	bob.post("/games/"+id+"/accept", nil).want(t, http.StatusOK)
	s.anonymous().get("/games/"+id+"/record").want(t, http.StatusOK).lacks(t, "accept")
}

// TestInvitationsThatComeToNothing declines, breaks off and lets time pass; each ends the game for all, without a
// result.
func TestInvitationsThatComeToNothing(t *testing.T) {
	s := newService(t)
	ada, bob, cyd := s.reserved("ada"), s.reserved("bob"), s.reserved("cyd")
	olga := s.withRole("olga", account.RoleOrganiser)
	invite := func(by person) string {
		t.Helper()
		return "/games/" + by.post("/games", gameOf("quivive/melee", ada.player, bob.player, cyd.player)).
			want(t, http.StatusCreated).text("id")
	}
	game := invite(ada)
	cyd.post(game+"/accept", nil).want(t, http.StatusOK)
	declined := bob.post(game+"/decline", map[string]any{"reason": "no  time today"}).want(t, http.StatusOK)
	if declined.text("status") != "aborted" || declined.text("events", 1,
		"text") != "declined by Player bob: no time today" ||
		declined.number("events", 1, "seat") != 2 {
		t.Errorf("declined: %s", declined.raw)
	}
	bob.post(game+"/decline", nil).want(t, http.StatusOK)
	cyd.post(game+"/decline", nil).refused(t, http.StatusConflict, "game-over")
	bob.post(game+"/accept", nil).refused(t, http.StatusConflict, "game-over")
	s.anonymous().get(game+"/record").want(t, http.StatusOK).has(t, "declined by Player bob")

	game = invite(ada)
	ada.post(game+"/abort", nil).want(t, http.StatusOK)
	bob.post(game+"/accept", nil).refused(t, http.StatusConflict, "game-over")

	game = invite(olga)
	if seen := s.anonymous().get(game); seen.at("seats", 0, "accepted") != false {
		t.Errorf("an organiser speaks for the player of seat 1: %s", seen.raw)
	}
	s.withRole("otto", account.RoleOrganiser).post(game+"/abort", nil).refused(t, http.StatusForbidden, "not-your-seat")
	olga.post(game+"/abort", nil).want(t, http.StatusOK)

	game = invite(ada)
	s.pass(24*time.Hour + time.Minute)
	bob.again().post(game+"/accept", nil).refused(t, http.StatusConflict, "game-over")
	over := s.anonymous().get(game).want(t, http.StatusOK)
	if over.text("status") != "aborted" || !strings.Contains(over.text("events", 0, "text"), "24 hours") ||
		over.at("outcome") != nil {
		t.Errorf("too late: %s", over.raw)
	}
}

// TestRacesForAnInvitation lets everything happen at the same moment: each game ends up in one state, by one line.
func TestRacesForAnInvitation(t *testing.T) {
	s := newService(t, func(c *configuration) { c.limits = api.Limits{} })
	ada, bob, cyd := s.reserved("ada"), s.reserved("bob"), s.reserved("cyd")
	seen := map[string]int{}
	for n := range 40 {
		if n%table.MaxUnplayedTo == 0 { // so many that were not played are too many for an hour
			s.pass(2 * time.Hour)
			ada, bob, cyd = ada.again(), bob.again(), cyd.again()
		}
		game := "/games/" + ada.post("/games", gameOf("quivive/melee", ada.player, bob.player, cyd.player)).
			want(t, http.StatusCreated).text("id")
		acts := []struct {
			by  person
			act string
		}{{bob, "/accept"}, {cyd, "/accept"}, {bob, "/accept"}, {cyd, "/decline"}, {ada, "/abort"}}[:3+n%3]
		answers := make([]*answer, len(acts))
		var group sync.WaitGroup
		for i, a := range acts {
			group.Go(func() { answers[i] = a.by.post(game+a.act, nil) })
		}
		group.Wait()
		for i, a := range answers {
			if a.status != http.StatusOK && a.status != http.StatusConflict {
				t.Errorf("%s: %d %s", acts[i].act, a.status, a.raw)
			}
		}
		over := ada.get(game).want(t, http.StatusOK)
		kinds, status := over.kinds(), over.text("status")
		seen[status]++
		if strings.Count(kinds, "start") > 1 || strings.Count(kinds, "abort") > 1 || strings.Contains(kinds, "start") &&
			!strings.HasPrefix(kinds, "accept accept start") ||
			(status == "aborted") != strings.HasSuffix(kinds, "abort") || n%3 == 0 && status != "running" ||
			status == "waiting" {
			t.Errorf("%s after %s", status, kinds)
		}
		if status == "running" {
			ada.post(game+"/abort", nil).want(t, http.StatusOK)
		}
	}
	if seen["running"] == 0 || seen["aborted"] == 0 {
		t.Errorf("the races had one kind of winner: %v", seen)
	}
}

// TestOpenToChallenges starts games at once with players open to challenges.
func TestOpenToChallenges(t *testing.T) {
	s := newService(t)
	ada, bob, cyd := s.reserved("ada"), s.reserved("bob"), s.reserved("cyd")
	if me := bob.get("/me").want(t, http.StatusOK); me.at("open_to_challenges") != false {
		t.Errorf("at first: %s", me.raw)
	}
	bob.tokenFor("read").send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": true}).
		refused(t, http.StatusForbidden, "insufficient-scope")
	if me := bob.send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": true}).
		want(t, http.StatusOK); me.at("open_to_challenges") != true {
		t.Errorf("switched on: %s", me.raw)
	}
	s.anonymous().get("/players/"+bob.player).want(t, http.StatusOK).has(t, `"open_to_challenges":true`)
	s.anonymous().get("/players/"+cyd.player).want(t, http.StatusOK).lacks(t, "open_to_challenges")
	if g := ada.post("/games", gameOf("quixo/duel", ada.player, bob.player)).
		want(t, http.StatusCreated); g.text("status") != "running" {
		t.Errorf("with a player who is open to challenges: %s", g.raw)
	}
	three := ada.post("/games", gameOf("quivive/melee", ada.player, bob.player, cyd.player)).want(t, http.StatusCreated)
	if three.at("seats", 1, "accepted") != true || three.at("seats", 2, "accepted") != false {
		t.Errorf("with one of two: %s", three.raw)
	}
	bob.send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": false}).want(t, http.StatusOK)
	if g := ada.post("/games", gameOf("quixo/duel", ada.player, bob.player)).
		want(t, http.StatusCreated); g.text("status") != "waiting" {
		t.Errorf("switched off: %s", g.raw)
	}
	olga := s.withRole("olga", account.RoleOrganiser)
	olga.send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": true}).
		refused(t, http.StatusConflict, "no-player")
	for _, body := range []string{
		`{}`, `{"password":"another good password"}`,
		`{"current_password":"x","open_to_challenges":true}`,
	} {
		bob.send(http.MethodPatch, "/me", body).refused(t, http.StatusUnprocessableEntity, "invalid")
	}
}

// TestChallengesAtOnce lets strangers challenge a player who is open to challenges: as many games begin at once as the
// player allows, one by default, and the others wait for the player to accept. The number is set over REST and on the
// page.
func TestChallengesAtOnce(t *testing.T) {
	s := newService(t, func(c *configuration) { c.pages = true })
	ada, bob := s.reserved("ada"), s.reserved("bob")
	status := func() string {
		return ada.post("/games", gameOf("quixo/duel", ada.player, bob.player)).want(t, http.StatusCreated).text("status")
	}
	set := func(number any) *answer {
		return bob.send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": true, "challenges_at_once": number})
	}
	if me := set(1).want(t, http.StatusOK); me.number("challenges_at_once") != 1 {
		t.Errorf("at first: %s", me.raw)
	}
	if first, second := status(), status(); first != "running" || second != "waiting" {
		t.Errorf("two challenges are %s and %s", first, second)
	}
	set(0).refused(t, http.StatusBadRequest, "malformed")
	set(21).refused(t, http.StatusBadRequest, "malformed")
	set(2).want(t, http.StatusOK)
	if third, fourth := status(), status(); third != "running" || fourth != "waiting" {
		t.Errorf("with two at once the next are %s and %s", third, fourth)
	}
	v := s.visits("bob")
	page := v.get("/me").want(t, http.StatusOK).has(t, `id="at_once"`, `value="2"`)
	version := regexp.MustCompile(`name="version" value="(\d+)"`).FindSubmatch(page.raw)
	for _, number := range []string{"0", "21", "x", "-1", "1.5"} {
		v.post("/me/player", "name", "Bob", "club", "", "challenges", "yes", "at_once", number, "version",
			string(version[1])).
			alert(t, http.StatusUnprocessableEntity, "from 1 to 20").has(t, `value="`+number+`"`)
	}
	v.post("/me/player", "name", "Bob", "club", "", "challenges", "yes", "at_once", "3", "version", string(version[1])).
		to(t, "/me?said=saved")
	if me := bob.get("/me").want(t, http.StatusOK); me.number("challenges_at_once") != 3 || status() != "running" {
		t.Errorf("set on the page: %s", me.raw)
	}
}

// TestPlayersThatCannotBeInvited refuses players unable to accept, and rated games that are not fair.
func TestPlayersThatCannotBeInvited(t *testing.T) {
	s := newService(t)
	ada, bob, gone := s.reserved("ada"), s.reserved("bob"), s.register("gone")
	olga, admin := s.withRole("olga", account.RoleOrganiser), s.withRole("adam", account.RoleAdmin)
	guest := olga.post("/players", map[string]any{"name": "Guest"}).want(t, http.StatusCreated).text("id")
	tag := admin.get("/accounts/"+gone.account).want(t, http.StatusOK).etag()
	admin.send(http.MethodPatch, "/accounts/"+gone.account, map[string]any{"disabled": true}, tag).want(t, http.StatusOK)
	for _, by := range []person{ada, olga, admin} {
		by.post("/games", gameOf("quixo/duel", ada.player, guest)).refused(t, http.StatusUnprocessableEntity, "invalid").
			has(t, "/seats/1/player_id", "Guest has no account", "tournament")
		by.post("/games", gameOf("quixo/duel", ada.player, gone.player)).
			refused(t, http.StatusUnprocessableEntity, "invalid").
			has(t, "/seats/1/player_id", "is closed")
	}
	uneven := gameOf("quixo/duel", ada.player, bob.player)
	uneven["seats"].([]any)[1].(map[string]any)["time_control"] = "0.001"
	ada.post("/games", uneven).refused(t, http.StatusUnprocessableEntity, "invalid-setup").
		has(t, `"/seats"`, "same time control")
	ada.post("/games", with(uneven, "rated", false)).want(t, http.StatusCreated)
	short := with(gameOf("quixo/duel", ada.player, bob.player), "time_control", "30")
	ada.post("/games", short).refused(t, http.StatusUnprocessableEntity, "invalid-setup").
		has(t, `"/time_control"`, "too short")
	endless := with(gameOf("quixo/duel", ada.player, bob.player), "time_control", "none")
	endless["options"] = map[string]any{"repetition": "0", "max_plies": "0"}
	ada.post("/games", endless).refused(t, http.StatusUnprocessableEntity, "invalid-setup").
		has(t, `"/options"`, "for ever")
	cup := map[string]any{
		"name": "Cup", "variant": "quixo/duel", "format": "round_robin", "time_control": "none",
		"options": endless["options"], "rated": true,
	}
	olga.post("/tournaments", cup).refused(t, http.StatusUnprocessableEntity, "invalid").has(t, `"/options"`, "for ever")
	olga.post("/tournaments", with(cup, "time_control", "300")).want(t, http.StatusCreated)
}

// TestInvitationsAreLimited counts what an account has open, in all and to one player.
func TestInvitationsAreLimited(t *testing.T) {
	s := newService(t)
	ada, bob := s.reserved("ada"), s.reserved("bob")
	others := make([]person, 20)
	for i := range others {
		others[i] = s.reserved(fmt.Sprint("other", i))
	}
	for range 3 {
		ada.post("/games", gameOf("quixo/duel", ada.player, bob.player)).want(t, http.StatusCreated)
	}
	ada.post("/games", gameOf("quixo/duel", ada.player, bob.player)).
		refused(t, http.StatusConflict, "too-many-invitations").has(t, "3 is the limit")
	statuses := make([]int, len(others))
	var group sync.WaitGroup
	for i, other := range others {
		group.Go(func() {
			statuses[i] = ada.post("/games", gameOf("quixo/duel", ada.player, other.player)).status
		})
	}
	group.Wait()
	slices.Sort(statuses)
	if want := append(slices.Repeat([]int{http.StatusCreated}, 17),
		slices.Repeat([]int{http.StatusConflict}, 3)...); !slices.Equal(statuses, want) {
		t.Errorf("twenty more at once: %v", statuses)
	}
	bob.post("/games", gameOf("quixo/duel", bob.player, ada.player)).want(t, http.StatusCreated)
	list := ada.get("/games?status=waiting&limit=200&player="+bob.player).want(t, http.StatusOK)
	bob.post("/games/"+list.text("items", 1, "id")+"/decline", nil).want(t, http.StatusOK)
	ada.post("/games", gameOf("quixo/duel", ada.player, bob.player)).want(t, http.StatusCreated)
}

// TestNoRematchWithoutWelcome: a blocked player offers no rematch, over REST as by the form.
func TestNoRematchWithoutWelcome(t *testing.T) {
	s := newService(t, withRealPages)
	ada, bob := s.register("ada"), s.register("bob")
	id := ada.post("/games", gameOf("quixo/duel", ada.player, bob.player)).want(t, http.StatusCreated).text("id")
	ada.post("/games/"+id+"/resign", nil).want(t, http.StatusOK)
	ada.post("/me/blocks", map[string]any{"player_id": bob.player}).want(t, http.StatusOK)
	bob.post("/games/"+id+"/rematch", nil).refused(t, http.StatusForbidden, "unwelcome")
	bob.form("/games/"+id+"/rematch", nil).want(t, http.StatusForbidden)
	bob.get("/games/"+id+"/rematch").want(t, http.StatusNotFound)
}

// TestARematchMustBeAccepted offers a rematch to a player who is open to challenges: it waits for its word all the
// same.
func TestARematchMustBeAccepted(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	over := func() string {
		t.Helper()
		id := ada.post("/games", gameOf("quixo/duel", ada.player, bob.player)).want(t, http.StatusCreated).text("id")
		ada.post("/games/"+id+"/resign", nil).want(t, http.StatusOK)
		return "/games/" + id
	}
	game := over()
	for range 2 {
		offered := ada.post(game+"/rematch", nil).want(t, http.StatusOK)
		if offered.text("status") != "waiting" || offered.at("seats", 0, "accepted") != false ||
			offered.at("seats", 1, "accepted") != true {
			t.Errorf("offered: %s", offered.raw)
		}
	}
	ada.post("/games/"+ada.get(game+"/rematch").text("id")+"/accept", nil).want(t, http.StatusOK)
	if next := bob.post(game+"/rematch", nil).want(t, http.StatusOK); next.text("status") != "running" {
		t.Errorf("agreed: %s", next.raw)
	}
	game = over()
	id := bob.post(game+"/rematch", nil).want(t, http.StatusOK).text("id")
	if next := ada.post("/games/"+id+"/accept", nil).want(t, http.StatusOK); next.text("status") != "running" {
		t.Errorf("accepted: %s", next.raw)
	}
	game = over()
	id = bob.post(game+"/rematch", nil).want(t, http.StatusOK).text("id")
	ada.post("/games/"+id+"/decline", nil).want(t, http.StatusOK)
	bob.post(game+"/rematch", nil).refused(t, http.StatusConflict, "rematch-declined")
}

// TestUnmovedPlayersLoseNoRating repeats what could be done to others: two leave a game of three, and one of them
// before it has moved; a player that has not moved keeps its rating, and the game cannot be broken off for ever.
func TestUnmovedPlayersLoseNoRating(t *testing.T) {
	s := newService(t)
	ada, bob, cyd := s.register("ada"), s.register("bob"), s.register("cyd")
	ratings := func(p person) int {
		return len(s.anonymous().get("/players/"+p.player+"/ratings").want(t, http.StatusOK).list("items"))
	}
	game := "/games/" + ada.post("/games", gameOf("quivive/melee", ada.player, bob.player, cyd.player)).
		want(t, http.StatusCreated).text("id")
	play := func(p person, seat int) {
		t.Helper()
		g := p.get(game).want(t, http.StatusOK)
		token := g.text("legal", fmt.Sprint(seat), 0)
		p.post(game+"/moves", move(seat, g.number("turn"), token)).want(t, http.StatusOK)
	}
	play(ada, 1)
	bob.post(game+"/resign", nil).want(t, http.StatusOK)
	s.pass(time.Hour) // the flag of the third falls, before its first move
	if over := s.anonymous().get(game); over.text("status") != "finished" {
		cyd.again().post(game+"/resign", nil)
	}
	if over := s.anonymous().get(game).want(t, http.StatusOK); over.text("status") != "finished" {
		t.Fatalf("%s", over.raw)
	}
	for _, p := range []person{ada, bob, cyd} {
		if n := ratings(p); n != 0 {
			t.Errorf("%s has %d ratings by a game in which only one moved", p.player, n)
		}
	}
	ada, bob, cyd = ada.again(), bob.again(), cyd.again()
	game = "/games/" + ada.post("/games", gameOf("quivive/melee", ada.player, bob.player, cyd.player)).
		want(t, http.StatusCreated).text("id")
	play(ada, 1)
	cyd.post(game+"/resign", nil).want(t, http.StatusOK) // before its first move
	play(bob, 2)
	ada.post(game+"/abort", nil).refused(t, http.StatusConflict, "too-late")
	for range 3 { // a game that is resigned earlier does not count
		play(ada, 1)
		play(bob, 2)
	}
	bob.post(game+"/resign", nil).want(t, http.StatusOK)
	if ratings(ada) != 1 || ratings(bob) != 1 || ratings(cyd) != 0 {
		t.Errorf("rated: %d, %d and %d", ratings(ada), ratings(bob), ratings(cyd))
	}
}
