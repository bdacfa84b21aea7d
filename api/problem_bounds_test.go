package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"quatuor/api/gen"
	"quatuor/api/rest"
	"quatuor/engine"
)

// TestProblemDocumentsKeepToTheContract makes documents of errors that say far too much, and holds them to the contract.
func TestProblemDocumentsKeepToTheContract(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(gen.Contract)
	if err != nil {
		t.Fatal(err)
	}
	problem := doc.Components.Schemas["Problem"].Value
	long := strings.Repeat("é💥\xff\n", 5000)
	refusal := &rest.Refusal{Err: fmt.Errorf("%w: %s", engine.ErrIllegal, long), Turn: 3}
	for i := range 12_000 {
		refusal.Fields = append(refusal.Fields, rest.FieldError{Pointer: fmt.Sprint("/", i, long), Detail: fmt.Sprint(i, long)})
		refusal.Legal = append(refusal.Legal, engine.Move("c1-c5"))
	}
	s := &Server{}
	for _, path := range []string{"/short", "/" + strings.Repeat("x", 10_000)} {
		c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, path, http.NoBody), httptest.NewRecorder())
		for _, err := range []error{refusal, errors.Join(ErrMalformed, errors.New(long)), ErrMalformed} {
			text, err := json.Marshal(s.problem(c, err))
			if err != nil {
				t.Fatal(err)
			}
			var value any
			if err := json.Unmarshal(text, &value); err != nil {
				t.Fatal(err)
			}
			if err := problem.VisitJSON(value, openapi3.VisitAsResponse()); err != nil {
				t.Errorf("%.300v", err)
			}
		}
	}
}

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"ééé", 3, "ééé"},
		{"éééé", 3, "éé…"},
		{"💥é", 3, "💥é"},
		{"💥éé", 3, "💥…"},
		{"é💥💥", 3, "é…"},
		{"\xff\xff\xff\xff", 3, "\xff\xff…"},
	} {
		got := clip(tt.text, tt.n)
		if got != tt.want || len(utf16.Encode([]rune(got))) > tt.n {
			t.Errorf("clip(%q, %d) is %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}
