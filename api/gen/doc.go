// Package gen holds what is generated from openapi.yaml, the contract of the REST API: types of requests and answers,
// and the interface that package rest implements. Never edit gen.go or openapi.yaml here; run go generate.
package gen

import _ "embed" // for the contract

//go:generate cp ../../openapi.yaml openapi.yaml
// Limits of rates are applied before an operation, whose answers in Go have neither their headers nor their refusal.
//go:generate sh -c "sed '/^ *RateLimit-/d; /^ *.429.:/d' openapi.yaml >operations.yaml"
//go:generate go tool -modfile=../../cmd/tools.mod oapi-codegen -config config.yaml operations.yaml
//go:generate rm operations.yaml
// Each request has a receiver of its own, which knows when the request arrived: operations get only a context.
//go:generate sed -i -E "/ssi +StrictServerInterface/s/StrictServerInterface/func(echo.Context) StrictServerInterface/; s/sh[.]ssi[.]/sh.ssi(ctx)./" gen.go

// The types of the same contract for programs in TypeScript and JavaScript.
//go:generate go run ./typescript openapi.yaml ../../docs/examples/typescript/schema.d.ts

// Contract is openapi.yaml as it stood when the code was generated.
//
//go:embed openapi.yaml
var Contract []byte
