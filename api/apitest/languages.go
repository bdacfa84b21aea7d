package apitest

import (
	"testing"

	"quatuor/api/pages/message"
	"quatuor/engine/sentence"
)

// Languages are those of the pages, English first. Tests name texts by their keys; the words are the translators'.
func Languages() []*message.Printer { return message.Load().All() }

// German is the printer of German texts.
func German() *message.Printer { return message.Load().Match("de") }

// InLanguage is the header of a reader of a language.
func InLanguage(in *message.Printer) Header { return Header{"Accept-Language", in.Language()} }

// TextOf returns a text of the pages.
func TextOf(t *testing.T, in *message.Printer, key string, args ...any) string {
	t.Helper()
	text, err := in.Text(key, args...)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// SentenceIn returns a sentence of the domain, which must have a translation.
func SentenceIn(t *testing.T, in *message.Printer, said sentence.Sentence) string {
	t.Helper()
	text, own := in.Tell(said)
	if !own {
		t.Fatalf("%q is not translated into %s", said, in.Language())
	}
	return text
}
