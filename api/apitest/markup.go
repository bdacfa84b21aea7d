package apitest

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
)

// WellFormed fails if elements are closed in the wrong order, or an id is there twice.
func WellFormed(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict = false
	d.AutoClose = xml.HTMLAutoClose
	d.Entity = xml.HTMLEntity
	var open []string
	ids := map[string]bool{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("after %v: %v", open, err)
		}
		switch tag := token.(type) {
		case xml.StartElement:
			open = append(open, tag.Name.Local)
			for _, a := range tag.Attr {
				if a.Name.Local == "id" && ids[a.Value] {
					t.Errorf("two elements have the id %q", a.Value)
				} else if a.Name.Local == "id" {
					ids[a.Value] = true
				}
			}
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != tag.Name.Local {
				t.Fatalf("</%s> closes nothing; open are %v", tag.Name.Local, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("never closed: %v", open)
	}
}

var (
	inline   = regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+=|<script[^>]*>[^<]|javascript:`)
	external = regexp.MustCompile(`(?i)(?:src|href|action)="(?:https?:)?//`)
)

// Harmless fails if a page needs something that its policy forbids, or shows a failure of its template.
func Harmless(t *testing.T, page string) {
	t.Helper()
	for _, bad := range []*regexp.Regexp{inline, external, regexp.MustCompile(`<no value>|ZgotmplZ|%!`)} {
		if found := bad.FindString(page); found != "" {
			t.Errorf("the page has %q", found)
		}
	}
	if !strings.Contains(page, "<h1") || !strings.Contains(page, "<title>") || !strings.Contains(page, `lang="en"`) {
		t.Error("the page lacks a heading, a title or its language")
	}
}
