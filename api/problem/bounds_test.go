package problem

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quatuor/api/command"
	"quatuor/api/contract"
	"quatuor/api/gen"
	"quatuor/engine"
)

// TestProblemDocumentsKeepToTheContract makes documents of errors with far too much text, and validates them.
func TestProblemDocumentsKeepToTheContract(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(gen.Contract())
	if err != nil {
		t.Fatal(err)
	}
	problem := doc.Components.Schemas["Problem"].Value
	long := strings.Repeat("é💥\xff\n", 5000)
	refusal := &command.Refusal{Err: fmt.Errorf("%w: %s", engine.ErrIllegal, long), Turn: 3}
	fields := 12_000
	if testing.Short() {
		fields = 500
	}
	for i := range fields {
		refusal.Fields = append(refusal.Fields, command.FieldError{
			Pointer: fmt.Sprint("/", i, long), Detail: fmt.Sprint(i, long),
		})
		refusal.Legal = append(refusal.Legal, engine.Move("c1-c5"))
	}
	for _, path := range []string{"/short", "/" + strings.Repeat("x", 10_000)} {
		for _, err := range []error{refusal, errors.Join(contract.ErrMalformed, errors.New(long)), contract.ErrMalformed} {
			text, err := json.Marshal(Of(err, path, "0123456789abcdef01234567"))
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
