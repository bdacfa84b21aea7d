package qrcode

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"rsc.io/qr"
)

const address = "http://192.168.1.23:8080/setup?code=ABCD-EFGH-IJKL-MNOP"

func TestTextIsTheCode(t *testing.T) {
	drawn, err := Text(address)
	if err != nil {
		t.Fatal(err)
	}
	code, err := qr.Encode(address, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(drawn, "\n"), "\n")
	for y := range code.Size {
		for x := range code.Size {
			cell := []rune(lines[(y+quiet/2)/2])[x+quiet/2]
			light := cell == '█' || cell == '▀' && (y+quiet/2)%2 == 0 || cell == '▄' && (y+quiet/2)%2 == 1
			if light == code.Black(x, y) {
				t.Fatalf("the module %d, %d is not as in the code", x, y)
			}
		}
	}
	for _, line := range lines {
		if got := len([]rune(line)); got != code.Size+quiet {
			t.Errorf("a line of %d characters, want %d", got, code.Size+quiet)
		}
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	drawn, err := SVG(address, `Code <of> "Ada"`)
	if err != nil {
		t.Fatal(err)
	}
	decoder := xml.NewDecoder(strings.NewReader(string(drawn)))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(string(drawn), `aria-label="Code &lt;of&gt; &#34;Ada&#34;"`) ||
		strings.Contains(string(drawn), "style=") {
		t.Errorf("%.200s", drawn)
	}
	if _, err := SVG(strings.Repeat("x", 4000), ""); err == nil {
		t.Error("a text that fits no code is drawn")
	}
}
