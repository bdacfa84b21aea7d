package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// crowd is the spectators of one game, each with a connection of its own.
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

// gather connects so many spectators to a game and returns when each has its current state.
func gather(ctx context.Context, base, game string, n, atOnce int, joined func()) (*crowd, error) {
	c := &crowd{members: make([]*spectator, n)}
	address := strings.TrimPrefix(base, "http://")
	room := make(chan struct{}, atOnce)
	failed := make(chan error, n)
	for i := range c.members {
		room <- struct{}{}
		go func() {
			defer func() { <-room }()
			m, events, err := join(ctx, address, "/api/v1/games/"+game+"/events")
			if err == nil {
				c.members[i] = m
				c.reading.Go(func() { m.follow(events) })
				joined()
			}
			failed <- err
		}()
	}
	var err error
	for range c.members {
		if e := <-failed; err == nil {
			err = e
		}
	}
	if err != nil {
		c.leave()
		return nil, fmt.Errorf("a spectator could not connect: %w", err)
	}
	return c, nil
}

// join opens a stream and reads its first event.
func join(ctx context.Context, address, path string) (*spectator, *bufio.Reader, error) {
	const buffer = 1 << 10
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, nil, err
	}
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n\r\n", path, address)
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	answer, err := http.ReadResponse(bufio.NewReaderSize(conn, buffer), nil) //nolint:bodyclose // ends with the connection
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	if answer.StatusCode != http.StatusOK {
		return nil, nil, errors.Join(fmt.Errorf("answered %s", answer.Status), conn.Close())
	}
	m := &spectator{conn: conn, received: map[int64]time.Time{}}
	events := bufio.NewReaderSize(answer.Body, buffer)
	if !m.next(events) {
		return nil, nil, errors.Join(errors.New("the stream ended at once"), conn.Close())
	}
	m.read.Store(0)
	return m, events, nil
}

func (m *spectator) follow(events *bufio.Reader) {
	for m.next(events) {
	}
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
	if len(moves) == 0 {
		return
	}
	pace := time.NewTicker(10 * time.Millisecond)
	defer pace.Stop()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); <-pace.C {
		behind := false
		for _, m := range c.members {
			behind = behind || m.latest.Load() < moves[len(moves)-1].version
		}
		if !behind {
			return
		}
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

// bytes returns how much all spectators together have read after their first event.
func (c *crowd) bytes() (sum int64) {
	for _, m := range c.members {
		sum += m.read.Load()
	}
	return sum
}

// delays returns, for each move, the delay from sending to each spectator and to the last one, and from its answer to
// the last one, 0 if that was earlier. A missed move is an error. All spectators must have left.
func (c *crowd) delays(moves []watchedMove) (each, last, answered *recorder) {
	each, last, answered = &recorder{}, &recorder{}, &recorder{}
	for _, move := range moves {
		latest := move.sent
		for _, m := range c.members {
			at, told := m.received[move.version]
			if !told {
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
