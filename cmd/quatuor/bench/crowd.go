package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// crowd holds the spectators of a game, each with a connection of its own.
type crowd struct {
	members []*spectator
	reading sync.WaitGroup
	once    sync.Once
}

// spectator follows a game and notes when it has got each version. It reads its connection itself: ready-made clients
// take more of the processor than the server does for it.
type spectator struct {
	conn     net.Conn
	latest   atomic.Int64 // version
	read     atomic.Int64 // bytes of events
	received map[int64]time.Time
}

// gather connects n spectators to a game and returns when each has its current state.
func gather(ctx context.Context, base, game string, n, atOnce int, joined func()) (*crowd, error) {
	c := &crowd{members: make([]*spectator, n)}
	address := strings.TrimPrefix(base, "http://")
	var group errgroup.Group
	group.SetLimit(atOnce)
	for i := range c.members {
		group.Go(func() error {
			m, events, err := join(ctx, address, "/api/v1/games/"+game+"/events")
			if err != nil {
				return err
			}
			c.members[i] = m
			c.reading.Go(func() {
				for m.next(events) {
				}
			})
			joined()
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		c.leave()
		return nil, fmt.Errorf("a spectator could not connect: %w", err)
	}
	return c, nil
}

// join opens a stream and reads its first event.
func join(ctx context.Context, address, path string) (m *spectator, events *bufio.Reader, err error) {
	const buffer = 1 << 10
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			_ = conn.Close()
		}
	}()
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n\r\n", path, address)
	if err != nil {
		return nil, nil, err
	}
	answer, err := http.ReadResponse(bufio.NewReaderSize(conn, buffer), nil) //nolint:bodyclose // ends with the connection
	if err != nil {
		return nil, nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("answered %s", answer.Status)
	}
	m, events = &spectator{conn: conn, received: map[int64]time.Time{}}, bufio.NewReaderSize(answer.Body, buffer)
	if !m.next(events) {
		return nil, nil, errors.New("the stream ended at once")
	}
	m.read.Store(0)
	return m, events, nil
}

// next reads up to the end of the next event that has an id; false at the end of the stream.
func (m *spectator) next(events *bufio.Reader) bool {
	version := int64(0)
	whole := true // the piece that is read next begins a line
	for {
		piece, err := events.ReadSlice('\n')
		m.read.Add(int64(len(piece)))
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return false
		}
		if id, found := bytes.CutPrefix(piece, []byte("id: ")); found && whole {
			version, _ = strconv.ParseInt(string(bytes.TrimSpace(id)), 10, 64)
		}
		if whole && len(piece) == 1 && version > 0 {
			m.received[version] = time.Now()
			m.latest.Store(version)
			return true
		}
		whole = err == nil
	}
}

// waitFor returns when all spectators know the last of some moves, or after ten seconds.
func (c *crowd) waitFor(moves []watchedMove) {
	await(10*time.Second, func() bool {
		return !slices.ContainsFunc(c.members, func(m *spectator) bool { return m.latest.Load() < lastOf(moves) })
	})
}

// await returns when something is so, or after so long.
func await(long time.Duration, so func() bool) {
	pace := time.NewTicker(10 * time.Millisecond)
	defer pace.Stop()
	for end := time.Now().Add(long); time.Now().Before(end) && !so(); {
		<-pace.C
	}
}

// leave ends all streams. It may be called twice.
func (c *crowd) leave() {
	c.once.Do(func() {
		for _, m := range c.members {
			if m != nil {
				_ = m.conn.Close()
			}
		}
		c.reading.Wait()
	})
}

// bytes returns the number of bytes that all spectators together have read after their first event.
func (c *crowd) bytes() (sum int64) {
	for _, m := range c.members {
		sum += m.read.Load()
	}
	return sum
}

// delays returns, for each move, the delay from sending to each spectator and to the last, and from its answer to the
// last, 0 if that was earlier. A missed move is an error. All spectators must have left.
func (c *crowd) delays(moves []watchedMove) (each, last, answered *recorder) {
	each, last, answered = &recorder{}, &recorder{}, &recorder{}
	for _, move := range moves {
		latest := move.sent
		for _, m := range c.members {
			at, received := m.received[move.version]
			if !received {
				each.errors++
				last.errors++
				continue
			}
			each.took = append(each.took, at.Sub(move.sent))
			if at.After(latest) {
				latest = at
			}
		}
		last.took = append(last.took, latest.Sub(move.sent))
		answered.took = append(answered.took, max(0, latest.Sub(move.answered)))
	}
	return each, last, answered
}
