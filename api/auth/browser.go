package auth

import "strings"

// browsers and systems are matched against the User-Agent header; the first match counts, since most browsers also name
// others.
var (
	browsers = [][2]string{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser/", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"},
		{"Chromium/", "Chromium"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
	}
	systems = [][2]string{
		{"Android", "Android"},
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"CrOS", "ChromeOS"},
		{"Windows", "Windows"},
		{"Mac OS X", "macOS"},
		{"Linux", "Linux"},
	}
)

// browserName returns the names of a browser and its system, "" where neither is known. It never holds anything but the
// names above: others' texts do not get into lists by it.
func browserName(userAgent string) string {
	find := func(known [][2]string) string {
		for _, k := range known {
			if strings.Contains(userAgent, k[0]) {
				return k[1]
			}
		}
		return ""
	}
	browser, system := find(browsers), find(systems)
	if browser != "" && system != "" {
		return browser + ", " + system
	}
	return browser + system
}
