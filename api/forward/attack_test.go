package forward

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// wire is a request between instances, as it would be recorded on its way.
type wire struct {
	method, uri, body string
	header            http.Header
}

// record returns a request that the owner would take.
func (w *town) record(t testing.TB, change func(*sealed)) wire {
	t.Helper()
	act := w.act()
	box := sealed{to: "owner", from: "asked", epoch: 7, moment: w.clock.Load(), nonce: newNonce(), act: act}
	if change != nil {
		change(&box)
	}
	var sent atomic.Bool
	r, err := w.asked.request(context.Background(), w.club.owner, box, &sent)
	if err != nil {
		t.Fatal(err)
	}
	return wire{r.Method, r.URL.RequestURI(), string(act.Body), r.Header.Clone()}
}

// arrive lets it arrive at the owner.
func (r wire) arrive(w *town) Verdict {
	request := httptest.NewRequest(r.method, r.uri, strings.NewReader(r.body))
	request.Header = r.header
	_, verdict := w.owner.Receive(request, []byte(r.body))
	return verdict
}

// TestForgeries changes a request in every way. Only the one that was sent is taken, and once.
func TestForgeries(t *testing.T) {
	w := newTown(t, patient)
	other := w.owner.config
	other.Secret = "the secret of another club, as long as it"
	stranger := &town{club: w.club, asked: peers(t, other)}
	stranger.clock.Store(w.clock.Load())
	for _, tt := range []struct {
		name string
		by   *town
		seal func(*sealed)
		wire func(*wire)
		want Verdict
	}{
		{"as it was sent", w, nil, nil, Genuine},
		{"just in time", w, func(s *sealed) { s.moment -= window.Milliseconds() }, nil, Genuine},
		{"another method", w, nil, func(r *wire) { r.method = http.MethodPut }, Forged},
		{"another path", w, nil, func(r *wire) { r.uri = strings.Replace(r.uri, "g%2F1", "g2", 1) }, Forged},
		{"the same path, spelled otherwise", w, nil, func(r *wire) { r.uri = strings.Replace(r.uri, "%2F", "%2f", 1) }, Forged},
		{"another query", w, nil, func(r *wire) { r.uri += "&y=2" }, Forged},
		{"another body", w, nil, func(r *wire) { r.body += " " }, Forged},
		{"another identity", w, nil, func(r *wire) { r.header.Set(headerAct, alter(t, r.header.Get(headerAct), "ada", "bob")) }, Forged},
		{"another stamp", w, nil, func(r *wire) {
			box, _ := encoding.DecodeString(r.header.Get(headerAct))
			s, _ := unseal(box)
			s.act.At -= 1000
			r.header.Set(headerAct, encoding.EncodeToString(s.seal()))
		}, Forged},
		{"no signature", w, nil, func(r *wire) { r.header.Del(headerSignature) }, Forged},
		{"an empty signature", w, nil, func(r *wire) { r.header.Set(headerSignature, "") }, Forged},
		{"a signature and more", w, nil, func(r *wire) { r.header.Set(headerSignature, r.header.Get(headerSignature)+"A") }, Forged},
		{"two signatures", w, nil, func(r *wire) { r.header.Add(headerSignature, r.header.Get(headerSignature)) }, Forged},
		{"two acts", w, nil, func(r *wire) { r.header.Add(headerAct, r.header.Get(headerAct)) }, Forged},
		{"a signature alone", w, nil, func(r *wire) { r.header.Del(headerAct) }, Forged},
		{"an act that is no text", w, nil, func(r *wire) { r.header.Set(headerAct, "%%%") }, Forged},
		{"an act that is huge", w, nil, func(r *wire) { r.header.Set(headerAct, strings.Repeat("A", 4*maxSealed)) }, Forged},
		{"signed as an answer", w, nil, func(r *wire) {
			box, _ := encoding.DecodeString(r.header.Get(headerAct))
			r.header.Set(headerSignature, sign(w.owner.keys.answer, requestText(r.method, r.uri, box, []byte(r.body))))
		}, Forged},
		{"signed but unreadable", w, nil, func(r *wire) {
			r.header.Set(headerAct, encoding.EncodeToString([]byte("x")))
			r.header.Set(headerSignature, sign(w.owner.keys.request, requestText(r.method, r.uri, []byte("x"), []byte(r.body))))
		}, Forged},
		{"by another club", stranger, nil, nil, Forged},
		{"for another instance", w, func(s *sealed) { s.to = "other" }, nil, Refused},
		{"for an earlier start", w, func(s *sealed) { s.epoch-- }, nil, Refused},
		{"from itself", w, func(s *sealed) { s.from = "owner" }, nil, Refused},
		{"too late", w, func(s *sealed) { s.moment -= window.Milliseconds() + 1 }, nil, Refused},
		{"too early", w, func(s *sealed) { s.moment += window.Milliseconds() + 1 }, nil, Refused},
		{"at the end of time", w, func(s *sealed) { s.moment = 1<<63 - 1 }, nil, Refused},
		{"before all time", w, func(s *sealed) { s.moment = -1 << 63 }, nil, Refused},
	} {
		r := tt.by.record(t, tt.seal)
		if tt.wire != nil {
			tt.wire(&r)
		}
		if got := r.arrive(w); got != tt.want {
			t.Errorf("%s: verdict %d, want %d", tt.name, got, tt.want)
		}
		if got := r.arrive(w); tt.want == Genuine && got != Forged {
			t.Errorf("%s, a second time: verdict %d", tt.name, got)
		}
		if got := r.arrive(&town{}); got != Forged {
			t.Errorf("%s, at an instance without a secret: verdict %d", tt.name, got)
		}
	}
}

