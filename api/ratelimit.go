package api

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/internal/limit"
)

// limitAddress refuses what an address asks beyond its rate.
func (s *Server) limitAddress(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		q := requestOf(c)
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
		if !q.identity.Anonymous() {
			if err := q.take(s.byAccount, q.identity.AccountID); err != nil {
				return err
			}
		}
		q.setRateHeaders(c.Response().Header())
		return next(c)
	}
}

// setRateHeaders tells a client how much it may still do.
func setRateHeaders(header http.Header, v limit.Verdict) {
	var room [48]byte // the three numbers are cut from one text
	text := strconv.AppendInt(room[:0], int64(v.Limit), 10)
	one := len(text)
	text = strconv.AppendInt(text, int64(v.Remaining), 10)
	two := len(text)
	all := string(strconv.AppendInt(text, wholeSeconds(v.Reset), 10))
	values := []string{all[:one], all[one:two], all[two:]}
	header["Ratelimit-Limit"], header["Ratelimit-Remaining"], header["Ratelimit-Reset"] = values[:1:1], values[1:2:2], values[2:]
	if !v.OK {
		header.Set("Retry-After", seconds(v.RetryIn))
	}
}

// seconds returns a time in whole seconds, rounded up: a client that waits as long as told has waited long enough.
func seconds(d time.Duration) string { return strconv.FormatInt(wholeSeconds(d), 10) }

func wholeSeconds(d time.Duration) int64 { return int64(math.Ceil(d.Seconds())) }
