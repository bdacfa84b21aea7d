package apitest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Answers has the whole answers to viewers, by viewer and request, in the form of [Written].
type Answers map[string]string

// Look adds the answers to GET requests as each viewer; paths are those of [person.send].
func (w Answers) Look(viewers map[string]Person, paths []string) {
	for who, p := range viewers {
		for _, path := range paths {
			w[who+"\t"+path] = Written(p.Get(path, Header{"Accept", "text/html, application/json"}), "")
		}
	}
}

// requestID matches the id of a request in an answer.
var requestID = regexp.MustCompile(`"request_id":"[0-9a-f]+"|[0-9a-f]{24}<`)

// randomKey matches the random key of a form, which makes the page's tag another at every request.
var randomKey = regexp.MustCompile(`name="key" value="[^"]*"`)

// VolatileHeaders differ between requests with the same answer: the time, the request's id, the counters of limits.
var VolatileHeaders = []string{"X-Request-Id", "Date", "Ratelimit", "Ratelimit-Remaining", "Ratelimit-Reset"}

// Written returns a whole answer as text: the status, every header and the body, without the parts that differ between
// requests with the same answer. An id, unless it is "", becomes a fixed word.
func Written(a *Answer, id string) string {
	var lines []string
	keyed := randomKey.Match(a.Raw)
	for name, values := range a.Header {
		if !slices.Contains(VolatileHeaders, name) && !(keyed && name == "Etag") {
			lines = append(lines, fmt.Sprint(name, ": ", values))
		}
	}
	slices.Sort(lines)
	text := fmt.Sprintf("%d\n%s\n\n%s", a.Status, strings.Join(lines, "\n"), randomKey.ReplaceAll(a.Raw, nil))
	if request := a.Header.Get("X-Request-Id"); request != "" {
		text = strings.ReplaceAll(text, request, "REQUEST")
	}
	text = requestID.ReplaceAllString(text, "")
	if id == "" {
		return text
	}
	return strings.ReplaceAll(text, id, "TOURNAMENT")
}

// Differences counts the answers of a world that another lacks, or has in another form.
func Differences(t *testing.T, one, other Answers) (differ int) {
	t.Helper()
	for _, where := range slices.Sorted(maps.Keys(one)) {
		if one[where] != other[where] {
			differ++
			t.Errorf("%s differs: %s", where, FirstDifference([2]string{one[where], other[where]}))
		}
	}
	return differ
}
