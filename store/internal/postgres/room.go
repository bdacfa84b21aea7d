package postgres

import (
	"context"
	"fmt"
)

// Room is the number of connections that the server allows by the tightest of its limits.
type Room struct {
	Limit int    // of all connections that it applies to
	Taken int    // of them, by others than this connection
	By    string // the setting behind the limit, which can be changed
}

// roomQuery returns the tightest limit that applies. Superusers are bound by max_connections alone.
const roomQuery = `WITH others AS MATERIALIZED (SELECT usename, datname FROM pg_stat_activity WHERE usename IS NOT NULL AND pid <> pg_backend_pid()),
	me AS (SELECT rolname, rolconnlimit, rolsuper FROM pg_roles WHERE rolname = session_user)
	SELECT allowed, taken, what FROM (
		SELECT rolconnlimit, (SELECT count(*) FROM others WHERE usename = rolname), 'CONNECTION LIMIT of the role ' || quote_ident(rolname)
			FROM me WHERE rolconnlimit >= 0 AND NOT rolsuper
		UNION ALL SELECT datconnlimit, (SELECT count(*) FROM others WHERE others.datname = d.datname), 'CONNECTION LIMIT of the database ' || quote_ident(datname)
			FROM pg_database d, me WHERE datname = current_database() AND datconnlimit >= 0 AND NOT rolsuper
		UNION ALL SELECT current_setting('max_connections')::integer - CASE WHEN rolsuper THEN 0 ELSE
			current_setting('superuser_reserved_connections')::integer + coalesce(current_setting('reserved_connections', true)::integer, 0) END,
			(SELECT count(*) FROM others), 'max_connections of the server' FROM me
	) AS limits (allowed, taken, what) ORDER BY allowed - taken, allowed LIMIT 1`

// Room returns how many connections the server has left.
func (d *DB) Room(ctx context.Context) (r Room, err error) {
	err = d.pool.QueryRowContext(ctx, roomQuery).Scan(&r.Limit, &r.Taken, &r.By)
	return r, err
}

// checkRoom refuses a server with a limit below the connections of an instance, which would only fail once it needs the
// last of them.
func (d *DB) checkRoom(ctx context.Context, connections int) error {
	r, err := d.Room(ctx)
	if err != nil {
		return fmt.Errorf("ask the database for its limits of connections: %w", err)
	}
	if r.Limit < connections {
		return fmt.Errorf("the database allows %d connections (%s), and this instance takes %d: raise the limit to the "+
			"connections of all instances together and some more, or lower --database-connections, to %d at least",
			r.Limit, r.By, connections, MinConnections)
	}
	return nil
}
