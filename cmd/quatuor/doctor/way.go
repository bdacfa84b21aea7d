package doctor

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"quatuor/engine/sentence"
)

// Way is the way of people to the service: its addresses and the proxies and networks between.
type Way struct {
	Running bool   // a process works on the data
	Listen  string // the address that the service listens on
	LAN     bool   // the local network is to reach it
	Base    string // base URL that people use; "" if they use Listen
	Private net.IP // of this machine in the local network; nil for none
	Client  *http.Client
}

const (
	// answerTime bounds the wait for an answer.
	answerTime = 5 * time.Second
	// streamTime is the time after which the first bytes of a stream are late: the service sends them at once.
	streamTime = 3 * time.Second
)

// text returns the findings on the way, which only the command line prints.
func text(format string, values ...any) sentence.Sentence { return sentence.New(format, values...) }

// local returns the base URL of the service for programs on the same machine.
func (w Way) local() string {
	host, port, err := net.SplitHostPort(w.Listen)
	if err != nil {
		return "http://" + w.Listen
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// Examine goes the way of a browser to the service.
func (w Way) Examine(ctx context.Context) []Finding {
	if !w.Running {
		return []Finding{w.port(ctx)}
	}
	direct := w.get(ctx, w.local()+"/readyz")
	found := []Finding{w.service(direct)}
	if direct.err != nil || !direct.ours {
		return found
	}
	found = append(found, w.network(ctx))
	base := strings.TrimRight(cmp.Or(w.Base, w.local()), "/")
	through := direct
	if base != w.local() {
		through = w.get(ctx, base+"/readyz")
	}
	address := w.address(ctx, base, through)
	found = append(found, address)
	if address.Verdict == Broken {
		return found
	}
	found = append(found, proxy(through), cookie(base, direct), w.stream(ctx, base))
	if strings.HasPrefix(base, "https://") {
		found = append(found, w.security(ctx, base))
	}
	return found
}

// answer is an answer of the service, or of another program in its place.
type answer struct {
	err    error
	status int
	header http.Header
	ours   bool   // it is a quatuor's
	detail string // why it is not ready
}

func (w Way) get(ctx context.Context, address string) (a answer) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return answer{err: err}
	}
	got, err := w.Client.Do(r)
	if err != nil {
		return answer{err: plainError(err)}
	}
	defer got.Body.Close()
	var body struct{ Status, Version, Type, Detail any }
	readable := json.NewDecoder(io.LimitReader(got.Body, 1<<16)).Decode(&body) == nil
	a = answer{status: got.StatusCode, header: got.Header, ours: readable && (body.Version != nil || body.Type != nil)}
	if body.Detail != nil {
		a.detail = fmt.Sprint(body.Detail)
	}
	return a
}

