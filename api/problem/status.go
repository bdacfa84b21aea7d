package problem

import (
	"net/http"

	"quatuor/api/gen"
)

// statusSlugs are the slugs of echo's own errors, and of statuses without an error in the table.
var statusSlugs = map[int]string{
	http.StatusBadRequest:            "malformed",
	http.StatusUnauthorized:          "unauthorized",
	http.StatusForbidden:             "forbidden",
	http.StatusNotFound:              "not-found",
	http.StatusMethodNotAllowed:      "method-not-allowed",
	http.StatusRequestEntityTooLarge: "too-large",
	http.StatusUnsupportedMediaType:  "unsupported-media-type",
	http.StatusServiceUnavailable:    "unavailable",
}

var statusDetails = map[int]string{
	http.StatusNotFound:         "there is nothing at this address; the addresses are in /openapi.yaml",
	http.StatusMethodNotAllowed: "this address does not take this method; the header Allow says which it takes",
}

// statusProblem returns the document for an error of the framework. Its own texts are not meant for clients.
func statusProblem(status int) gen.Problem {
	slug, known := statusSlugs[status]
	switch {
	case known:
	case status < http.StatusInternalServerError:
		slug = statusSlugs[http.StatusBadRequest]
	default:
		slug = internal(nil).slug
	}
	p := gen.Problem{Type: "/problems/" + slug, Title: http.StatusText(status), Status: status}
	if detail, ok := statusDetails[status]; ok {
		p.Detail = &detail
	}
	return p
}
