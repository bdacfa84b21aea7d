package access_test

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

	"quatuor/api/apitest"
	"quatuor/engine"
	"quatuor/engine/quiwin"
)

// TestSecretsChangeNothingThatIsAnswered plays two games of Qui'win side by side that differ only in what some viewers
// may not know: the tiles of a seat's hand, the order of the bag, the length of tiles that lie hidden in its row, its
// sealed choices. All answers that those viewers get over HTTP, refusals and streams included, must be the same to the
// byte, but for ids, times and the commitment.
func TestSecretsChangeNothingThatIsAnswered(t *testing.T) {
	if testing.Short() {
		t.Skip("plays pairs of games and compares every answer")
	}
	for hider := 1; hider <= 2; hider++ {
		for tier := 1; tier <= 3; tier++ {
			if (hider+tier)%apitest.Amount(2, 2, 1) > 0 {
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
	tier    int // the tier with differing tiles; those before are measured, and so open
	players [2]apitest.Person
	ids     [2]string
	viewers map[string]apitest.Person
	streams map[string][2]*bufio.Reader
	account <-chan apitest.Event // of the other seat: both games
	told    [2]string            // what it has sent of each game
	hidden  int                  // how many tiles laid differed
	said    string               // the action chosen first in this window
}

func newPair(t *testing.T, hider, tier int) *pair {
	t.Helper()
	seeds := twinSeeds(t, hider)
	s := apitest.New(t, func(c *apitest.Config) {
		c.Seed = func() (next [32]byte) { next, seeds = seeds[0], seeds[1:]; return next }
	})
	server := httptest.NewServer(s.Server)
	t.Cleanup(server.Close)
	p := &pair{
		t: t, chance: rand.New(rand.NewPCG(uint64(hider), uint64(tier))), hider: hider, tier: tier,
		players: [2]apitest.Person{s.Register("ada"), s.Register("bob")}, streams: map[string][2]*bufio.Reader{},
	}
	other := p.players[2-hider]
	p.viewers = map[string]apitest.Person{
		"nobody": s.Anonymous(), "somebody": s.Register("eve"), "the other seat": other,
		"its token": other.TokenFor("read", "play"),
	}
	for i := range p.ids {
		p.ids[i] = apitest.Duel(t, p.players[0], p.players[1], "quiwin/duel", "300").Text("id")
	}
	p.account, _ = p.viewers["its token"].Follow(t, server, "/me/events")
	p.hearUntil("game_started") // shows a game as it is when the stream comes to it, so that no move is made before
	for name, viewer := range p.viewers {
		p.streams[name] = [2]*bufio.Reader{frames(t, viewer, server, p.ids[0]), frames(t, viewer, server, p.ids[1])}
	}
	return p
}

// twinSeeds finds two deals that look alike but to one seat: the other seat has the same hand, the two tiles that the
// bag may yield are the same, and its own tiles have the same colours, but two or more have other lengths.
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
func frames(t *testing.T, p apitest.Person, server *httptest.Server, id string) *bufio.Reader {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v1/games/"+id+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Token != "" {
		request.Header.Set("Authorization", "Bearer "+p.Token)
	}
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return bufio.NewReader(answer.Body)
}

// frame reads an event of a stream, heartbeats left out.
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
		view := p.game(0).At("view").(map[string]any)
		slot, phase := int(view["slot"].(float64)), view["phase"].(string)
		if phase == "lay" && slot == ends[p.tier-1] {
			break // after this tile is laid the tier may be measured at any moment
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
func (p *pair) game(i int) *apitest.Answer {
	return p.players[0].Get("/games/"+p.ids[i]).Want(p.t, http.StatusOK)
}

func (p *pair) awaited() []int {
	var seats []int
	for _, seat := range p.game(0).List("awaited") {
		seats = append(seats, int(seat.(float64)))
	}
	p.chance.Shuffle(len(seats), func(i, j int) { seats[i], seats[j] = seats[j], seats[i] })
	return seats
}

// legal lists a seat's moves in both games.
func (p *pair) legal(seat int) (moves [2][]string) {
	for i, id := range p.ids {
		for _, mv := range p.players[seat-1].Get("/games/"+id).Want(p.t, http.StatusOK).List("legal", fmt.Sprint(seat)) {
			moves[i] = append(moves[i], mv.(string))
		}
	}
	return moves
}

// choose makes a move in both games: the same move, or tiles that look the same where the hider's may differ.
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
	p.said = c[0]
	if phase == "lay" {
		p.said = ""
	}
	p.move(seat, c)
	p.compare()
}

func (p *pair) inTier(slot int) bool {
	return slot > []int{0, 2, 6}[p.tier-1]
}

// safe leaves out actions that would show a difference by right: the hider's transfer, which shows its tile; and the
// same action by both, since the games would draw lots.
func (p *pair) safe(seat int, token string) bool {
	return (token != "transfer" || seat != p.hider) && (token == "none" || token != p.said)
}

// look returns the common view of a tile.
func look(tile string) string {
	if strings.Contains("ro", tile[:1]) {
		return tile[:1]
	}
	return tile
}

func (p *pair) move(seat int, tokens [2]string) {
	for i, id := range p.ids {
		turn := p.game(i).Number("turn")
		p.players[seat-1].Post("/games/"+id+"/moves", apitest.Move(seat, turn, tokens[i])).Want(p.t, http.StatusOK)
	}
}

// compare sends every request as every viewer, and reads a frame of every stream.
func (p *pair) compare() {
	p.t.Helper()
	for name, viewer := range p.viewers {
		var told [2]string
		for i, id := range p.ids {
			told[i] = unvarying(id, frame(p.t, p.streams[name][i])+p.answers(viewer, id))
		}
		if told[0] != told[1] {
			p.t.Fatalf("%s can tell the games apart:\n%s", name, apitest.FirstDifference(told))
		}
	}
}

// compareAccounts compares what the stream of the other seat's account has sent of the two games, once both are given
// up.
func (p *pair) compareAccounts() {
	p.t.Helper()
	for _, id := range p.ids {
		p.players[2-p.hider].Post("/games/"+id+"/resign", nil).Want(p.t, http.StatusOK)
	}
	p.hearUntil("game_over")
	if turns := strings.Count(p.told[0], "my_turn"); p.told[0] != p.told[1] || turns < 2 {
		p.t.Fatalf("the account's stream tells the games apart, after %d turns:\n%s", turns, apitest.FirstDifference(p.told))
	}
}

// hearUntil keeps the account's events about the games until both games have had the named event. Presence is left out,
// which depends on the times of requests, and the end of a game, which shows what was hidden.
func (p *pair) hearUntil(name string) {
	p.t.Helper()
	for left := len(p.ids); left > 0; {
		e, open := <-p.account
		if !open {
			p.t.Fatalf("the account's stream ended before %s", name)
		}
		i := slices.Index(p.ids[:], fmt.Sprint(e.Data["id"]))
		if i < 0 || strings.HasPrefix(e.Name, "opponent_") {
			continue
		}
		if e.Name != "game_over" {
			p.told[i] += unvarying(p.ids[i], fmt.Sprintf("%s %v\n", e.Name, e.Data))
		}
		if e.Name == name {
			left--
		}
	}
}

// answers joins what a viewer is answered about a game.
func (p *pair) answers(viewer apitest.Person, id string) string {
	path, moves := "/games/"+id, "/games/"+id+"/moves"
	game, other := slices.Index(p.ids[:], id), 3-p.hider
	turn := p.game(game).Number("turn")
	all := []*apitest.Answer{
		viewer.Get(path), viewer.Get(path + "/record"),
		viewer.Get(path+"/record", apitest.Header{"Accept", "application/json"}),
		viewer.Post(moves, apitest.Move(p.hider, turn, "none")),
	}
	if viewer == p.viewers["the other seat"] {
		all = append(all, viewer.Post(moves, apitest.Move(other, turn+1, "none")),
			viewer.Post(path+"/draw", map[string]any{"action": "offer"}))
		legal := p.legal(other)[game]
		for _, token := range []string{
			"o23", "o25", "r23", "r24", "r25", "change", "transfer", "none", "give-1", "give-8",
			"nonsense",
		} {
			if !slices.Contains(legal, token) {
				all = append(all, viewer.Post(moves, apitest.Move(other, turn, token)))
			}
		}
	}
	for _, item := range viewer.Get("/games?status=running").List("items") {
		if item := item.(map[string]any); item["id"] == id {
			all = append(all, &apitest.Answer{Raw: fmt.Append(nil, item)})
		}
	}
	text := ""
	for _, a := range all {
		a.Header.Del("Content-Length") // it counts the digits of times; the body itself is compared
		text += a.Request + " " + apitest.Written(a, "") + "\n"
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