// plainError takes the address away, which the finding names itself.
func plainError(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// port demands that the service can have its address.
func (w Way) port(ctx context.Context) Finding {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", w.Listen)
	if err != nil {
		return Finding{"port", Broken, text("the service does not run, and cannot have %s: %v; end the other program, or "+
			"choose another address with --listen", w.Listen, plainError(err))}
	}
	_ = listener.Close()
	return Finding{"port", Look, text("the service does not run; %s is free for it", w.Listen)}
}

// service demands that the service answers and is ready.
func (w Way) service(direct answer) Finding {
	switch {
	case direct.err != nil:
		return Finding{"service", Broken, text("the service runs, and does not answer at %s: %v; name the address that it "+
			"listens on with --listen", w.local(), direct.err)}
	case !direct.ours:
		return Finding{"service", Broken, text("at %s another program answers: name the address that the service listens on "+
			"with --listen", w.local())}
	case direct.status != http.StatusOK:
		return Finding{"service", Broken, text("the service is not ready: %s", direct.detail)}
	}
	return Finding{"service", OK, text("the service answers at %s and is ready", w.local())}
}

// network demands that this machine's address in the local network leads to the service, if it is to be reached from
// there. A firewall on the way is not seen from here.
func (w Way) network(ctx context.Context) Finding {
	_, port, _ := net.SplitHostPort(w.Listen)
	if w.Private == nil {
		return Finding{"network", Look, text("this machine has no address in a local network")}
	}
	at := net.JoinHostPort(w.Private.String(), port)
	dialler := net.Dialer{Timeout: answerTime}
	conn, err := dialler.DialContext(ctx, "tcp", at)
	switch {
	case err == nil:
		_ = conn.Close()
		return Finding{"network", OK, text("in the local network it is at http://%s; try that on a phone", at)}
	case w.LAN:
		return Finding{"network", Broken, text("the local network is to reach it, but %s does not answer: look at --listen and "+
			"the firewall", at)}
	}
	return Finding{"network", OK, text("this machine alone reaches it directly; --lan would let the local network in")}
}

// address demands that the address that people use leads to the service, and that it answers under that name.
func (w Way) address(ctx context.Context, base string, through answer) Finding {
	if through.err != nil {
		return Finding{"address", Broken, text("%s does not answer: %v; look at the name, the certificate, the proxy and the "+
			"firewall", base, through.err)}
	}
	if !through.ours {
		return Finding{"address", Broken, text("at %s something else answers (status %d): look at the proxy", base,
			through.status)}
	}
	if page := w.get(ctx, base+"/"); page.err != nil || page.status == http.StatusMisdirectedRequest {
		return Finding{"address", Broken, text("the service does not answer under the name in %s: start it with --public-url "+
			"or --hosts, and let the proxy pass the Host header on", base)}
	}
	return Finding{"address", OK, text("%s leads to the service", base)}
}

// proxy names a proxy that shows itself.
func proxy(through answer) Finding {
	name := cmp.Or(through.header.Get("Via"), through.header.Get("Server"))
	if name == "" {
		return Finding{"proxy", OK, text("no proxy shows itself on the way")}
	}
	return Finding{"proxy", OK, text("a proxy is on the way (%s); --trusted-proxies must name its address", name)}
}

// cookie demands that browsers send the cookie of a login. The service announces itself that its cookies are for https.
func cookie(base string, direct answer) Finding {
	secure, https := direct.header.Get("Strict-Transport-Security") != "", strings.HasPrefix(base, "https://")
	switch {
	case secure && !https:
		return Finding{"cookie", Broken, text("the service's cookies are for https, and %s is not: no one can log in there; "+
			"open the https address, or change --public-url", base)}
	case https && !secure:
		return Finding{"cookie", Look, text("the cookies of logins also go over plain http: start the service with "+
			"--public-url %s", base)}
	case !https:
		return Finding{"cookie", OK, text("logins go over plain http, as in a local network")}
	}
	return Finding{"cookie", OK, text("the cookies of logins go over https alone")}
}

// stream measures when the first bytes of a stream arrive: a proxy that buffers holds them back, and pages do not follow
// games.
func (w Way) stream(ctx context.Context, base string) Finding {
	ctx, cancel := context.WithTimeout(ctx, streamTime)
	defer cancel()
	began := time.Now()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/live?0=/", nil)
	if err != nil {
		return Finding{"stream", Broken, text("a stream cannot be opened: %v", err)}
	}
	got, err := w.Client.Do(r)
	if err == nil {
		defer got.Body.Close()
		if got.StatusCode != http.StatusOK {
			return Finding{"stream", Look, text("a stream is answered with status %d", got.StatusCode)}
		}
		_, err = bufio.NewReader(got.Body).ReadByte()
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Finding{"stream", Broken, text("nothing of a stream arrived within %v: a proxy buffers it; for nginx write "+
			"proxy_buffering off", streamTime)}
	case err != nil:
		return Finding{"stream", Broken, text("a stream breaks off: %v", plainError(err))}
	}
	return Finding{"stream", OK, text("a stream begins after %d ms", time.Since(began).Milliseconds())}
}

// security wants a contact for reports of vulnerabilities from a service that the world can reach.
func (w Way) security(ctx context.Context, base string) Finding {
	if a := w.get(ctx, base+"/.well-known/security.txt"); a.err != nil || a.status != http.StatusOK {
		return Finding{"security", Look, text("nobody who finds a weakness learns where to report it: name a contact with " +
			"--security-contact")}
	}
	return Finding{"security", OK, text("weaknesses can be reported to the contact in /.well-known/security.txt")}
}
