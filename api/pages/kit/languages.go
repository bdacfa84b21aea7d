package kit

import (
	"quatuor/api/pages/message"
)

// Language is a language that the pages can be read in.
type Language struct{ Tag, Name string }

// languageNames are the languages, each in its own words.
var languageNames = map[string]string{"en": "English", "fr": "Français", "de": "Deutsch"}

// OfferedLanguages lists the languages that the pages can be read in.
func OfferedLanguages() (all []Language) {
	for _, tag := range message.Languages {
		all = append(all, Language{tag.String(), languageNames[tag.String()]})
	}
	return all
}
