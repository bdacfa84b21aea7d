package sqlite

import "gorm.io/gorm"

// Within is the connection of a transaction as gorm may use it: for statements, not for transactions of its own.
type Within struct{ gorm.ConnPool }
