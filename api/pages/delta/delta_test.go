package delta

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"pgregory.net/rapid"
)

func TestSteps(t *testing.T) {
	part := func(content string) string { return `<div data-part="p">` + content + `</div>` }
	for name, test := range map[string]struct{ before, after, want string }{
		"nothing":     {part(`<p>a</p>`), part(`<p>a</p>`), `[]`},
		"white space": {part("<p>a</p>\n<p>b</p>"), part("\n\n<p>a</p><p>b</p>"), `[]`},
		"a text":      {part(`<p>a</p><p>b</p>`), part(`<p>a</p><p>c</p>`), `[["h","@p/1","c"]]`},
		"deep":        {part(`<p>a <b>1</b></p>`), part(`<p>a <b>2</b></p>`), `[["h","@p/0/0","2"]]`},
		"an attribute": {
			part(`<p class="x" title="t">a</p>`), part(`<p class="y">a</p>`), `[["a","@p/0",{"class":"y","title":null}]]`,
		},
		"another shape": {part(`<p>a</p>`), part(`<p>a</p><p>b</p>`), `[["h","@p","<p>a</p><p>b</p>"]]`},
		"a row":         {part(`<i id="1">a</i><i id="2">b</i>`), part(`<i id="1">a</i><i id="2">c</i>`), `[["h","#2","c"]]`},
		"rows come and go": {
			part(`<i id="1">a</i><i id="2">b</i>`),
			part(`<i id="3">c</i><i id="2">b</i>`), `[["d","#1"],["n","@p","<i id=\"3\">c</i>","2"]]`,
		},
		"a row moves": {
			part(`<i id="1">a</i><i id="2">b</i><i id="3">c</i>`),
			part(`<i id="3">c</i><i id="1">a</i><i id="2">b</i>`), `[["m","@p","3","1"]]`,
		},
		"a picture": {
			part(`<svg><g class="a"></g></svg>`),
			part(`<svg><g class="b"></g></svg>`), `[["h","@p","<svg><g class=\"b\"></g></svg>"]]`,
		},
		"always":  {`<p data-part="p" data-whole>a</p>`, `<p data-part="p" data-whole>a</p>`, `[["h","@p","a"]]`},
		"escapes": {part(`<p>a</p>`), part(`<p>&lt;b></p>`), `[["h","@p/0","&lt;b&gt;"]]`},
	} {
		if got, err := Steps(test.before, test.after); err != nil || string(got) != test.want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, test.want)
		}
	}
	if _, err := Steps(part("a"), `<div data-part="q">a</div>`); !errors.Is(err, errOther) {
		t.Errorf("other parts: %v", err)
	}
}

// TestStepsLeadThere carries the steps out, as live.js does, on tables with rows that come, go, move and change.
func TestStepsLeadThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := table(t, "before"), table(t, "after")
		steps, err := Steps(before, after)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := apply(t, before, steps), normal(t, after); got != want {
			t.Fatalf("%s\nleads from\n%s\nto\n%s\nnot\n%s", steps, before, got, want)
		}
	})
}

// table makes two parts, the first with rows that have ids.
func table(t *rapid.T, label string) string {
	var out strings.Builder
	fmt.Fprintf(&out, `<p data-part="a" class="c%d">%s</p><table data-part="b"><tbody>`,
		rapid.IntRange(0, 1).Draw(t, label),
		rapid.SampledFrom([]string{"x", "x<b>y</b>", "x<b>z</b>w", "<b>y</b><i>w</i>"}).Draw(t, label))
	rows := rapid.Permutation([]int{1, 2, 3, 4, 5, 6, 7}).Draw(t, label)
	for _, id := range rows[:rapid.IntRange(0, 7).Draw(t, label)] {
		cell := rapid.IntRange(0, 3).Draw(t, label)
		fmt.Fprintf(
			&out, `<tr id="r%d"><td class="k%d">%d</td><td>%s</td></tr>`, id, cell/2, cell, strings.Repeat("<b>w</b>", cell),
		)
	}
	return out.String() + `</tbody></table>`
}

func parse(t *rapid.T, markup string) *html.Node {
	root := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	nodes, err := html.ParseFragment(strings.NewReader(markup), root)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	return root
}

func normal(t *rapid.T, markup string) string { return inner(sorted(parse(t, markup))) }

// sorted orders attributes by name: they have no order of their own.
func sorted(n *html.Node) *html.Node {
	slices.SortFunc(n.Attr, func(a, b html.Attribute) int { return strings.Compare(a.Key, b.Key) })
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		sorted(child)
	}
	return n
}

func find(n *html.Node, name, value string) *html.Node {
	if value == "" {
		return nil
	}
	if n.Type == html.ElementNode && attributes(n)[name] == value {
		return n
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if found := find(child, name, value); found != nil {
			return found
		}
	}
	return nil
}

func apply(t *rapid.T, markup string, text []byte) string {
	root := parse(t, markup)
	var steps [][]any
	if err := json.Unmarshal(text, &steps); err != nil {
		t.Fatal(err)
	}
	at := func(path string) *html.Node {
		first, rest, _ := strings.Cut(path, "/")
		attribute := map[byte]string{'@': "data-part", '#': "id"}[first[0]]
		n := find(root, attribute, first[1:])
		for step := range strings.SplitSeq(rest, "/") {
			if i, err := strconv.Atoi(step); err == nil {
				n = childrenOf(n).elements[i]
			}
		}
		return n
	}
	for _, step := range steps {
		n := at(step[1].(string))
		content := func(markup string) []*html.Node {
			nodes, err := html.ParseFragment(strings.NewReader(markup), &html.Node{
				Type: html.ElementNode, DataAtom: n.DataAtom, Data: n.Data,
			})
			if err != nil {
				t.Fatal(err)
			}
			return nodes
		}
		switch step[0] {
		case "h":
			for n.FirstChild != nil {
				n.RemoveChild(n.FirstChild)
			}
			for _, child := range content(step[2].(string)) {
				n.AppendChild(child)
			}
		case "a":
			for name, value := range step[2].(map[string]any) {
				n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
				if value != nil {
					n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value.(string)})
				}
			}
		case "d":
			n.Parent.RemoveChild(n)
		case "m":
			child := find(n, "id", step[2].(string))
			n.RemoveChild(child)
			n.InsertBefore(child, find(n, "id", step[3].(string)))
		case "n":
			n.InsertBefore(content(step[2].(string))[0], find(n, "id", step[3].(string)))
		}
	}
	return inner(sorted(root))
}
