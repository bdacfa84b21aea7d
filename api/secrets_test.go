package api_test

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/quiwin"
)

// TestSecretsChangeNothingThatIsAnswered plays two games of Qui'win side by side that differ only in what some viewers
// may not know: the tiles of one seat's hand, the order of the bag, the length of tiles that lie hidden in its row, its
// sealed choices. All answers that those viewers get over HTTP, refusals and streams included, must be the same to the
// byte, but for ids, times and the commitment.
func TestSecretsChangeNothingThatIsAnswered(t *testing.T) {
	if testing.Short() {
		t.Skip("plays pairs of games and compares every answer")
	}
	for hider := 1; hider <= 2; hider++ {
		for tier := 1; tier <= 3; tier++ {
			if (hider+tier)%amount(2, 2, 1) > 0 {
				continue
			}
			t.Run(fmt.Sprintf("seat %d, tier %d", hider, tier), func(t *testing.T) {
				p := newPair(t, hider, tier)
				p.play()
				p.compareAccounts()
				if p.hidden == 0 {
					t.Error("no hidden tile ever differed")
				}
			})
		}
	}
}

// pair is two games between the same players.
type pair struct {
	t       *testing.T
	chance  *rand.Rand
	hider   int // the seat with other secrets
	tier    int // the tier in which its tiles differ; those before are measured, and so open
	players [2]person
	ids     [2]string
	viewers map[string]person
	streams map[string][2]*bufio.Reader
	account <-chan event // of the other seat: both games
	told    [2]string    // what it has sent of each game
	hidden  int          // how many tiles laid differed
	said    string       // the action chosen first in this window
}

func newPair(t *testing.T, hider, tier int) *pair {
	t.Helper()
	seeds := twinSeeds(t, hider)
	s := newService(t, func(c *configuration) {
		c.seed = func() (next [32]byte) { next, seeds = seeds[0], seeds[1:]; return next }
	})
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	p := &pair{
		t: t, chance: rand.New(rand.NewPCG(uint64(hider), uint64(tier))), hider: hider, tier: tier,
		players: [2]person{s.register("ada"), s.register("bob")}, streams: map[string][2]*bufio.Reader{},
	}
	other := p.players[2-hider]
	p.viewers = map[string]person{
		"nobody": s.anonymous(), "somebody": s.register("eve"), "the other seat": other,
		"its token": other.tokenFor("read", "play"),
	}
	for i := range p.ids {
		p.ids[i] = duel(t, p.players[0], p.players[1], "quiwin/duel", "300").text("id")
	}
	p.account, _ = p.viewers["its token"].follow(t, server, "/me/events")
	p.hearUntil("game_started") // which shows a game as it is when the stream comes to it, so that no move is made before
	for name, viewer := range p.viewers {
		p.streams[name] = [2]*bufio.Reader{viewer.frames(t, server, p.ids[0]), viewer.frames(t, server, p.ids[1])}
	}
	return p
}

// twinSeeds finds two deals that look alike but to one seat: the other seat has the same hand, the two tiles that the
// bag may give are the same, and its own tiles have the same colours, but two or more have other lengths.
func twinSeeds(t *testing.T, hider int) [][32]byte {
	t.Helper()
	type deal struct {
		seed [32]byte
		hand []string
	}
	known := map[string]deal{}
	for n := range 200_000 {
		seed := [32]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(hider)}
		rules := quiwin.Variants()[0]
		setup, err := engine.NewSetup(rules.Info(), 2, hex.EncodeToString(seed[:]), nil)
		if err != nil {
			t.Fatal(err)
		}
		start, err := rules.Start(setup)
		if err != nil {
			t.Fatal(err)
		}
		end, err := start.Apply(engine.Event{Kind: engine.Left, Seat: 1, Text: "time"}) // all is open then
		if err != nil {
			t.Fatal(err)
		}
		view := end.View(engine.Viewer{}).(quiwin.View)
		mine, theirs := view.Seats[hider-1].Hand, view.Seats[2-hider].Hand
		key := fmt.Sprint(theirs, view.Bag[:2], colours(mine))
		if d, met := known[key]; met && differing(d.hand, mine) > 1 {
			return [][32]byte{d.seed, seed}
		}
		known[key] = deal{seed, mine}
	}
	t.Fatal("no twin deals")
	return nil
}

func differing(one, other []string) (n int) {
	for i := range one {
		if one[i] != other[i] {
			n++
		}
	}
	return n
}

