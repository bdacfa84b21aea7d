package main

// trfCmd is `quatuor trf`: tools for tournament report files.
type trfCmd struct {
	Check trfCheckCmd `cmd:"" help:"Rebuild each round and each rank of tournaments in report files, and name what differs."`

	Generate trfGenerateCmd `cmd:"" help:"Make tournaments by chance."`
}
