package sqlite

import "database/sql/driver"

// driverConn has the methods of either driver's connection that are used past database/sql.
type driverConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.QueryerContext
}
