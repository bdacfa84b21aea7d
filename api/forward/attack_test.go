package forward

import (
	"bytes"
	"crypto/tls"
	"encoding/gob"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/rpc"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// knock requests a connection from the owner, as an instance would, and returns it before anything was proved.
func (w *town) knock(t testing.TB, extra string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", w.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: owner\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n%s", Path, protocol,
		extra)
	return conn
}

// switched reads that the owner has switched protocols.
func switched(t testing.TB, conn net.Conn) {
	t.Helper()
	said := make([]byte, len(welcome))
	if _, err := io.ReadFull(conn, said); err != nil || string(said) != welcome {
		t.Fatalf("%q, %v", said, err)
	}
}

// call sends an act over a connection as a client of net/rpc would, and returns what came of it.
func (w *town) call(conn net.Conn) error {
	client := rpc.NewClient(conn)
	defer client.Close()
	m := &Message{To: "owner", From: "asked", Epoch: 7, Moment: w.clock.Load(), Act: *w.act()}
	var reply Reply
	if err := client.Call(method, m, &reply); err != nil {
		return err
	}
	if reply.Refused {
		return errRefused
	}
	return nil
}

// TestStrangersAreNotServed connects without the secret, in every way: nothing is carried out, and the connection ends.
func TestStrangersAreNotServed(t *testing.T) {
	w := newTown(t, patient)
	own, err := credentials(secret)
	if err != nil {
		t.Fatal(err)
	}
	other, err := credentials(strings.ToUpper(secret))
	if err != nil {
		t.Fatal(err)
	}
	secure := func(change func(*tls.Config)) func(net.Conn) net.Conn {
		return func(conn net.Conn) net.Conn {
			c := own.Clone()
			change(c)
			return tls.Client(conn, c)
		}
	}
	for _, tt := range []struct {
		name string
		wrap func(net.Conn) net.Conn
		good bool
	}{
		{"an instance", secure(func(*tls.Config) {}), true},
		{"without TLS", func(conn net.Conn) net.Conn { return conn }, false},
		{"without a certificate", secure(func(c *tls.Config) { c.Certificates = nil }), false},
		{"with the certificate of another secret", secure(func(c *tls.Config) { c.Certificates = other.Certificates }), false},
		{"with the certificate, but another key", secure(func(c *tls.Config) {
			c.Certificates = []tls.Certificate{
				{Certificate: own.Certificates[0].Certificate, PrivateKey: other.Certificates[0].PrivateKey},
			}
		}), false},
		{"with another protocol", secure(func(c *tls.Config) { c.NextProtos = []string{"quatuor-acts-1"} }), false},
		{"with an older TLS", secure(func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS12, tls.VersionTLS12 }), false},
	} {
		conn := w.knock(t, "")
		switched(t, conn)
		before := w.done.Load()
		if err := w.call(tt.wrap(conn)); (err == nil) != tt.good || w.done.Load()-before != map[bool]int64{true: 1}[tt.good] {
			t.Errorf("%s: %v, %d acts", tt.name, err, w.done.Load()-before)
		}
	}
}

// TestKnocks sends requests that no instance would send, or more than an instance would before the answer.
func TestKnocks(t *testing.T) {
	w := newTown(t, patient)
	for _, upgrade := range []string{"", "websocket", "quatuor-acts-1", protocol + "x"} {
		r, _ := http.NewRequest(http.MethodGet, w.server.URL+Path, nil)
		r.Header.Set("Connection", "Upgrade")
		r.Header.Set("Upgrade", upgrade)
		answer, err := w.server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusNotFound {
			t.Errorf("%q is answered with %s", upgrade, answer.Status)
		}
	}
	early := w.knock(t, "and more at once")
	if said, err := io.ReadAll(early); err != nil && !strings.Contains(err.Error(), "reset") || len(said) > 0 {
		t.Errorf("it was answered %q, %v", said, err)
	}
	var none *Peers
	if err := none.Accept(nil, &http.Request{Header: http.Header{"Upgrade": {protocol}}}, "",
		nil); err != ErrNotAnInstance {
		t.Errorf("an instance without a secret: %v", err)
	}
}

