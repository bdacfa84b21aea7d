package pages

import (
	"io/fs"
	"mime"
	"net/http"
	"path"

	"github.com/labstack/echo/v4"
)

// asset is one static file with the name that follows from its content.
type asset struct {
	content []byte
	kind    string
	digest  string
}

// assets are the static files by name.
type assets map[string]asset

func loadAssets() assets {
	entries, err := fs.ReadDir(files, "static")
	if err != nil {
		panic(err) // they are part of the program
	}
	set := assets{}
	for _, entry := range entries {
		content, err := fs.ReadFile(files, "static/"+entry.Name())
		if err != nil {
			panic(err)
		}
		set[entry.Name()] = asset{content, mimeType(entry.Name()), digest(content)}
	}
	return set
}

// mimeType does without the machine's own tables, which differ.
func mimeType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// address is where a page finds a file: it changes with the content, so that a browser may keep it for ever.
func (a assets) address(name string) string { return "/static/" + name + "?v=" + a[name].digest }

func (p *Pages) static(c echo.Context) error {
	file, ok := p.assets[c.Param("file")]
	if !ok {
		return p.Error(c, http.StatusNotFound)
	}
	header := c.Response().Header()
	header.Set("X-Content-Type-Options", "nosniff")
	tag := `"` + file.digest + `"`
	header.Set("ETag", tag)
	if c.QueryParam("v") == file.digest {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	if matches(c.Request().Header.Get("If-None-Match"), tag) {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, file.kind, file.content)
}
