package api

import (
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/forward"
)

// limitAddress refuses requests from an address beyond its rate.
func (s *Server) limitAddress(c echo.Context, q *request) error {
	if s.peers != nil && c.Path() == forward.Path { // the limit there is for unauthenticated requests
		return nil
	}
	return q.take(s.byAddress, q.identity.Address)
}

// limitAccount refuses requests of an account beyond its rate.
func (s *Server) limitAccount(q *request) error {
	if q.identity.Anonymous() {
		return nil
	}
	return q.take(s.byAccount, q.identity.AccountID)
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
	return s.byAccount.Spent(max(1, int(time.Second/s.byAccount.Rate().Interval)/SpentShare))
}

// SpentElsewhere counts an account's requests to another instance until a time.
func (s *Server) SpentElsewhere(account string, times int, at time.Time) {
	s.byAccount.Charge(account, times, at)
}
