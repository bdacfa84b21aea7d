package api_test

import (
	"testing"

	"quatuor/api/pages/message"
	"quatuor/engine/sentence"
)

// languages are those of the pages, English first. Tests name texts by their keys; the words are the translators'.
func languages() []*message.Printer { return message.Load().All() }

func german() *message.Printer { return message.Load().Match("de") }

// inLanguage is the header of a reader of a language.
func inLanguage(in *message.Printer) header { return header{"Accept-Language", in.Language()} }

// textOf returns a text of the pages.
func textOf(t *testing.T, in *message.Printer, key string, args ...any) string {
	t.Helper()
	text, err := in.Text(key, args...)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// sentenceIn returns a sentence of the domain, which must have a translation.
func sentenceIn(t *testing.T, in *message.Printer, said sentence.Sentence) string {
	t.Helper()
	text, own := in.Tell(said)
	if !own {
		t.Fatalf("%q is not translated into %s", said, in.Language())
	}
	return text
}
