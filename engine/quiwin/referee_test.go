package quiwin_test

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/enginetest"
	"quatuor/engine/quiwin"
)

func TestRefereed(t *testing.T) {
	enginetest.Refereed(t, quiwin.Variants()[0], func(setup engine.Setup) enginetest.Referee { return newReferee(setup) },
		"tiers", "tie-break", "resignation", "time", "forfeit")
}

// piece is a tile of the game, followed wherever it goes.
type piece struct {
	name  string
	known map[int]bool // the seats that may know it while it lies on the table; 0 for all others
}

func (p *piece) red() bool { return p.name[0] == 'r' }

func (p *piece) length() int { return int(p.name[1]-'0')*10 + int(p.name[2]-'0') }

// place is the place that a tile left the game from.
type place struct {
	piece      *piece
	seat, slot int
}

// logged is an event of the log, in the referee's form.
type logged struct {
	seat   int
	text   string
	piece  *piece // the tile laid
	sealed bool
}

// referee follows a game by the rules, moment by moment. Seats are 1 and 2, index 0 is not used.
type referee struct {
	seed     []byte
	words    int
	hand     [3][]*piece
	row      [3][]*piece
	bag      []*piece
	out      []place
	moment   string // lay, window, give or more
	asked    []int  // seats still to choose
	chosen   [3]string
	used     [3]bool
	change   int // the seats that used it
	transfer struct{ by, slot, into int }
	measured int
	lead     int
	end      string
	log      []logged
}

func newReferee(setup engine.Setup) *referee {
	seed := setup.Seed.Reveal()
	r := &referee{seed: seed[:]}
	var list []*piece
	for _, name := range strings.Fields("g22 g22 g22 g22 g22 r23 r23 r24 r24 r25 y23 y23 y23 y23 y23 y23 " +
		"b24 b24 b24 b24 b24 b24 o25 o25 o25 o25 o23 o23 o23 o23") {
		list = append(list, &piece{name, map[int]bool{}})
	}
	for i := 29; i >= 1; i-- {
		j := r.draw(i + 1)
		list[i], list[j] = list[j], list[i]
	}
	r.hand[1], r.hand[2], r.bag = list[:8:8], list[8:16:16], list[16:]
	r.nextRound()
	return r
}

// draw takes a number below n from the stream, in whole numbers of any size.
func (r *referee) draw(n int) int {
	range64 := new(big.Int).Lsh(big.NewInt(1), 64)
	runs := new(big.Int).Div(range64, big.NewInt(int64(n)))
	limit := new(big.Int).Mul(runs, big.NewInt(int64(n)))
	for {
		counter := new(big.Int).SetInt64(int64(r.words / 4)).FillBytes(make([]byte, 8))
		digest := sha256.Sum256(slices.Concat(r.seed, counter))
		word := new(big.Int).SetBytes(digest[r.words%4*8:][:8])
		r.words++
		if word.Cmp(limit) < 0 {
			return int(word.Mod(word, big.NewInt(int64(n))).Int64())
		}
	}
}

func (r *referee) nextRound() { r.moment, r.asked = "lay", []int{1, 2} }

// tier returns the slots of the tier in play, from and to.
func (r *referee) tier() (from, to int) {
	switch n := len(r.row[1]); {
	case n <= 2:
		return 1, 2
	case n <= 6:
		return 3, 6
	}
	return 7, 8
}

func (r *referee) Awaited() []int {
	if r.end != "" {
		return []int{}
	}
	return slices.Clone(r.asked)
}

func (r *referee) Outcome() string { return r.end }

func (r *referee) Moves(seat int) []string {
	switch r.moment {
	case "lay":
		var list []string
		for _, p := range r.hand[seat] {
			list = append(list, p.name)
		}
		slices.Sort(list)
		return slices.Compact(list)
	case "give":
		return r.gifts(seat)
	}
	return append(r.actions(seat), "none")
}

