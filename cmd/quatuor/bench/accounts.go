package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/cmd/quatuor/harness"
	"quatuor/cmd/quatuor/terminal"
)

// The measurements of streams of accounts.
const (
	movesAlone      = "moves without streams of accounts"
	movesBeside     = "moves beside streams of other accounts"
	movesFollowed   = "moves with streams of the players' accounts"
	figureEventSize = "kib_read_a_second"
)

// slowedByAccounts is the greatest loss of moves beside streams of accounts that have nothing to do with them.
const slowedByAccounts = 0.1

// runAccounts measures the cost of open streams of accounts: of others, which wait for nothing, and of the players,
// which are sent each game and each turn.
func (b *bench) runAccounts(ctx context.Context) ([]Measurement, error) {
	alone, err := b.measure(ctx, movesAlone, b.Duration, b.load.moves)
	if err != nil {
		return nil, err
	}
	others := make([]harness.Player, clubSize)
	for i := range others {
		login := fmt.Sprintf("idle-%s-%d", strconv.FormatInt(time.Now().UnixNano(), 36), i)
		if others[i], err = harness.Register(ctx, b.load.Share(), login, password, "Idle "+strconv.Itoa(i+1)); err != nil {
			return nil, err
		}
	}
	all := []Measurement{alone}
	for _, of := range []struct {
		what    string
		players []harness.Player
	}{{movesBeside, others}, {movesFollowed, b.load.players}} {
		m, err := b.movesWith(ctx, of.what, of.players)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// movesWith measures moves while streams of the accounts of some players are open.
func (b *bench) movesWith(ctx context.Context, what string, players []harness.Player) (m Measurement, err error) {
	bar := terminal.Progress(b.Err, b.Spectators, "connecting", "streams")
	listeners := make([]*accountListener, b.Spectators)
	var group errgroup.Group
	group.SetLimit(b.Connections)
	for i := range listeners {
		group.Go(func() (err error) {
			defer bar.Add(1)
			listeners[i], err = listen(ctx, b.server.url, players[i%len(players)].Token)
			return err
		})
	}
	err = group.Wait()
	bar.Finish()
	read := int64(0)
	if err == nil {
		m, err = b.measure(ctx, what, b.Duration, b.load.moves)
	}
	for _, l := range listeners {
		if l != nil {
			read += l.leave()
		}
	}
	m.Figures = map[string]float64{figureEventSize: float64(read) / 1024 / b.Duration.Seconds()}
	return m, err
}

// accountListener reads the stream of an account and drops the events.
type accountListener struct {
	conn net.Conn
	read int64
	done sync.WaitGroup
}

// listen opens the stream of an account and returns once it has begun.
func listen(ctx context.Context, base, token string) (*accountListener, error) {
	var dialer net.Dialer
	address := strings.TrimPrefix(base, "http://")
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(conn, "GET /api/v1/me/events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n",
		address, token)
	reader := bufio.NewReaderSize(conn, 1<<10)
	answer, failed := http.ReadResponse(reader, nil) //nolint:bodyclose // ends with the connection
	if err = errors.Join(err, failed); err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("answered %s", answer.Status)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	l := &accountListener{conn: conn}
	l.done.Go(func() { l.read, _ = io.Copy(io.Discard, reader) })
	return l, nil
}

// leave ends the stream and returns the number of bytes read.
func (l *accountListener) leave() int64 {
	_ = l.conn.Close()
	l.done.Wait()
	return l.read
}

// printAccounts reports whether the bar holds.
func (b *bench) printAccounts(all []Measurement) {
	b.printRows(all)
	rates, p99 := map[string][]float64{}, map[string][]float64{}
	for _, m := range all {
		rates[m.What] = append(rates[m.What], m.Rate)
		p99[m.What] = append(p99[m.What], m.Millis["p99"])
	}
	fmt.Fprintf(b.Out, "p99 of moves: %.2f ms without streams, %.2f ms beside %d of other accounts, %.2f ms with as many of "+
		"the players\n", median(p99[movesAlone]), median(p99[movesBeside]), b.Spectators, median(p99[movesFollowed]))
	fmt.Fprintf(b.Out, "moves beside streams : without = %.2f (medians; bar: %.1f)\n",
		median(rates[movesBeside])/median(rates[movesAlone]), 1-slowedByAccounts)
}
