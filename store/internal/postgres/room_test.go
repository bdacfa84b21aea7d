package postgres

import (
	"net/url"
	"strings"
	"testing"

	"quatuor/store/dbtest"
)

// TestConnectionLimits opens a database by roles that may have few connections: too few for an instance is refused, and
// the message names the limit and the remedy; connections of others are counted.
func TestConnectionLimits(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off", "max_connections=40", "superuser_reserved_connections=4")
	dsn := server.Schema(t)
	db := openDB(t, dsn)
	must(t, db, "CREATE ROLE small LOGIN CONNECTION LIMIT 7")
	must(t, db, "CREATE ROLE enough LOGIN CONNECTION LIMIT 12")
	must(t, db, "CREATE ROLE unlimited LOGIN")
	must(t, db, "CREATE ROLE strong LOGIN SUPERUSER CONNECTION LIMIT 1")
	must(t, db, "CREATE DATABASE narrow CONNECTION LIMIT 3")
	as := func(role, database string) string {
		u, err := url.Parse(dsn)
		if err != nil {
			t.Fatal(err)
		}
		if database != "" {
			u.Path = "/" + database
		}
		query := u.Query()
		query.Set("user", role)
		u.RawQuery = query.Encode()
		return u.String()
	}
	for _, tt := range []struct {
		role, database string
		refused        []string // words of the message; none where it is opened
		limit          int
	}{
		{"small", "", []string{"allows 7 connections (CONNECTION LIMIT of the role small)", "takes 8", "--database-connections"}, 0},
		{"unlimited", "narrow", []string{"allows 3 connections (CONNECTION LIMIT of the database narrow)", "takes 8"}, 0},
		{"enough", "", nil, 12},
		{"unlimited", "", nil, 36},
		{"strong", "narrow", nil, 40},
	} {
		limited, err := Open(t.Context(), as(tt.role, tt.database), DefaultConnections)
		for _, word := range tt.refused {
			if err == nil || !strings.Contains(err.Error(), word) {
				t.Errorf("%s on %q: the error is %v, without %q", tt.role, tt.database, err, word)
			}
		}
		if len(tt.refused) > 0 {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.role, err)
			continue
		}
		room, err := limited.Room(t.Context())
		if err != nil || room.Limit != tt.limit {
			t.Errorf("%s: room is %+v, error %v, want a limit of %d", tt.role, room, err, tt.limit)
		}
		if err := limited.Close(); err != nil {
			t.Error(err)
		}
	}
	// Another instance with the same role takes the connections that this instance would need.
	other := openDB(t, as("enough", ""))
	for range 4 {
		conn, err := other.Pool().DB.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
	mine := openDB(t, as("enough", ""))
	if room, err := mine.Room(t.Context()); err != nil || room.Taken != 4 || !strings.Contains(room.By, "role enough") {
		t.Errorf("beside another instance room is %+v, error %v, want 4 taken of the role's", room, err)
	}
}
