// Package attachment answers with a large file that holds secrets, for a client to keep.
package attachment

import (
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// sendTime is how long a client may take to fetch a file; other answers have less.
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
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTime)) // without it, the usual one
	w.WriteHeader(http.StatusOK)
	_, err = io.Copy(w, f)
	return err
}