func colours(tiles []string) string {
	text := ""
	for _, tile := range tiles {
		text += tile[:1]
	}
	return text
}

// frames opens a game's stream as raw text.
func (p person) frames(t *testing.T, server *httptest.Server, id string) *bufio.Reader {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/games/"+id+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.token != "" {
		request.Header.Set("Authorization", "Bearer "+p.token)
	}
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return bufio.NewReader(answer.Body)
}

// frame reads one event of a stream, heartbeats left out.
func frame(t *testing.T, stream *bufio.Reader) string {
	t.Helper()
	text := ""
	for {
		line, err := stream.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream broke off after %q: %v", text, err)
		}
		if text += line; line == "\n" {
			if strings.Contains(text, "data: ") && !strings.Contains(text, "event: ping") &&
				!strings.Contains(text, "event: presence") {
				return text
			}
			text = ""
		}
	}
}

// play goes on until the last window before the tiles that differ would be measured, and ends with choices that are
// still sealed.
func (p *pair) play() {
	p.compare() // the first frame of every stream is the whole state
	ends := []int{2, 6, 8}
	for {
		view := p.game(0).at("view").(map[string]any)
		slot, phase := int(view["slot"].(float64)), view["phase"].(string)
		if phase == "lay" && slot == ends[p.tier-1] {
			break // after this one is laid the tier may be measured at any moment
		}
		for _, seat := range p.awaited() {
			p.choose(seat, phase, slot)
		}
	}
	legal := p.legal(p.hider)
	p.move(p.hider, [2]string{legal[0][0], legal[1][len(legal[1])-1]})
	p.compare()
}

// game is a game as its players see it together: each sees its own moves.
func (p *pair) game(i int) *answer {
	return p.players[0].get("/games/"+p.ids[i]).want(p.t, http.StatusOK)
}

func (p *pair) awaited() []int {
	var seats []int
	for _, seat := range p.game(0).list("awaited") {
		seats = append(seats, int(seat.(float64)))
	}
	p.chance.Shuffle(len(seats), func(i, j int) { seats[i], seats[j] = seats[j], seats[i] })
	return seats
}

// legal lists a seat's moves in both games.
func (p *pair) legal(seat int) (moves [2][]string) {
	for i, id := range p.ids {
		for _, mv := range p.players[seat-1].get("/games/"+id).want(p.t, http.StatusOK).list("legal", fmt.Sprint(seat)) {
			moves[i] = append(moves[i], mv.(string))
		}
	}
	return moves
}

// choose makes a move in both games: the same one, or tiles that look the same where the hider's may differ.
func (p *pair) choose(seat int, phase string, slot int) {
	legal := p.legal(seat)
	var choices [][2]string
	for _, one := range legal[0] {
		for _, other := range legal[1] {
			differ := one != other
			if phase == "lay" && differ && seat == p.hider && p.inTier(slot) && look(one) == look(other) {
				choices = append(choices[:0], [2]string{one, other})
			}
			if !differ && p.safe(seat, one) && (len(choices) == 0 || choices[0][0] == choices[0][1]) {
				choices = append(choices, [2]string{one, other})
			}
		}
	}
	if len(choices) == 0 {
		p.t.Fatalf("no moves that look the same: %v", legal)
	}
	c := choices[p.chance.IntN(len(choices))]
	if c[0] != c[1] {
		p.hidden++
	}
	if p.said = c[0]; phase == "lay" {
		p.said = ""
	}
	p.move(seat, c)
	p.compare()
}

func (p *pair) inTier(slot int) bool {
	return slot > []int{0, 2, 6}[p.tier-1]
}

// safe leaves out what would show a difference by right: the hider's transfer, which shows its tile; and the
// same action by both, for which the games would draw lots.
func (p *pair) safe(seat int, token string) bool {
	return (token != "transfer" || seat != p.hider) && (token == "none" || token != p.said)
}

// look is what all viewers see of a tile.
func look(tile string) string {
	if strings.Contains("ro", tile[:1]) {
		return tile[:1]
	}
	return tile
}

func (p *pair) move(seat int, tokens [2]string) {
	for i, id := range p.ids {
		turn := p.game(i).number("turn")
		p.players[seat-1].post("/games/"+id+"/moves", move(seat, turn, tokens[i])).want(p.t, http.StatusOK)
	}
}

