// Command typescript writes the schemas of a contract as types of TypeScript: `typescript openapi.yaml schema.d.ts`.
package main

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: typescript CONTRACT FILE")
	}
	doc, err := openapi3.NewLoader().LoadFromFile(args[0])
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("// Generated from openapi.yaml by `go generate ./...`; do not edit.\n")
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		s := doc.Components.Schemas[name].Value
		writeComment(&b, "", s.Description)
		fmt.Fprintf(&b, "export type %s = %s;\n", name, typeOf(s, ""))
	}
	return os.WriteFile(args[1], []byte(b.String()), 0o644)
}

func writeComment(b *strings.Builder, indent, text string) {
	if text != "" {
		fmt.Fprintf(b, "%s/** %s */\n", indent, strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "*/", "*\\/"))
	}
}

// refOf returns the name of a schema, or its type where it has none.
func refOf(s *openapi3.SchemaRef, indent string) string {
	if s.Ref != "" {
		return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
	}
	return typeOf(s.Value, indent)
}

func typeOf(s *openapi3.Schema, indent string) string {
	switch {
	case len(s.OneOf) > 0:
		return join(s.OneOf, " | ", indent)
	case len(s.AllOf) > 0:
		return join(s.AllOf, " & ", indent)
	case len(s.Enum) > 0:
		var values []string
		for _, v := range s.Enum {
			values = append(values, strconv.Quote(fmt.Sprint(v)))
		}
		return strings.Join(values, " | ")
	case s.Type.Is("string"):
		return "string"
	case s.Type.Is("integer"), s.Type.Is("number"):
		return "number"
	case s.Type.Is("boolean"):
		return "boolean"
	case s.Type.Is("array"):
		return "Array<" + refOf(s.Items, indent) + ">"
	case len(s.Properties) > 0:
		return objectOf(s, indent)
	case s.AdditionalProperties.Schema != nil:
		return "{ [key: string]: " + refOf(s.AdditionalProperties.Schema, indent) + " }"
	}
	return "{ [key: string]: any }"
}

func join(all openapi3.SchemaRefs, by, indent string) string {
	var types []string
	for _, s := range all {
		types = append(types, refOf(s, indent))
	}
	return strings.Join(types, by)
}

var plainName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

func objectOf(s *openapi3.Schema, indent string) string {
	var b strings.Builder
	b.WriteString("{\n")
	inner := indent + "  "
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		if p.Ref == "" {
			writeComment(&b, inner, p.Value.Description)
		}
		mark := "?"
		if slices.Contains(s.Required, name) {
			mark = ""
		}
		if !plainName.MatchString(name) {
			name = strconv.Quote(name)
		}
		fmt.Fprintf(&b, "%s%s%s: %s;\n", inner, name, mark, refOf(p, inner))
	}
	return b.String() + indent + "}"
}
