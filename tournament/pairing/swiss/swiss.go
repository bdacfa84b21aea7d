// Package swiss pairs Swiss tournaments by the FIDE (Dutch) System, C.04.3 in the edition of 1 February 2026, under the
// rules common to all Swiss systems (C.04.1, C.04.2).
package swiss