// TestIdleConnectionsHoldNoSlot: those that connect and prove nothing are few, and not there for long.
func TestIdleConnectionsHoldNoSlot(t *testing.T) {
	w := newTown(t, patient)
	var silent []net.Conn
	for range unproven {
		conn := w.knock(t, "")
		switched(t, conn)
		silent = append(silent, conn)
	}
	r := &http.Request{ProtoMajor: 1, Header: http.Header{"Upgrade": {protocol}}}
	if err := w.owner.Accept(nil, r, "somewhere", nil); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("one more: %v", err)
	}
	w.sendAnswered(t) // instances have places of their own
	silent[0].Close()
	for len(w.owner.unproven) == unproven {
		runtime.Gosched()
	}
	switched(t, w.knock(t, ""))
	if testing.Short() {
		t.Skip("the rest waits for the end of a handshake's time")
	}
	if err := silent[1].SetReadDeadline(time.Now().Add(10 * proofTime)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(silent[1]); err != nil {
		t.Errorf("it was not let go: %v", err)
	}
}

// tape records what goes through a connection to the owner, and passes it on.
type tape struct {
	net.Listener
	mu   sync.Mutex
	said bytes.Buffer
}

func (p *tape) run(to string) {
	for {
		conn, err := p.Accept()
		if err != nil {
			return
		}
		through, err := net.Dial("tcp", to)
		if err != nil {
			conn.Close()
			return
		}
		go func() { _, _ = io.Copy(conn, through) }()
		go func() {
			_, _ = io.Copy(io.MultiWriter(through, p), conn)
			through.Close()
		}()
	}
}

func (p *tape) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.Write(b)
}

// TestARecordingIsWorthless replays the messages of an instance, byte by byte, and changes them on their way.
func TestARecordingIsWorthless(t *testing.T) {
	w := newTown(t, patient)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	p := &tape{Listener: listener}
	go p.run(w.server.Listener.Addr().String())
	w.club.owner.Address = "http://" + listener.Addr().String()
	w.sendAnswered(t)
	p.mu.Lock()
	recorded := bytes.Clone(p.said.Bytes())
	p.mu.Unlock()
	sent := w.act()
	// shorter texts occur in any noise
	for _, secretText := range []string{sent.URI, string(sent.Body), sent.Address, secret} {
		if bytes.Contains(recorded, []byte(secretText)) {
			t.Errorf("%s can be read on the way", secretText)
		}
	}
	for _, text := range [][]byte{recorded, recorded[:len(recorded)-1]} {
		conn, err := net.Dial("tcp", w.server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		head := bytes.Index(text, []byte("\r\n\r\n")) + 4
		_, _ = conn.Write(text[:head])
		switched(t, conn)
		_, _ = conn.Write(text[head:])
		_ = conn.(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, conn)
		conn.Close()
	}
	if n := w.done.Load(); n != 1 {
		t.Errorf("%d acts were carried out, want 1", n)
	}
}

// TestStampsAreBounded: the stamp of an arrival counts for a few seconds, and never ahead.
func TestStampsAreBounded(t *testing.T) {
	w := newTown(t, patient)
	now := w.clock.Load()
	for _, tt := range []struct{ said, want int64 }{
		{now - 20, now - 20}, {now, now}, {now + 1, now}, {now - 60_000, now - window.Milliseconds()}, {1<<63 - 1, now}, {-1 << 63, now - window.Milliseconds()},
	} {
		var got Act
		r := receiver{w.owner, func(act *Act) (Answer, error) { got = *act; return Answer{}, nil }}
		m := &Message{To: "owner", From: "asked", Epoch: 7, Moment: now, Act: *w.act()}
		m.Act.At, m.Act.Address = tt.said, "not an address"
		if err := r.Act(m, &Reply{}); err != nil || got.At != tt.want || got.Address != "" {
			t.Errorf("%d became %+v, %v", tt.said, got, err)
		}
	}
}

// TestMomentsFarAway: a message that was on its way for too long is refused, whatever its numbers are.
func TestMomentsFarAway(t *testing.T) {
	w := newTown(t, patient)
	now := w.clock.Load()
	for moment, refused := range map[int64]bool{
		now: false, now - window.Milliseconds(): false, now - window.Milliseconds() - 1: true,
		now + window.Milliseconds() + 1: true,
		1<<63 - 1:                       true, -1 << 63: true, 0: true,
	} {
		var reply Reply
		r := receiver{w.owner, w.carryOut}
		if err := r.Act(&Message{To: "owner", From: "asked", Epoch: 7, Moment: moment, Act: *w.act()}, &reply); err != nil ||
			reply.Refused != refused {
			t.Errorf("%d: refused %v, %v", moment, reply.Refused, err)
		}
	}
}

// TestNothingIsLostOnTheWay draws acts with every field filled.
func TestNothingIsLostOnTheWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sent := Message{
			To: text.Draw(t, "to"), From: text.Draw(t, "from"), Epoch: rapid.Int64().Draw(t, "epoch"), Moment: rapid.Int64().
				Draw(t, "moment"),
		}
		fill(t, reflect.ValueOf(&sent.Act).Elem())
		var wire bytes.Buffer
		var got Message
		if err := gob.NewEncoder(&wire).Encode(sent); err != nil {
			t.Fatal(err)
		}
		if err := gob.NewDecoder(&wire).Decode(&got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, sent) {
			t.Fatalf("%+v became %+v", sent, got)
		}
	})
}

