package sqlite

import "database/sql/driver"

// driverConn is a connection of either driver, as far as it is used past database/sql.
type driverConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.QueryerContext
}
