package api

import (
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/forward"
)

// limitAddress refuses requests from an address beyond its rate.
func (s *Server) limitAddress(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		q := requestOf(c)
		if q.forwarded || s.peers != nil && c.Path() == forward.Path { // the limit there is for unauthenticated requests
			return next(c)
		}
		if err := q.take(s.byAddress, q.sender.Address); err != nil {
			return err
		}
		return next(c)
	}
}

// limitAccount refuses requests of an account beyond its rate, and sets the RateLimit headers.
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

// SpentShare is the fraction (1/n) of its limit that an account may use at an instance before that is published to the
// others.
const SpentShare = 10

// Spent returns the number of requests here since the last call, a second ago, by accounts that made many. It is
// published to the other instances.
func (s *Server) Spent() map[string]int {
	if s.byAccount.Off() {
		return nil
	}
	return s.byAccount.Spent(max(1, s.byAccount.Rate().PerMinute/60/SpentShare))
}

// SpentElsewhere counts an account's requests to another instance until a time.
func (s *Server) SpentElsewhere(account string, times int, at time.Time) {
	s.byAccount.Charge(account, times, at)
}
