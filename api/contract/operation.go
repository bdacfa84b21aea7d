package contract

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
)

// Marks of operations in the contract.
const (
	actsOnGameMark = "x-acts-on-game"
	repeatableMark = "x-repeatable"
	takesFilesMark = "x-takes-files"
	secretMark     = "x-answers-secret"
	noKeyMark      = "x-no-idempotency-key" // with the reason
)

// Operation is an operation of the contract.
type Operation struct {
	Idempotent bool // takes an Idempotency-Key
	Streaming  bool // its answer is an event stream
	ActsOnGame bool // its requests act on a game, at the time of their arrival
	Repeatable bool // idempotent: repeating a request has no further effect
	TakesFiles bool // its bodies may be as large as files
	Secret     bool // its answer holds a secret, which must not be stored as it is

	anonymous  bool // requests without an account are welcome
	scopes     [][]auth.Scope
	params     []param
	bodies     map[string]*schema // by media type; nil for a table: the operation validates its lines
	bodyNeeded bool
	texts      requestTexts
	name       string // in the contract as a page: its tag and id
	deprecated []deprecated
}

func newOperation(method string, item *openapi3.PathItem, op *openapi3.Operation) (*Operation, error) {
	if op.Security == nil {
		return nil, errors.New("an operation without a security requirement")
	}
	o := &Operation{texts: requestTextsOf(item, op)}
	o.readSecurity(*op.Security)
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		p, err := newParam(ref.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ref.Value.Name, err)
		}
		o.params = append(o.params, p)
		o.Idempotent = o.Idempotent || p.name == "Idempotency-Key"
	}
	if op.RequestBody != nil {
		if err := o.readBodies(op.RequestBody.Value); err != nil {
			return nil, err
		}
	}
	ok := op.Responses.Status(http.StatusOK)
	o.Streaming = ok != nil && ok.Value.Content.Get("text/event-stream") != nil
	for mark, set := range map[string]*bool{
		actsOnGameMark: &o.ActsOnGame, repeatableMark: &o.Repeatable, takesFilesMark: &o.TakesFiles, secretMark: &o.Secret,
	} {
		var err error
		if *set, err = marked(op, mark); err != nil {
			return nil, err
		}
	}
	if err := o.readDeprecations(item, op); err != nil {
		return nil, err
	}
	return o, o.checkKey(method, op)
}

// checkKey requires that a POST takes an Idempotency-Key, or has a reason not to.
func (o *Operation) checkKey(method string, op *openapi3.Operation) error {
	why, _ := op.Extensions[noKeyMark].(string)
	if method == http.MethodPost && o.Idempotent == (why != "") {
		return fmt.Errorf("%w: a POST takes an Idempotency-Key, or has the reason not to in %s", errContract, noKeyMark)
	}
	return nil
}

// marked reports whether an operation has an extension of ours set. It is an error if that is neither true nor false.
func marked(op *openapi3.Operation, mark string) (bool, error) {
	value, there := op.Extensions[mark]
	if !there {
		return false, nil
	}
	set, ok := value.(bool)
	if !ok {
		return false, fmt.Errorf("%s must be true or false", mark)
	}
	return set, nil
}

func (o *Operation) readBodies(body *openapi3.RequestBody) error {
	o.bodyNeeded, o.bodies = body.Required, map[string]*schema{}
	for kind, media := range body.Content {
		if kind != echo.MIMEApplicationJSON {
			o.bodies[kind] = nil
			continue
		}
		s, err := compile(media.Schema.Value, 0)
		if err != nil {
			return err
		}
		o.bodies[kind] = s
	}
	return nil
}

func (o *Operation) readSecurity(requirements openapi3.SecurityRequirements) {
	o.anonymous = len(requirements) == 0
	for _, r := range requirements {
		names, needed := r["bearer"]
		if !needed {
			o.anonymous = true
			continue
		}
		scopes := make([]auth.Scope, len(names))
		for i, name := range names {
			scopes[i] = auth.Scope(name)
		}
		o.scopes = append(o.scopes, scopes)
	}
}

// Open reports whether the operation needs no account, and makes no difference between accounts.
func (o *Operation) Open() bool { return len(o.scopes) == 0 }

// Authorize checks that the request's token may be used for the operation.
func (o *Operation) Authorize(who *auth.Identity) error {
	if who.Anonymous() {
		if o.anonymous {
			return nil
		}
		return auth.ErrNeeded
	}
	if len(o.scopes) == 0 {
		return nil
	}
	for _, scopes := range o.scopes {
		if who.Has(scopes...) && (who.Tournament == "" || len(scopes) > 0) {
			return nil
		}
	}
	return fmt.Errorf("%w: it takes the scope %s", auth.ErrScope, spell(o.scopes))
}

func spell(alternatives [][]auth.Scope) string {
	var words []string
	for _, scopes := range alternatives {
		for _, s := range scopes {
			words = append(words, string(s))
		}
	}
	return strings.Join(words, " or ")
}
