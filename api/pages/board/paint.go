package board

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"quatuor/engine/face"
)

// Paint resolves the classes of drawings to SVG attributes in the light colours, for drawings without a style sheet.
type Paint struct {
	rules  []paintRule
	colors map[string]string
}

// paintRule holds the SVG attributes of an element with all of some classes.
type paintRule struct {
	classes []string
	looks   map[string]string
}

var (
	colorOf  = regexp.MustCompile(`--([\w-]+):\s*(#[0-9a-fA-F]{6})\b`)
	ruleOf   = regexp.MustCompile(`(?m)^(\.b-[^{\n]*)\{([^}]*)\}`)
	variable = regexp.MustCompile(`var\(--([\w-]+)\)`)
)

// paintable are the properties that are attributes of SVG as well.
var paintable = []string{
	"fill", "stroke", "stroke-width", "stroke-linecap", "stroke-dasharray",
	"font-size", "font-weight", "text-anchor", "opacity",
}

// NewPaint reads the b-* rules of a style sheet, a rule a line; a colour variable has its first value.
func NewPaint(sheet string) (*Paint, error) {
	p := &Paint{colors: map[string]string{}}
	for _, m := range colorOf.FindAllStringSubmatch(sheet, -1) {
		if p.colors[m[1]] == "" { // dark colours come later
			p.colors[m[1]] = m[2]
		}
	}
	for _, m := range ruleOf.FindAllStringSubmatch(sheet, -1) {
		looks := map[string]string{}
		for declaration := range strings.SplitSeq(m[2], ";") {
			name, value, _ := strings.Cut(declaration, ":")
			if name = strings.TrimSpace(name); !slices.Contains(paintable, name) {
				continue
			}
			value = variable.ReplaceAllStringFunc(strings.TrimSpace(value), func(v string) string {
				return p.colors[variable.FindStringSubmatch(v)[1]]
			})
			looks[name] = strings.TrimSuffix(value, "px")
		}
		for selector := range strings.SplitSeq(m[1], ",") {
			classes := strings.FieldsFunc(strings.TrimSpace(selector), func(r rune) bool { return r == '.' })
			p.rules = append(p.rules, paintRule{classes, looks})
		}
	}
	if len(p.rules) == 0 || p.Color("paper") == "" || p.Color("ink") == "" {
		return nil, errors.New("board: the style sheet says nothing of drawings")
	}
	return p, nil
}

// Color returns a colour of the style sheet by name, for example "#f6f8f6" for "paper"; "" for an unknown name.
func (p *Paint) Color(name string) string { return p.colors[name] }

// looks returns the attributes of an element: rules with two classes override those with a single class, later rules
// earlier rules.
func (p *Paint) looks(classes []string) map[string]string {
	out := map[string]string{}
	for together := 1; together <= 2; together++ {
		for _, rule := range p.rules {
			fits := len(rule.classes) == together
			for _, class := range rule.classes {
				fits = fits && slices.Contains(classes, class)
			}
			if fits {
				maps.Copy(out, rule.looks)
			}
		}
	}
	return out
}

// element is an SVG element with resolved attributes.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

func (e element) number(name string) float64 {
	var n float64
	_, _ = fmt.Sscanf(e.attrs[name], "%g", &n) // 0 if it is missing
	return n
}

// elements reads a drawing, the outermost element first.
func (p *Paint) elements(svg template.HTML) (list []element, err error) {
	for tokens := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		token, err := tokens.Token()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("board: a drawing: %w", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			if e.name != "svg" {
				maps.Copy(e.attrs, p.looks(strings.Fields(e.attrs["class"])))
			}
			list = append(list, e)
		case xml.CharData:
			if len(list) > 0 {
				list[len(list)-1].text += string(token)
			}
		}
	}
}

// File returns a drawing as a file of its own, which needs no style sheet.
func (p *Paint) File(svg template.HTML) ([]byte, error) {
	list, err := p.elements(svg)
	if err != nil || len(list) == 0 {
		return nil, errors.Join(err, errors.New("board: no drawing"))
	}
	box := list[0].attrs["viewBox"]
	x, y, width, height, err := boxOf(list[0])
	if err != nil {
		return nil, err
	}
	var out face.Canvas
	out.Open("svg", face.Attr("xmlns", "http://www.w3.org/2000/svg"), face.Attr("viewBox", box),
		face.NumAttr("width", 2*width), face.NumAttr("height", 2*height),
		face.Attr("font-family", "sans-serif"), face.Attr("text-anchor", "middle"))
	out.Single(
		"rect", face.Attr("fill", p.Color("paper")), face.NumAttr("x", x),
		face.NumAttr("y", y), face.NumAttr("width", width), face.NumAttr("height", height),
	)
	for _, e := range list[1:] {
		attrs := make([]string, 0, len(e.attrs)+1)
		for _, name := range slices.Sorted(maps.Keys(e.attrs)) {
			if name != "class" && name != "id" {
				attrs = append(attrs, face.Attr(name, e.attrs[name]))
			}
		}
		if e.name == "text" {
			attrs = append(attrs, face.Attr("dy", "0.35em"))
		}
		out.Open(e.name, attrs...)
		out.WriteString(template.HTMLEscapeString(e.text))
		out.End(e.name)
	}
	out.End("svg")
	return bytes.Clone([]byte(out.String())), nil
}

// boxOf returns the visible area of a drawing.
func boxOf(svg element) (x, y, width, height float64, err error) {
	_, err = fmt.Sscanf(svg.attrs["viewBox"], "%g %g %g %g", &x, &y, &width, &height)
	if err == nil && (width <= 0 || height <= 0) {
		err = errors.New("board: a drawing without size")
	}
	return x, y, width, height, err
}