// alter changes a text within what is sealed.
func alter(t testing.TB, header, from, to string) string {
	t.Helper()
	text, err := encoding.DecodeString(header)
	if err != nil || !strings.Contains(string(text), from) {
		t.Fatalf("there is no %s in %q, %v", from, text, err)
	}
	return encoding.EncodeToString([]byte(strings.ReplaceAll(string(text), from, to)))
}

// TestStampsAreBounded: what an instance says of the arrival counts for a few seconds, and never ahead.
func TestStampsAreBounded(t *testing.T) {
	w := newTown(t, patient)
	now := w.clock.Load()
	for _, tt := range []struct{ said, want int64 }{
		{now - 20, now - 20}, {now, now}, {now + 1, now}, {now - 60_000, now - window.Milliseconds()}, {1<<63 - 1, now}, {-1 << 63, now - window.Milliseconds()},
	} {
		r := w.record(t, func(s *sealed) { s.act.At, s.act.Address = tt.said, "not an address" })
		request := httptest.NewRequest(r.method, r.uri, strings.NewReader(r.body))
		request.Header = r.header
		got, verdict := w.owner.Receive(request, []byte(r.body))
		if verdict != Genuine || got.Act.At != tt.want || got.Act.Address != "" {
			t.Errorf("%d became %+v, verdict %d", tt.said, got.Act, verdict)
		}
	}
}

// TestMarked: whatever begins like our headers is no ordinary request.
func TestMarked(t *testing.T) {
	for _, name := range []string{headerAct, headerSignature, headerAnswer, "quatuor-forwarded-by"} {
		h := http.Header{}
		h.Set(name, "")
		if !Marked(h) {
			t.Errorf("%s is not seen", name)
		}
	}
	if Marked(http.Header{"Accept": {headerAct}, "Forwarded": {"for=x"}}) {
		t.Error("an ordinary request is taken for one of ours")
	}
}

// TestNothingIsTakenTwice draws arrivals and jumps of the clock, ahead and back: none is taken a second time, and what is
// remembered stays bounded.
func TestNothingIsTakenTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var n nonces
		now := int64(1_700_000_000_000)
		moments, taken := map[string]int64{}, map[string]bool{}
		for i := range rapid.IntRange(1, 200).Draw(t, "steps") {
			now += rapid.Int64Range(-8000, 12_000).Draw(t, "jump")
			nonce := fmt.Sprint(rapid.IntRange(0, i).Draw(t, "nonce"))
			if _, known := moments[nonce]; !known {
				moments[nonce] = now + rapid.Int64Range(-6000, 6000).Draw(t, "moment")
			}
			found := n.note(nonce, moments[nonce], now)
			if found == isNew && taken[nonce] {
				t.Fatalf("%s was taken twice", nonce)
			}
			if far := max(now-moments[nonce], moments[nonce]-now) > window.Milliseconds(); found == isNew && far {
				t.Fatalf("%d was taken at %d", moments[nonce], now)
			}
			taken[nonce] = taken[nonce] || found == isNew
		}
	})
	var n nonces
	for i := range int64(100_000) {
		if n.note(fmt.Sprint(i), i, i) != isNew {
			t.Fatalf("%d was not taken", i)
		}
	}
	if limit := 6 * int(window/time.Millisecond); len(n.of) > limit {
		t.Errorf("%d are remembered, more than %d", len(n.of), limit)
	}
	n = nonces{of: make(map[string]int64, maxNonces)}
	for i := range maxNonces {
		n.of[fmt.Sprint(i)] = 1
	}
	if got := n.note("one more", 1, 1); got != full {
		t.Errorf("one more than there is room for: %d", got)
	}
}
