// Package gen holds what is generated from openapi.yaml, the contract of the REST API: types of requests and answers,
// and the interface that package rest implements. Never edit gen.go or openapi.yaml.gz; run go generate.
package gen

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the contract
	"io"
	"sync"
)

// The overlay leaves out refusals: an operation in Go answers success alone.
//go:generate go tool -modfile=../../cmd/tools.mod oapi-codegen -config config.yaml ../../openapi.yaml
//go:generate sed -i -E -f gen.sed gen.go

// The contract itself, from above this folder, where go:embed does not reach.
//go:generate sh -c "gzip -9nc ../../openapi.yaml >openapi.yaml.gz"

// The types of the same contract for programs in TypeScript and JavaScript.
//go:generate go run ./typescript ../../openapi.yaml ../../docs/examples/typescript/schema.d.ts

// Executed is the answer of an operation that answers its success alone.
type Executed struct{}

// Tagged has the headers of a resource that clients change.
type Tagged struct{ ETag string }

// Linked has the headers of a page of a list: the Link to the next page, if there is one.
type Linked struct{ Link *string }

//go:embed openapi.yaml.gz
var packed []byte

// Contract returns openapi.yaml as it stood when the code was generated. Callers share the bytes.
var Contract = sync.OnceValue(func() []byte {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err) // the file was packed at go generate
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		panic(err)
	}
	return text
})