// gifts are the slots of the tier in play with a tile of a seat that is not red.
func (r *referee) gifts(seat int) []string {
	var list []string
	from, to := r.tier()
	for slot := from; slot <= min(to, len(r.row[seat])); slot++ {
		if !r.row[seat][slot-1].red() {
			list = append(list, fmt.Sprint("give-", slot))
		}
	}
	return list
}

// actions are those that a seat may choose by the colours on the table, none if it has had its own.
func (r *referee) actions(seat int) []string {
	var list []string
	mine, theirs := r.latest(seat), r.latest(3-seat)
	if r.used[seat] {
		return nil
	}
	if r.change == 0 && !theirs.red() {
		list = append(list, "change")
	}
	if r.transfer.by == 0 && !mine.red() && len(r.gifts(3-seat)) > 0 {
		list = append(list, "transfer")
	}
	return list
}

func (r *referee) latest(seat int) *piece { return r.row[seat][len(r.row[seat])-1] }

func (r *referee) Move(seat int, token string) {
	r.log = append(r.log, logged{seat: seat, text: token, sealed: r.moment == "lay" || r.moment == "window"})
	r.asked = slices.DeleteFunc(r.asked, func(s int) bool { return s == seat })
	switch r.moment {
	case "lay", "window":
		r.chosen[seat] = token
		if len(r.asked) > 0 {
			return
		}
		chosen := r.chosen
		r.chosen = [3]string{}
		for i := range r.log {
			r.log[i].sealed = false
		}
		if r.moment == "lay" {
			r.lay(chosen)
		} else {
			r.act(chosen)
		}
	case "more":
		if token == "none" {
			r.shut()
		} else {
			r.carryOut(seat, token)
		}
	case "give":
		r.give(seat, int(token[5]-'0'))
	}
}

func (r *referee) lay(chosen [3]string) {
	for seat := 1; seat <= 2; seat++ {
		i := slices.IndexFunc(r.hand[seat], func(p *piece) bool { return p.name == chosen[seat] })
		p := r.hand[seat][i]
		p.known[seat] = true
		r.hand[seat] = slices.Delete(r.hand[seat], i, i+1)
		r.row[seat] = append(r.row[seat], p)
		for j := range r.log[len(r.log)-2:] { // the two choices of this turn
			if e := &r.log[len(r.log)-2+j]; e.seat == seat {
				e.piece = p
			}
		}
	}
	r.moment = "window"
	for seat := 1; seat <= 2; seat++ {
		if len(r.actions(seat)) > 0 {
			r.asked = append(r.asked, seat)
		}
	}
	if len(r.asked) == 0 {
		r.shut()
	}
}

// act resolves what was chosen in secret; a seat that was not awaited has chosen "".
func (r *referee) act(chosen [3]string) {
	doing := func(seat int) bool { return chosen[seat] == "change" || chosen[seat] == "transfer" }
	switch {
	case doing(1) && doing(2) && chosen[1] == chosen[2]:
		r.carryOut(1+r.draw(2), chosen[1])
	case doing(1) && doing(2):
		first := slices.Index(chosen[:], "change")
		r.exchange(first)
		if slices.Contains(r.actions(3-first), "transfer") {
			r.carryOut(3-first, "transfer")
		} else {
			r.shut()
		}
	case doing(1):
		r.carryOut(1, chosen[1])
	case doing(2):
		r.carryOut(2, chosen[2])
	default:
		r.shut()
	}
}

func (r *referee) carryOut(seat int, action string) {
	if action == "change" {
		r.exchange(seat)
		r.follow(3 - seat)
		return
	}
	r.used[seat] = true
	r.transfer.by, r.transfer.slot = seat, len(r.row[seat])
	r.moment, r.asked = "give", []int{3 - seat}
}

// follow awaits an action of the other seat, once an action is done.
func (r *referee) follow(seat int) {
	if len(r.actions(seat)) == 0 {
		r.shut()
		return
	}
	r.moment, r.asked = "more", []int{seat}
}

// exchange changes the tile that the other seat laid last.
func (r *referee) exchange(seat int) {
	r.used[seat], r.change = true, seat
	r.discard(3-seat, len(r.row[3-seat]), r.fromBag(3-seat))
}

