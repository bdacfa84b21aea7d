package kit

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"image"
	_ "image/jpeg" // a format of logos
	_ "image/png"  // likewise
	"mime"
	"net/http"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"
	"quatuor/api/pages/static"
)

// asset is a static file, in memory.
type asset struct {
	Content []byte
	gzipped func() []byte // compressed when it is first requested; nil if it would not be shorter
	kind    string
	digest  string
}

// Assets are the static files by name.
type Assets map[string]asset

// loadAssets reads the embedded files once.
var loadAssets = sync.OnceValue(func() Assets {
	set := Assets{}
	for name := range static.Paths {
		set.load(name)
	}
	return set
})

// moduleName matches the imports of a JavaScript module.
var moduleName = regexp.MustCompile(`'\.\.?/(?:\w+/)?([\w-]+\.js)'`)

// load reads a file after the modules that it imports, and replaces their names with versioned addresses. Import cycles
// are not supported.
func (a Assets) load(name string) {
	if _, known := a[name]; known {
		return
	}
	content, err := static.Files.ReadFile(static.Paths[name])
	if err != nil {
		panic(err)
	}
	if path.Ext(name) == ".js" {
		content = withoutComments(content)
		content = moduleName.ReplaceAllFunc(content, func(quoted []byte) []byte {
			used := path.Base(strings.Trim(string(quoted), "'"))
			if _, known := static.Paths[used]; !known || used == name {
				return quoted
			}
			a.load(used)
			return []byte("'" + a.Address(used) + "'")
		})
	}
	a[name] = asset{
		Content: content, kind: mimeType(name), digest: digest(content),
		gzipped: sync.OnceValue(func() []byte { return compress(content) }),
	}
}

// withoutComments strips comments on lines of their own from a module. Comments that begin with /*! are licences of
// third parties, and stay.
func withoutComments(module []byte) []byte {
	var kept []byte
	end := "" // suffix that closes the current comment, "" outside comments
	for line := range bytes.Lines(module) {
		text := strings.TrimSpace(string(line))
		switch {
		case end == "*/ kept":
			kept = append(kept, line...)
			if strings.Contains(text, "*/") {
				end = ""
			}
		case end != "":
			if strings.HasSuffix(text, end) {
				end = ""
			}
		case strings.HasPrefix(text, "/*!"):
			kept = append(kept, line...)
			if !strings.Contains(text, "*/") {
				end = "*/ kept"
			}
		case strings.HasPrefix(text, "//"):
		case strings.HasPrefix(text, "/**") && strings.HasSuffix(text, "*/") && strings.Count(text, "*/") == 1:
		case strings.HasPrefix(text, "/**") && !strings.Contains(text, "*/"):
			end = "*/"
		default:
			kept = append(kept, line...)
		}
	}
	return kept
}

// compress returns a file compressed; nil if that would not be shorter.
func compress(content []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // a buffer accepts every write
	}
	if out.Len() >= len(content) {
		return nil
	}
	return out.Bytes()
}

// mimeType has the text types built in: package mime reads them from tables of the system, which differ.
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

// Address returns the address of a file. It changes with the content, so that browsers may cache the file for ever.
func (a Assets) Address(name string) string { return "/static/" + name + "?v=" + a[name].digest }

// workerPolicy is the Content-Security-Policy of scripts: a worker takes its policy from its own response.
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'"

func (k *Kit) static(c echo.Context) error {
	file, ok := k.Assets[c.Param("file")]
	if !ok {
		return k.Error(c, http.StatusNotFound)
	}
	header := c.Response().Header()
	header.Set("X-Content-Type-Options", "nosniff")
	if strings.HasPrefix(file.kind, "text/javascript") {
		header.Set("Content-Security-Policy", workerPolicy)
	}
	tag := `"` + file.digest + `"`
	header.Set("ETag", "W/"+tag) // weak: the same for both encodings
	if c.QueryParam("v") == file.digest {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	header.Add("Vary", "Accept-Encoding")
	if matches(c.Request().Header.Get("If-None-Match"), tag) {
		return c.NoContent(http.StatusNotModified)
	}
	content := file.Content
	if acceptsGzip(c.Request().Header.Get("Accept-Encoding")) {
		if short := file.gzipped(); short != nil {
			header.Set("Content-Encoding", "gzip")
			content = short
		}
	}
	return c.Blob(http.StatusOK, file.kind, content)
}

// acceptsGzip reports whether an Accept-Encoding header allows gzip.
func acceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(part, ";")
		if name = strings.ToLower(strings.TrimSpace(name)); name == "gzip" || name == "*" {
			weight = strings.ReplaceAll(weight, " ", "")
			return weight != "q=0" && !strings.HasPrefix(weight, "q=0.000") && weight != "q=0.0" && weight != "q=0.00"
		}
	}
	return false
}

// Logo is the club's picture on its home page, on player cards and on badges.
type Logo struct {
	content []byte
	kind    string // MIME type
}

// Limits of a logo's file.
const (
	maxLogoBytes = 64 << 10
	maxLogoSide  = 2000 // pixels
)

// ReadLogo reads a logo from a file. The error explains the fault of the file.
func ReadLogo(file string) (*Logo, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxLogoBytes {
		return nil, fmt.Errorf("%s has %d bytes; a logo has at most %d", file, info.Size(), maxLogoBytes)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("%s is not a PNG or JPEG picture: %w", file, err)
	}
	if max(config.Width, config.Height) > maxLogoSide {
		return nil, fmt.Errorf("%s is %d × %d pixels large; a logo has at most %d × %d",
			file, config.Width, config.Height, maxLogoSide, maxLogoSide)
	}
	if _, _, err = image.Decode(bytes.NewReader(content)); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", file, err)
	}
	return &Logo{content, "image/" + format}, nil
}

// logoAddress is the path of the logo, if the club has a logo.
const logoAddress = "/logo"

func (k *Kit) logo(c echo.Context) error {
	if k.Logo == nil {
		return k.Error(c, http.StatusNotFound)
	}
	return k.File(c, k.Logo.kind, k.Logo.content)
}

// logoAt returns the address of the logo for templates; "" if there is none.
func (k *Kit) logoAt() string {
	if k.Logo == nil {
		return ""
	}
	return logoAddress
}
