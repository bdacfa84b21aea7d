package api_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

// underHost sends a request under a host name, byte for byte, to a real server, and returns the answer.
func underHost(t *testing.T, server *httptest.Server, request string) (status int, body string) {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// TestOtherNamesAreRefused sends requests with other host names than the service's, as after DNS rebinding, and as
// proxies, old clients and load balancers do.
func TestOtherNamesAreRefused(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	server := httptest.NewServer(s.Server)
	defer server.Close()
	const rest = "Connection: close\r\n\r\n"
	for _, tt := range []struct {
		name, request string
		status        int
	}{
		{"another name", "GET /api/v1/variants HTTP/1.1\r\nHost: evil.test\r\n", 421},
		{"another name's page", "GET / HTTP/1.1\r\nHost: evil.test:8080\r\n", 421},
		{"another name's form", "POST /login HTTP/1.1\r\nHost: evil.test\r\nContent-Length: 0\r\n", 421},
		{"another name's stream", "GET /live HTTP/1.1\r\nHost: evil.test\r\n", 421},
		{"no such page of another name", "GET /nothing HTTP/1.1\r\nHost: evil.test\r\n", 421},
		{"another's address", "GET / HTTP/1.1\r\nHost: 198.51.100.9\r\n", 421},
		{"no name", "GET / HTTP/1.1\r\nHost:\r\n", 421},
		{"HTTP/1.0", "GET / HTTP/1.0\r\n", 421},
		{"the line says more than Host", "GET http://evil.test/ HTTP/1.1\r\nHost: localhost\r\n", 421},
		{"the line is right", "GET http://localhost/rules HTTP/1.1\r\nHost: evil.test\r\n", 200},
		{"a proxy's word", "GET / HTTP/1.1\r\nHost: evil.test\r\nX-Forwarded-Host: localhost\r\n", 421},
		{"a client's word", "GET /rules HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Host: evil.test\r\n", 200},
		{"configured", "GET /rules HTTP/1.1\r\nHost: Club.Example.:443\r\n", 200},
		{"IPv6", "GET /rules HTTP/1.1\r\nHost: [::1]:8080\r\n", 200},
		{"in the network", "GET /rules HTTP/1.1\r\nHost: 192.168.7.9:8080\r\n", 200},
		{"a probe", "GET /healthz HTTP/1.1\r\nHost: 198.51.100.9\r\n", 200},
		{"an old probe", "GET /readyz HTTP/1.0\r\n", 200},
	} {
		if status, body := underHost(t, server, tt.request+rest); status != tt.status {
			t.Errorf("%s: %d, want %d\n%s", tt.name, status, tt.status, body)
		}
	}
	for language, says := range map[string]string{
		"en": "does not answer to the name “evil.test”", "de": "Unter dem Namen „evil.test“",
		"fr": "sous le nom « evil.test »",
	} {
		_, page := underHost(t, server, "GET / HTTP/1.1\r\nHost: evil.test\r\nAccept: text/html\r\nAccept-Language: "+language+
			"\r\n"+rest)
		if !strings.Contains(page, says) || !strings.Contains(page, "--public-url") {
			t.Errorf("%s: %s", language, page)
		}
	}
	_, document := underHost(t, server, "GET /api/v1/variants HTTP/1.1\r\nHost: evil.test\r\n"+rest)
	if !strings.Contains(document, "/problems/wrong-host") {
		t.Error(document)
	}
}

// TestLinksAreOfTheServicesOwn: a client's forwarding headers change no link.
func TestLinksAreOfTheServicesOwn(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	_, path, _ := apitest.HallEvent(t, s)
	for _, file := range []string{".atom", ".ics"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path+file, nil)
		r.Host = "192.168.7.9:8080"
		for _, name := range []string{"X-Forwarded-Host", "X-Forwarded-Server", "Forwarded"} {
			r.Header.Set(name, "evil.test")
		}
		r.Header.Set("X-Forwarded-Proto", "https")
		r.Header.Set("X-Forwarded-Ssl", "on")
		s.Serve(r).Want(t, http.StatusOK).Has(t, "http://192.168.7.9:8080/tournaments/").Lacks(t, "evil.test", "https://192.")
	}
}
