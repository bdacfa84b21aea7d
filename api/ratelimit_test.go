package api_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/apitest"
)

// rateHeaders are the headers that every answer has where requests are limited.
var rateHeaders = []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}

// TestTheContractHasEveryLimit: every answer has the headers of the limit, and every operation may answer 429.
func TestTheContractHasEveryLimit(t *testing.T) {
	for path, item := range apitest.Contract().Paths.Map() {
		for method, op := range item.Operations() {
			if op.Responses.Status(http.StatusTooManyRequests) == nil {
				t.Errorf("%s %s cannot be refused", method, path)
			}
			for status, answer := range op.Responses.Map() {
				for _, name := range rateHeaders {
					if answer.Value.Headers[name] == nil {
						t.Errorf("%s %s: %s lacks %s", method, path, status, name)
					}
				}
				if status == "429" && answer.Value.Headers["Retry-After"] == nil {
					t.Errorf("%s %s: a refusal lacks Retry-After", method, path)
				}
			}
		}
	}
}

// TestAnswersKeepTheirLimit makes requests until the first is refused, and again after its Retry-After: the headers
// have counted down until then, and fit the contract.
func TestAnswersKeepTheirLimit(t *testing.T) {
	const burst = 4
	s := apitest.New(t, func(c *apitest.Config) {
		c.Limits = api.Limits{Address: api.Rate{Interval: 90 * time.Second, Burst: burst}}
	})
	frozen := time.Now()
	s.Clock = func() time.Time { return frozen }
	for want := burst - 1; want >= 0; want-- {
		a := s.Anonymous().Get("/variants").Want(t, http.StatusOK)
		if got := rates(t, a); got != [...]int{burst, want, (burst - want) * 90} {
			t.Errorf("%v, want %d remaining", got, want)
		}
	}
	refused := s.Anonymous().Get("/games/none").Refused(t, http.StatusTooManyRequests, "too-many-requests")
	if got := rates(t, refused); got != [...]int{burst, 0, burst * 90} {
		t.Errorf("a refusal: %v", got)
	}
	wait, err := strconv.Atoi(refused.Header.Get("Retry-After"))
	if err != nil || wait != 90 {
		t.Fatalf("Retry-After: %d, %v", wait, err)
	}
	s.Pass(time.Duration(wait)*time.Second - 1)
	s.Anonymous().Get("/variants").Want(t, http.StatusTooManyRequests)
	s.Pass(1)
	if got := rates(t, s.Anonymous().Get("/games/none").Want(t, http.StatusNotFound)); got[1] != 0 {
		t.Errorf("after waiting: %v", got)
	}
}

// rates returns the values of an answer's rateHeaders, and fails if they do not fit the contract.
func rates(t *testing.T, a *apitest.Answer) (values [3]int) {
	t.Helper()
	described := apitest.Contract().Components.Responses["TooMany"].Value.Headers
	for i, name := range rateHeaders {
		n, err := strconv.Atoi(a.Header.Get(name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := described[name].Value.Schema.Value.VisitJSON(float64(n)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		values[i] = n
	}
	return values
}
