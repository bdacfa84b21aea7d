// Package gen holds what is generated from openapi.yaml, the contract of the REST API: types of requests and answers,
// and the interface that package rest implements. Never edit gen.go or openapi.yaml here; run go generate.
package gen

import _ "embed" // for the contract

//go:generate cp ../../openapi.yaml openapi.yaml
//go:generate go tool -modfile=../../cmd/tools.mod oapi-codegen -config config.yaml openapi.yaml

// Contract is openapi.yaml as it stood when the code was generated.
//
//go:embed openapi.yaml
var Contract []byte
