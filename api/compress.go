package api

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"quatuor/api/contract"
)

// compressFrom is the least size of an answer that is compressed, in bytes. A shorter answer fits into a packet anyway.
const compressFrom = 1024

// compression compresses (gzip) answers to requests without a session or token; see compressible.
//
// The length of a compressed answer shows how well its parts repeat each other: an attacker that controls a part, by a
// parameter or a name, and sees the length of what another browser is sent, can guess a secret in it byte by byte
// (BREACH). An answer to a visitor without a session or token holds no secrets, so its length leaks none. The pages of
// codes on slips are the exception: their address is a secret. All other answers are sent uncompressed. Static files,
// the same for everyone, are compressed by the pages themselves. Streams are not compressed: they send little, and at
// once.
func compression() echo.MiddlewareFunc {
	return middleware.GzipWithConfig(middleware.GzipConfig{MinLength: compressFrom})
}

// compressible reports whether the answer to a request may be compressed.
func compressible(c echo.Context, q *request) bool {
	r, route := c.Request(), c.Path()
	return q.identity.Anonymous() && r.Method == http.MethodGet && withoutCredentials(r) &&
		!strings.HasSuffix(route, "/live") && !strings.HasSuffix(route, "/events") && !strings.HasPrefix(route, "/static/") &&
		!strings.HasPrefix(route, "/r/") && !strings.HasPrefix(route, contract.BasePath+"/results/")
}
