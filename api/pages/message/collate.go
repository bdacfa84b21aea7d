package message

import "golang.org/x/text/collate"

// Collate returns how names are put in order in the language: a function that reports, like strings.Compare, which of
// two comes first. It is for one goroutine.
func (p *Printer) Collate() func(a, b string) int {
	return collate.New(p.Tag, collate.IgnoreCase).CompareString
}
