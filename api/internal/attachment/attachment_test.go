package attachment

import (
	"mime"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// TestFileNamesAreHarmless: whatever a tournament's name, the header is ASCII, names a single file without a folder,
// and its RFC 8187 form is equivalent.
func TestFileNamesAreHarmless(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, name string) {
		file := FileName(name, "tournament-t-1") + ".trf"
		value := Disposition(file)
		if i := strings.IndexFunc(value, func(r rune) bool { return r < ' ' || r > '~' }); i >= 0 ||
			strings.ContainsAny(value, "\r\n/\\") {
			t.Fatalf("%q: the header is %q", name, value)
		}
		kind, parameters, err := mime.ParseMediaType(value)
		if err != nil && !strings.Contains(err.Error(), "duplicate") ||
			err == nil && (kind != "attachment" || !strings.HasSuffix(parameters["filename"], ".trf")) {
			t.Fatalf("%q: the header %q is read as %s %q, %v", name, value, kind, parameters, err)
		}
		plain, extended, found := strings.Cut(value, "; filename*=utf-8''")
		if !strings.HasPrefix(plain, "attachment; filename=") {
			t.Fatalf("%q: there is no name for everyone in %q", name, value)
		}
		needs := strings.ContainsFunc(file, func(r rune) bool { return r > unicode.MaxASCII })
		if needs != found || found && strings.ContainsAny(extended, "\"; ") {
			t.Fatalf("%q: the header is %q", name, value)
		}
	}
	for _, name := range []string{
		"", "Cup", `Cup "x"; filename=evil.exe`, "a\r\nSet-Cookie: x=1", "../../etc/passwd",
		`C:\boot`, "Ünal; Cup", "王座", "\u202egpj.exe", "%0d%0a", "\x00",
	} {
		check(t, name)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.String().Draw(t, "name")) })
}