// compare sends every request as every viewer, and reads one frame of every stream.
func (p *pair) compare() {
	p.t.Helper()
	for name, viewer := range p.viewers {
		var told [2]string
		for i, id := range p.ids {
			told[i] = unvarying(id, frame(p.t, p.streams[name][i])+p.answers(viewer, id))
		}
		if told[0] != told[1] {
			p.t.Fatalf("%s can tell the games apart:\n%s", name, firstDifference(told))
		}
	}
}

// compareAccounts compares what the stream of the other seat's account has sent of the two games, once both are given
// up.
func (p *pair) compareAccounts() {
	p.t.Helper()
	for _, id := range p.ids {
		p.players[2-p.hider].post("/games/"+id+"/resign", nil).want(p.t, http.StatusOK)
	}
	p.hearUntil("game_over")
	if turns := strings.Count(p.told[0], "my_turn"); p.told[0] != p.told[1] || turns < 2 {
		p.t.Fatalf("the account's stream tells the games apart, after %d turns:\n%s", turns, firstDifference(p.told))
	}
}

// hearUntil keeps what the account's stream tells of the games, until it has told this of both. Presence is left out,
// which depends on the times of requests, and the end of a game, which shows what was hidden.
func (p *pair) hearUntil(name string) {
	p.t.Helper()
	for left := len(p.ids); left > 0; {
		e, open := <-p.account
		if !open {
			p.t.Fatalf("the account's stream ended before %s", name)
		}
		i := slices.Index(p.ids[:], fmt.Sprint(e.data["id"]))
		if i < 0 || strings.HasPrefix(e.name, "opponent_") {
			continue
		}
		if e.name != "game_over" {
			p.told[i] += unvarying(p.ids[i], fmt.Sprintf("%s %v\n", e.name, e.data))
		}
		if e.name == name {
			left--
		}
	}
}

func firstDifference(told [2]string) string {
	one, other := strings.Split(told[0], "\n"), strings.Split(told[1], "\n")
	for i := range min(len(one), len(other)) {
		if one[i] != other[i] {
			return one[i] + "\n" + other[i]
		}
	}
	return fmt.Sprintf("%d and %d lines", len(one), len(other))
}

// answers joins what a viewer is answered about a game.
func (p *pair) answers(viewer person, id string) string {
	path, moves := "/games/"+id, "/games/"+id+"/moves"
	game, other := slices.Index(p.ids[:], id), 3-p.hider
	turn := p.game(game).number("turn")
	all := []*answer{
		viewer.get(path), viewer.get(path + "/record"), viewer.get(path+"/record", header{"Accept", "application/json"}),
		viewer.post(moves, move(p.hider, turn, "none")),
	}
	if viewer == p.viewers["the other seat"] {
		all = append(all, viewer.post(moves, move(other, turn+1, "none")),
			viewer.post(path+"/draw", map[string]any{"action": "offer"}))
		legal := p.legal(other)[game]
		for _, token := range []string{
			"o23", "o25", "r23", "r24", "r25", "change", "transfer", "none", "give-1", "give-8",
			"nonsense",
		} {
			if !slices.Contains(legal, token) {
				all = append(all, viewer.post(moves, move(other, turn, token)))
			}
		}
	}
	for _, item := range viewer.get("/games?status=running").list("items") {
		if item := item.(map[string]any); item["id"] == id {
			all = append(all, &answer{raw: fmt.Append(nil, item)})
		}
	}
	text := ""
	for _, a := range all {
		a.header.Del("Content-Length") // it counts the digits of times; the body itself is compared
		text += a.what + " " + written(a, "") + "\n"
	}
	return text
}

var varying = []*regexp.Regexp{
	regexp.MustCompile(`"connected":(true|false)(,"last_seen":"[^"]*")?`), // presence depends on the times of requests
	regexp.MustCompile(`"(remaining_ms|elapsed_ms|lag_ms)":\d+`),
	regexp.MustCompile(`\b(remaining_ms|elapsed_ms):[0-9.e+]+`),
	regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`),
	regexp.MustCompile(`\[%(clk|emt|lag) [^\]]*\]`),
	regexp.MustCompile(`"request_id":"[^"]*"`),
	regexp.MustCompile(`\b[0-9a-f]{64}\b`), // commitments
	regexp.MustCompile(`\bconnected:(true|false)( last_seen:\S+)?`),
}

// unvarying leaves out what differs between any two games: ids, times, presence, and the commitment to the seed.
func unvarying(id, text string) string {
	text = strings.ReplaceAll(text, id, "ID")
	for _, v := range varying {
		text = v.ReplaceAllString(text, "~")
	}
	return text
}
