package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/gen"
)

// TestBodiesAreBoundAsEncodingJSONWould puts moves that were seen to be plain into the type that the operation takes,
// and into types that they do not fit, and compares with what encoding/json makes of the same text.
func TestBodiesAreBoundAsEncodingJSONWould(t *testing.T) {
	type small struct {
		Turn int8   `json:"turn"`
		Move string `json:"move"`
	}
	type odd struct {
		Seat int       `json:"seat"`
		Turn int       `json:"turn"`
		Move time.Time `json:"move"`
	}
	k := loadContract(t)
	key := methodAndRoute{http.MethodPost, basePath + "/games/:game_id/moves"}
	for _, body := range []string{
		`{"seat":1,"turn":12,"move":"c1-c5"}`,
		`{"since":1000000000,"elapsed_ms":0,"move":"c1-c5","turn":1,"seat":2}`,
		`{"seat":1,"turn":300,"move":"x"}`,
	} {
		for _, target := range []any{&gen.NewMove{}, &small{}, &odd{}, &map[string]any{}, new(any)} {
			c, o := moveRequest(body), k.operations[key]
			if !o.plain.fits(c) {
				t.Fatalf("%s is not plain", body)
			}
			want := reflect.New(reflect.TypeOf(target).Elem()).Interface()
			wanted, got := json.Unmarshal([]byte(body), want), binder{}.Bind(target, c)
			if (wanted == nil) != (got == nil) || wanted == nil && !reflect.DeepEqual(target, want) {
				t.Errorf("%s as %T: %+v, %v; want %+v, %v", body, target, target, got, want, wanted)
			}
		}
	}
}

// TestAMoveIsBoundInOnePass sees that the type of moves is one that bodies are put into as they were read.
func TestAMoveIsBoundInOnePass(t *testing.T) {
	o := loadContract(t).operations[methodAndRoute{http.MethodPost, basePath + "/games/:game_id/moves"}]
	if o.plain.body.fieldsOf(reflect.TypeFor[gen.NewMove]()) == nil {
		t.Error("a move's type does not fit what is read of a move")
	}
}

func moveRequest(body string) echo.Context {
	r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
	r.Header.Set("Content-Type", "application/json")
	r.Body, r.ContentLength = newWholeBody([]byte(body)), int64(len(body))
	c := echo.New().NewContext(r, httptest.NewRecorder())
	c.SetParamNames("game_id")
	c.SetParamValues(strings.Repeat("0", 36))
	return c
}
