package api

import (
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/forward"
)

// limitAddress refuses what an address asks beyond its rate.
func (s *Server) limitAddress(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		q := requestOf(c)
		if q.forwarded || s.peers != nil && c.Path() == forward.Path { // there the limit is for those who prove nothing
			return next(c)
		}
		if err := q.take(s.byAddress, q.sender.Address); err != nil {
			return err
		}
		return next(c)
	}
}

// limitAccount refuses what an account asks beyond its rate, and sets the headers that tell how much is left.
func (s *Server) limitAccount(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		q := requestOf(c)
		if !q.identity.Anonymous() && !q.forwarded {
			if err := q.take(s.byAccount, q.identity.AccountID); err != nil {
				return err
			}
		}
		q.setRateHeaders(c.Response().Header())
		return next(c)
	}
}

// SpentShare is the part of its limit that an account may ask of an instance before the others are told.
const SpentShare = 10

// Spent returns how often each account has asked here since the last call, of those that asked much for a second: what
// the other instances are to know.
func (s *Server) Spent() map[string]int {
	if s.byAccount.Off() {
		return nil
	}
	return s.byAccount.Spent(max(1, s.byAccount.Rate().PerMinute/60/SpentShare))
}

// SpentElsewhere counts how often an account asked another instance, until a time.
func (s *Server) SpentElsewhere(account string, times int, at time.Time) {
	s.byAccount.Charge(account, times, at)
}