// give exchanges a seat's tile for the tile that the other seat transfers.
func (r *referee) give(seat, slot int) {
	actor := r.transfer.by
	moving := r.latest(actor)
	moving.known[1], moving.known[2] = true, true
	r.transfer.into = slot
	r.discard(seat, slot, moving)
	r.row[actor][r.transfer.slot-1] = r.fromBag(actor)
	r.follow(seat)
}

func (r *referee) discard(seat, slot int, instead *piece) {
	r.out = append(r.out, place{r.row[seat][slot-1], seat, slot})
	r.row[seat][slot-1] = instead
}

// fromBag draws a tile for the row of a seat.
func (r *referee) fromBag(seat int) *piece {
	p := r.bag[0]
	r.bag = r.bag[1:]
	p.known[seat] = true
	return p
}

// shut ends the window, and the tier where it is full.
func (r *referee) shut() {
	n := len(r.row[1])
	r.nextRound()
	if n != 2 && n != 6 && n != 8 {
		return
	}
	r.measured++
	for _, l := range r.out {
		l.piece.known[0] = l.piece.known[0] || l.slot <= n
	}
	sum := [3]int{}
	for seat := 1; seat <= 2; seat++ {
		for _, p := range r.row[seat] {
			p.known[0] = true
			sum[seat] += p.length()
		}
	}
	winner := r.less(sum[1], sum[2])
	if n == 6 {
		winner = r.less(sum[2], sum[1])
	}
	switch {
	case n == 8 && winner != 0 && r.lead != 3-winner:
		r.win(winner, "tiers")
	case n == 8:
		r.breakTie()
	case winner != 0 && r.lead == 3-winner:
		r.lead = 0
	case winner != 0:
		r.lead = winner
	}
}

func (r *referee) less(one, two int) int {
	switch {
	case one < two:
		return 1
	case two < one:
		return 2
	}
	return 0
}

func (r *referee) breakTie() {
	for _, slot := range []int{6, 5, 4, 3} {
		if winner := r.less(r.row[1][slot-1].length(), r.row[2][slot-1].length()); winner != 0 {
			r.win(winner, "tie-break")
			return
		}
	}
	r.end = "=:replay"
}

func (r *referee) win(seat int, reason string) {
	r.end = fmt.Sprintf("=%d,%d:%s", seat, 3-seat, reason)
}

func (r *referee) Leave(seat int, reason string) {
	r.log = append(r.log, logged{seat: seat, text: reason})
	r.win(3-seat, reason)
}

// Draw is not covered: no rule of the game leads to it.
func (r *referee) Draw(reason string) { r.end = "=1,1:" + reason }

func (r *referee) Position() string {
	moment := r.moment
	if r.end != "" {
		moment = r.end
	}
	var rows, hands, chosen [2]string
	for i := range 2 {
		seat := i + 1
		row := names(r.row[seat])
		for len(row) < 8 {
			row = append(row, "-")
		}
		rows[i] = strings.Join(row, ",")
		hand := names(r.hand[seat])
		slices.Sort(hand)
		hands[i] = dash(strings.Join(hand, ","))
		chosen[i] = dash(r.chosen[seat])
	}
	var out []string
	for _, p := range r.out {
		out = append(out, fmt.Sprintf("%s@%d.%d", p.piece.name, p.seat, p.slot))
	}
	transfer := "-"
	if r.transfer.by != 0 {
		transfer = fmt.Sprintf("%d@%d>%d", r.transfer.by, r.transfer.slot, r.transfer.into)
	}
	return fmt.Sprintf("rows %s/%s %s hands %s/%s chosen %s,%s bag %s out %s change %d transfer %s measured %d lead %d "+
		"words %d",
		rows[0], rows[1], moment, hands[0], hands[1], chosen[0], chosen[1], strings.Join(names(r.bag), ","),
		dash(strings.Join(out, ",")), r.change, transfer, r.measured, r.lead, r.words)
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func names(list []*piece) []string {
	words := []string{}
	for _, p := range list {
		words = append(words, p.name)
	}
	return words
}
