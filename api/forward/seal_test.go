package forward

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/api/auth"
)

const secret = "a secret of at least thirty-two characters"

// someText draws texts that look like the parts of others put together.
func someText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.StringOfN(rapid.RuneFrom([]rune("a\x00\n:/")), 0, 6, -1), rapid.String())
}

// TestTwoRequestsHaveTwoTexts takes the text of a request apart again: nothing of it is lost, so no other request has it.
func TestTwoRequestsHaveTwoTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		method, uri := someText().Draw(t, "method"), someText().Draw(t, "uri")
		box, body := someText().Draw(t, "box"), someText().Draw(t, "body")
		r := &reader{rest: requestText(method, uri, []byte(box), []byte(body))}
		digest := sha256.Sum256([]byte(body))
		for i, want := range []string{version, method, uri, box, string(digest[:])} {
			if got := r.text(); got != want {
				t.Fatalf("part %d is %q, want %q", i, got, want)
			}
		}
		if r.bad || len(r.rest) != 0 {
			t.Fatalf("%d bytes are left", len(r.rest))
		}
	})
}

// TestTwoAnswersHaveTwoTexts is the same for answers. The text of an answer is never that of a request.
func TestTwoAnswersHaveTwoTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind, nonce, status := someText().Draw(t, "kind"), someText().Draw(t, "nonce"), rapid.IntRange(100, 999).Draw(t, "status")
		header, body := drawHeader(t, answerHeaders), someText().Draw(t, "body")
		r := &reader{rest: answerText(kind, nonce, status, header, []byte(body))}
		digest := sha256.Sum256([]byte(body))
		for i, want := range []string{version, kind, nonce, fmt.Sprint(status)} {
			if got := r.text(); got != want {
				t.Fatalf("part %d is %q, want %q", i, got, want)
			}
		}
		inner := &reader{rest: []byte(r.text())}
		if got := inner.header(answerHeaders); !reflect.DeepEqual(got, header) || inner.bad || len(inner.rest) != 0 {
			t.Fatalf("the header is %q, want %q", got, header)
		}
		if got := r.text(); got != string(digest[:]) || r.bad || len(r.rest) != 0 {
			t.Fatalf("the digest is %x", got)
		}
	})
}

func drawHeader(t *rapid.T, names []string) http.Header {
	header := http.Header{}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(names), func(s string) string { return s }).Draw(t, "names") {
		header[name] = rapid.SliceOfN(someText(), 1, 3).Draw(t, name)
	}
	return header
}

// fill draws a value for every field that other packages see.
func fill(t *rapid.T, v reflect.Value) {
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		switch {
		case !field.IsExported():
		case f.Kind() == reflect.String:
			f.SetString(someText().Draw(t, field.Name))
		case f.Kind() == reflect.Int64:
			f.SetInt(rapid.Int64().Draw(t, field.Name))
		case f.Kind() == reflect.Uint8:
			f.SetUint(uint64(rapid.Byte().Draw(t, field.Name)))
		case field.Name == "Scopes":
			for _, scope := range rapid.SliceOfN(someText(), 1, 4).Draw(t, field.Name) {
				f.Set(reflect.Append(f, reflect.ValueOf(auth.Scope(scope))))
			}
		default:
			t.Fatalf("what is to become of %s?", field.Name)
		}
	}
}

// TestNothingIsLostOnTheWay spells what is sent beside a request and reads it again: every field of the identity, too. Of a
// text that was cut or has more at its end nothing is read.
func TestNothingIsLostOnTheWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		act := &Act{
			Host: someText().Draw(t, "host"), Address: someText().Draw(t, "address"), RequestID: someText().Draw(t, "id"),
			At: rapid.Int64().Draw(t, "at"), Expires: rapid.Int64().Draw(t, "expires"), Header: drawHeader(t, requestHeaders),
		}
		fill(t, reflect.ValueOf(&act.Identity).Elem())
		box := sealed{
			to: someText().Draw(t, "to"), from: someText().Draw(t, "from"), nonce: someText().Draw(t, "nonce"),
			epoch: rapid.Int64().Draw(t, "epoch"), moment: rapid.Int64().Draw(t, "moment"), act: act,
		}
		text := box.seal()
		got, ok := unseal(text)
		if !ok || !reflect.DeepEqual(got, box) {
			t.Fatalf("%+v became %+v", box.act, got.act)
		}
		if _, ok := unseal(text[:rapid.IntRange(0, len(text)-1).Draw(t, "cut")]); ok {
			t.Fatal("a cut text was read")
		}
		if _, ok := unseal(append(slices.Clone(text), 0)); ok {
			t.Fatal("a text with more at its end was read")
		}
	})
}

// TestOnlyTheProofStaysBehind lists what of an identity is not sent: what only streams look at.
func TestOnlyTheProofStaysBehind(t *testing.T) {
	var hidden []string
	for i := range reflect.TypeFor[auth.Identity]().NumField() {
		if f := reflect.TypeFor[auth.Identity]().Field(i); !f.IsExported() {
			hidden = append(hidden, f.Name)
		}
	}
	if !slices.Equal(hidden, []string{"proof"}) {
		t.Errorf("%q would not be sent; is any of it looked at by operations?", hidden)
	}
}

// TestAnyBytesAreReadOrRefused reads what nobody has spelled.
func TestAnyBytesAreReadOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.Byte()).Draw(t, "text")
		if box, ok := unseal(text); ok && !slices.Equal(box.seal(), text) {
			t.Fatalf("%x was read as %+v", text, box)
		}
	})
	huge := appendNumber(nil, 1<<62)
	for _, names := range [][]string{requestHeaders, answerHeaders} {
		if r := (&reader{rest: huge}); r.header(names) != nil || !r.bad {
			t.Error("a header with very many values was read")
		}
	}
}

func TestKeys(t *testing.T) {
	one, err := newKeys(secret)
	if err != nil {
		t.Fatal(err)
	}
	other, err := newKeys(secret + ".")
	if err != nil {
		t.Fatal(err)
	}
	all := [][]byte{one.request, one.answer, other.request, other.answer}
	for i, a := range all {
		for j, b := range all[:i] {
			if slices.Equal(a, b) || len(a) != sha256.Size {
				t.Errorf("keys %d and %d are the same", i, j)
			}
		}
	}
	_, err = newKeys(strings.Repeat("x", MinSecret-1))
	if err == nil || strings.Contains(err.Error(), "xx") {
		t.Errorf("a short secret: %v", err)
	}
}
