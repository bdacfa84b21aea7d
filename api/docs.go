package api

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"

	"github.com/labstack/echo/v4"
)

// docsFiles is Swagger UI 5.35.0 (Apache License 2.0) with a page of our own around it. It makes no requests to other
// servers.
//
//go:embed docs
var docsFiles embed.FS

// docsPolicy allows the page its own files; Swagger UI sets styles of elements from its script.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var docsTypes = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}

func (s *Server) docs(c echo.Context) error {
	page, err := docsFiles.ReadFile("docs/index.html")
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Security-Policy", docsPolicy)
	return c.HTMLBlob(http.StatusOK, page)
}

func (s *Server) docsFile(c echo.Context) error {
	name := c.Param("file")
	kind, ok := docsTypes[path.Ext(name)]
	if !ok {
		return echo.ErrNotFound
	}
	content, err := docsFiles.ReadFile("docs/" + path.Base(name))
	if err != nil {
		return echo.ErrNotFound
	}
	sum := sha256.Sum256(content)
	tag := `"` + hex.EncodeToString(sum[:12]) + `"`
	c.Response().Header().Set("ETag", tag)
	c.Response().Header().Set("Cache-Control", "no-cache")
	if c.Request().Header.Get("If-None-Match") == tag {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, kind, content)
}
