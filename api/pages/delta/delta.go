// Package delta computes the difference between two renderings of a page's parts, so that an open page is sent a result
// and not the whole table again.
//
// A part is an element with the attribute data-part. The difference is a list of steps, a JSON array each, for the
// module live.js. The first member names the step, the second the element: "@" and the name of a part, or "#" and an
// id, each with the places among the child elements that lead from there to the element, for example "#s7/2/0".
//
//	["h", element, markup]           its content is this markup now
//	["a", element, {name: value}]    these attributes have changed; null for one that is gone
//	["d", element]                   it is gone
//	["m", element, child, next]      the child with this id moves before that with the next id, "" for last
//	["n", element, markup, next]     a new child is inserted there
//
// Rows that come, go and change places need ids: children that all have an id are matched by it, others by their place.
// A part with the attribute data-whole is always sent: it changes without a new version, as clocks do.
package delta

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// errOther means that two renderings have not the same parts, so that only the whole can be sent.
var errOther = errors.New("the renderings have different parts")

// Steps returns the steps between two renderings as JSON; an empty list if they are equal.
func Steps(before, after string) ([]byte, error) {
	from, order, err := partsOf(before)
	if err != nil {
		return nil, err
	}
	to, newOrder, err := partsOf(after)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(order, newOrder) {
		return nil, errOther
	}
	d := differ{steps: [][]any{}}
	for _, name := range newOrder {
		path, part := "@"+name, to[name]
		if _, whole := attributes(part)["data-whole"]; whole {
			d.step("h", path, inner(part))
			d.attributes(path, from[name], part)
			continue
		}
		d.element(path, from[name], part)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(d.steps)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}

// partsOf parses markup and returns its parts by name, and their names in order. Parts are not nested.
func partsOf(markup string) (map[string]*html.Node, []string, error) {
	body := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	nodes, err := html.ParseFragment(strings.NewReader(markup), body)
	if err != nil {
		return nil, nil, err
	}
	parts, order := map[string]*html.Node{}, []string(nil)
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if name, ok := attributes(n)["data-part"]; ok {
			parts[name], order = n, append(order, name)
			return
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			visit(child)
		}
	}
	for _, n := range nodes {
		visit(n)
	}
	return parts, order, nil
}

type differ struct{ steps [][]any }

func (d *differ) step(members ...any) { d.steps = append(d.steps, members) }

// element adds the steps for an element in both renderings.
func (d *differ) element(path string, from, to *html.Node) {
	d.attributes(path, from, to)
	old, fresh := childrenOf(from), childrenOf(to)
	switch {
	case old.foreign || fresh.foreign: // markup within a picture cannot be put in place alone
		if before, after := inner(from), inner(to); before != after {
			d.step("h", path, after)
		}
	case old.keyed() && fresh.keyed():
		d.list(path, old.elements, fresh.elements)
	case old.like(fresh):
		for i, child := range fresh.elements {
			d.element(path+"/"+strconv.Itoa(i), old.elements[i], child)
		}
	default:
		d.step("h", path, inner(to))
	}
}

func (d *differ) attributes(path string, from, to *html.Node) {
	old, fresh := attributes(from), attributes(to)
	changed := map[string]any{}
	for name, value := range fresh {
		if before, there := old[name]; !there || before != value {
			changed[name] = value
		}
	}
	for name := range old {
		if _, there := fresh[name]; !there {
			changed[name] = nil
		}
	}
	if len(changed) > 0 {
		d.step("a", path, changed)
	}
}

// list adds the steps for children with ids: removed, new, changed, or moved.
func (d *differ) list(path string, old, fresh []*html.Node) {
	place := map[string]int{}
	for i, n := range old {
		place[idOf(n)] = i
	}
	kept := map[string]bool{}
	var before []int // places of the kept children, in their new order
	for _, n := range fresh {
		if i, there := place[idOf(n)]; there && old[i].Data == n.Data {
			kept[idOf(n)] = true
			before = append(before, i)
		}
	}
	for _, n := range old {
		if !kept[idOf(n)] {
			d.step("d", "#"+idOf(n))
		}
	}
	stay := map[int]bool{}
	for _, i := range rising(before) {
		stay[i] = true
	}
	next := ""
	for _, n := range slices.Backward(fresh) {
		id := idOf(n)
		switch {
		case !kept[id]:
			d.step("n", path, outer(n), next)
		case !stay[place[id]]:
			d.step("m", path, id, next)
		}
		next = id
	}
	for _, n := range fresh {
		if id := idOf(n); kept[id] {
			d.element("#"+id, old[place[id]], n)
		}
	}
}

// rising returns a longest rising subsequence: the rows that need not be moved.
func rising(numbers []int) []int {
	var tails []int // indices into numbers: the smallest end of a subsequence of each length
	before := make([]int, len(numbers))
	for i, n := range numbers {
		at, _ := slices.BinarySearchFunc(tails, n, func(j, n int) int { return numbers[j] - n })
		before[i] = -1
		if at > 0 {
			before[i] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, i)
		} else {
			tails[at] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	out := make([]int, 0, len(tails))
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		out = append(out, numbers[i])
	}
	slices.Reverse(out)
	return out
}

// children returns an element's content, without comments and the white space between elements.
type children struct {
	elements []*html.Node
	shape    []string // names of elements, and texts
	texts    int
	foreign  bool // a picture is among them
}

func childrenOf(n *html.Node) (c children) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch child.Type {
		case html.ElementNode:
			c.elements = append(c.elements, child)
			c.shape = append(c.shape, "<"+child.Data+" "+idOf(child))
			c.foreign = c.foreign || child.Namespace != ""
		case html.TextNode:
			if strings.TrimSpace(child.Data) != "" {
				c.texts++
				c.shape = append(c.shape, child.Data)
			}
		default:
		}
	}
	return c
}

// keyed reports whether all children are elements with an id of their own.
func (c children) keyed() bool {
	seen := map[string]bool{}
	for _, n := range c.elements {
		id := idOf(n)
		if id == "" || seen[id] {
			return false
		}
		seen[id] = true
	}
	return c.texts == 0 && len(c.elements) > 0
}

// like reports whether two contents have the same texts and the same kinds of elements.
func (c children) like(other children) bool { return slices.Equal(c.shape, other.shape) }

func attributes(n *html.Node) map[string]string {
	if len(n.Attr) == 0 {
		return nil
	}
	out := make(map[string]string, len(n.Attr))
	for _, a := range n.Attr {
		out[a.Key] = a.Val
	}
	return out
}

func idOf(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "id" {
			return a.Val
		}
	}
	return ""
}

func inner(n *html.Node) string {
	var out strings.Builder
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		_ = html.Render(&out, child) // a strings.Builder takes everything
	}
	return strings.TrimSpace(out.String())
}

func outer(n *html.Node) string {
	var out strings.Builder
	_ = html.Render(&out, n)
	return out.String()
}
