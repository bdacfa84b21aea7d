package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// settings are those of every session, unless the address sets them. Milliseconds where there is no unit.
var settings = map[string]string{
	"application_name": "quatuor",
	// An acknowledged write is on disk, and on a synchronous standby, whatever the server's default is.
	"synchronous_commit": "on",
	// A client that stops within a transaction holds its locks no longer than this.
	"idle_in_transaction_session_timeout": "3s",
	// A statement waits no longer than this for a lock.
	"lock_timeout": "5s",
	// The locks of a client that has vanished are released within about this time.
	"tcp_user_timeout":        "10s",
	"tcp_keepalives_idle":     "10s",
	"tcp_keepalives_interval": "2s",
	"tcp_keepalives_count":    "3",
}

// The same timeouts for this side of a connection.
const (
	connectTimeout    = 5 * time.Second
	unansweredTimeout = 10 * time.Second
	keepaliveIdle     = 10 * time.Second
	keepaliveInterval = 2 * time.Second
	keepaliveCount    = 3
)

// Access is the purpose of a connection.
type Access int

// Writing takes a server that can be written to; Reading takes any, and refuses every write. Grouping is Writing for
// groups of writes.
const (
	Writing Access = iota
	Reading
	Grouping
)

// rowByRow has the planner look up rows by key, each in the given order, whatever its statistics: tables grow from
// nothing to thousands of rows before it analyzes them, and groups that lock rows in the same order do not deadlock.
var rowByRow = map[string]string{
	"plan_cache_mode":  "force_generic_plan",
	"enable_hashjoin":  "off",
	"enable_mergejoin": "off",
	"enable_seqscan":   "off",
	"enable_material":  "off",
}

// parse returns how to connect to the database that an address names.
func parse(dsn string, access Access) (*pgx.ConnConfig, error) {
	c, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	dialer, err := dialerOf(c.RuntimeParams)
	if err != nil {
		return nil, err
	}
	for name, value := range settings {
		if !given(c.RuntimeParams, name) {
			c.RuntimeParams[name] = value
		}
	}
	if access == Grouping {
		maps.Copy(c.RuntimeParams, rowByRow)
	}
	if access == Reading {
		c.RuntimeParams["default_transaction_read_only"] = "on"
		c.RuntimeParams["idle_in_transaction_session_timeout"] = "0" // it holds no locks that others wait for
	} else if c.ValidateConnect == nil && !strings.Contains(dsn, "target_session_attrs") {
		c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectTimeout
	}
	dialer.Timeout = c.ConnectTimeout
	c.DialFunc = dialer.DialContext
	return c, nil
}

// given reports whether an address sets a session parameter, directly or among its options.
func given(params map[string]string, name string) bool {
	if _, is := params[name]; is {
		return true
	}
	for _, word := range strings.FieldsFunc(params["options"], func(r rune) bool { return r == ' ' || r == '\t' }) {
		word = strings.TrimPrefix(strings.TrimPrefix(word, "--"), "-c")
		if set, _, _ := strings.Cut(word, "="); strings.EqualFold(strings.ReplaceAll(set, "-", "_"), name) {
			return true
		}
	}
	return false
}

// dialerOf returns a dialer. It removes parameters of the address that libpq keeps for the client, and the server would
// refuse.
func dialerOf(params map[string]string) (*net.Dialer, error) {
	keep := net.KeepAliveConfig{Enable: true, Idle: keepaliveIdle, Interval: keepaliveInterval, Count: keepaliveCount}
	for name, take := range map[string]func(n int){
		"keepalives":          func(n int) { keep.Enable = n != 0 },
		"keepalives_idle":     func(n int) { keep.Idle = time.Duration(n) * time.Second },
		"keepalives_interval": func(n int) { keep.Interval = time.Duration(n) * time.Second },
		"keepalives_count":    func(n int) { keep.Count = n },
	} {
		text, is := params[name]
		if !is {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%s in the database's address must be a number, not %q", name, text)
		}
		take(n)
		delete(params, name)
	}
	unanswered := unansweredTimeout
	if text, is := params["tcp_user_timeout"]; is {
		if n, err := strconv.Atoi(text); err == nil && n >= 0 { // with a unit only the server understands it
			unanswered = time.Duration(n) * time.Millisecond
		}
	}
	return &net.Dialer{KeepAliveConfig: keep, Control: limitUnanswered(unanswered)}, nil
}

// Connect returns a single connection with the same settings, for a listener, under a name in pg_stat_activity. It is
// counted in [Reserved].
func Connect(ctx context.Context, dsn, name string) (*pgx.Conn, error) {
	c, err := parse(dsn, Writing)
	if err != nil {
		return nil, err
	}
	c.RuntimeParams["application_name"] = name
	return pgx.ConnectConfig(ctx, c)
}

// OpenPool returns a pool with a maximum of connections to the database that a postgres:// address names.
func OpenPool(dsn string, access Access, connections int) (*sql.DB, error) {
	c, err := parse(dsn, access)
	if err != nil {
		return nil, err
	}
	pool := stdlib.OpenDB(*c)
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}

// trustStorage is a parameter of an address: the operator vouches that the storage is durable without fsync and
// full_page_writes, as some managed servers have it. Tests set it for servers that may lose everything.
const trustStorage = "quatuor.trust_storage"

// checkServer refuses a server that may lose or tear acknowledged writes.
func checkServer(ctx context.Context, dsn string, pool *sql.DB) error {
	c, err := parse(dsn, Writing)
	if err != nil {
		return err
	}
	var fsync, pages, commit string
	err = pool.QueryRowContext(ctx, `SELECT current_setting('fsync'), current_setting('full_page_writes'),
		current_setting('synchronous_commit')`).Scan(&fsync, &pages, &commit)
	switch {
	case err != nil:
		return fmt.Errorf("ask the database for its settings: %w", err)
	case c.RuntimeParams[trustStorage] == "on":
	case fsync != "on":
		return errors.New("the database runs with fsync=off and would lose acknowledged moves in a crash; set fsync = on " +
			"in postgresql.conf and reload it")
	case pages != "on":
		return errors.New("the database runs with full_page_writes=off and could be torn by a crash; set full_page_writes " +
			"= on in postgresql.conf and reload it")
	}
	// A pooler in between may drop session settings.
	if want := c.RuntimeParams["synchronous_commit"]; want == settings["synchronous_commit"] && commit != want {
		return fmt.Errorf("sessions have synchronous_commit=%s though this program asks for %s; connect without a pooler "+
			"in between", commit, want)
	}
	return nil
}
