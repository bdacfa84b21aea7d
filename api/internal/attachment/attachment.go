// Package attachment answers with files for a client to keep: their names, and large files that hold secrets.
package attachment

import (
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// sendTime is the time for a client to fetch a file; other answers have less.
const sendTime = time.Hour

// Send answers with a file and closes it. No cache keeps the answer.
func Send(w http.ResponseWriter, f *os.File, kind string) error {
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{
		"filename": filepath.Base(f.Name()),
	}))
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTime)) // without it, the usual deadline
	w.WriteHeader(http.StatusOK)
	_, err = io.Copy(w, f)
	return err
}

// Disposition returns a Content-Disposition header (RFC 6266): an ASCII file name and, if they differ, the exact name.
func Disposition(name string) string {
	plain := strings.Map(func(c rune) rune {
		if c > unicode.MaxASCII {
			return '_'
		}
		return c
	}, name)
	value := mime.FormatMediaType("attachment", map[string]string{"filename": plain})
	if encoded := mime.FormatMediaType("attachment", map[string]string{"filename": name}); name != plain {
		value += strings.TrimPrefix(encoded, "attachment")
	}
	return value
}

// FileName returns a name for a file from a title: its letters and digits, joined by hyphens; otherwise if it has none.
func FileName(title, otherwise string) string {
	words := strings.FieldsFunc(title, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if len(words) == 0 {
		return otherwise
	}
	return strings.Join(words, "-")
}
