// Package ledger turns finished games into rating rows: in the order in which they finished, each exactly once.
package ledger
