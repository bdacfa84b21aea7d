package message

import "golang.org/x/text/collate"

// Collate returns a function that compares names in the order of the language, with a result like that of
// strings.Compare. It must not be used by several goroutines at once.
func (p *Printer) Collate() func(a, b string) int {
	return collate.New(p.Tag, collate.IgnoreCase).CompareString
}