// text draws texts that are not empty.
var text = rapid.StringN(1, 20, -1)

// fill draws a value for every exported field.
func fill(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(t, v.Field(i))
			}
		}
	case reflect.String:
		v.SetString(text.Draw(t, "text"))
	case reflect.Int64:
		v.SetInt(rapid.Int64Min(1).Draw(t, "number"))
	case reflect.Uint8:
		v.SetUint(uint64(rapid.Uint8Min(1).Draw(t, "byte")))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(1, 3).Draw(t, "length"), 3))
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(http.Header{text.Draw(t, "name"): {text.Draw(t, "value")}}))
	default:
		t.Fatalf("a field of a kind that no test knows: %s", v.Type())
	}
}

// TestOnlyWhatIsNamedTravels: credentials stay where they came.
func TestOnlyWhatIsNamedTravels(t *testing.T) {
	got := only(http.Header{"Accept": {"x"}, "Cookie": {"c"}, "Authorization": {"a"}, "If-Match": {"1", "2"}},
		requestHeaders)
	if want := (http.Header{"Accept": {"x"}, "If-Match": {"1", "2"}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	for _, names := range [][]string{requestHeaders, answerHeaders} {
		for _, name := range names {
			if http.CanonicalHeaderKey(name) != name {
				t.Errorf("%s is not canonical", name)
			}
			if name == "Set-Cookie" || name == "Cookie" || name == "Authorization" {
				t.Errorf("%s travels", name)
			}
		}
	}
}

// TestSecrets: short secrets are refused; the same secret yields the same key, another secret another key.
func TestSecrets(t *testing.T) {
	if _, err := New(Config{Secret: secret[:MinSecret-1]}); err == nil {
		t.Error("a short secret is taken")
	}
	one, _ := credentials(secret)
	again, _ := credentials(secret)
	other, _ := credentials(secret + " ")
	key := func(c *tls.Config) any { return c.Certificates[0].PrivateKey }
	if !reflect.DeepEqual(key(one), key(again)) || reflect.DeepEqual(key(one), key(other)) {
		t.Error("the key does not follow from the secret")
	}
}
