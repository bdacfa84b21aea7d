package rest

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// timeForm is how times are written: RFC 3339 in UTC with milliseconds.
const timeForm = "2006-01-02T15:04:05.000Z"

// moment writes a time in ms since 1970.
func moment(ms int64) string { return time.UnixMilli(ms).UTC().Format(timeForm) }

// optionalMoment leaves out a time that has not come.
func optionalMoment(ms int64) *string {
	if ms == 0 {
		return nil
	}
	text := moment(ms)
	return &text
}

// readMoment reads a time in any zone; pointer says where it stood.
func readMoment(text, pointer string) (int64, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, invalid(pointer, fmt.Sprintf("%q is not a time; write it like 2026-03-01T18:30:00Z", text))
	}
	return t.UnixMilli(), nil
}

// optional leaves out a zero value.
func optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// valueOf returns what a pointer points at, or the zero value.
func valueOf[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

const (
	defaultLimit = 50
	maxItems     = 200
)

// pageLength returns how many items to list.
func pageLength(limit *int) int {
	if limit == nil {
		return defaultLimit
	}
	return min(*limit, maxItems)
}

// cut returns a page of a list that is held whole, and the cursor of the next one: the key of the last item, so that what
// comes or goes before it moves nothing. Without a limit the page goes to the end of the list.
func cut[T any](list []T, limit *int, cursor *string, key func(T) string) (page []T, next string, err error) {
	if cursor != nil {
		at := slices.IndexFunc(list, func(item T) bool { return key(item) == *cursor })
		if at < 0 {
			return nil, "", badCursor{}
		}
		list = list[at+1:]
	}
	if limit == nil || len(list) <= *limit {
		return list, "", nil
	}
	return list[:*limit], key(list[*limit-1]), nil
}

// nextLink returns the Link header that names the next page, nil on the last one. query holds the list's own filters;
// empty values are left out.
func nextLink(path, next string, limit *int, query map[string]string) *string {
	if next == "" {
		return nil
	}
	values := url.Values{"cursor": {next}}
	if limit != nil {
		values.Set("limit", strconv.Itoa(*limit))
	}
	for key, value := range query {
		if value != "" {
			values.Set(key, value)
		}
	}
	link := "</api/v1" + path + "?" + values.Encode() + `>; rel="next"`
	return &link
}
