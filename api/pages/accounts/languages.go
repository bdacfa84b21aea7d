package accounts

import "quatuor/api/pages/message"

// Language is a language of the pages.
type Language struct{ Tag, Name string }

// languageNames are the names of the languages, each in that language.
var languageNames = map[string]string{"en": "English", "fr": "Français", "de": "Deutsch"}

// OfferedLanguages lists the languages of the pages.
func OfferedLanguages() (all []Language) {
	for _, tag := range message.Languages {
		all = append(all, Language{tag.String(), languageNames[tag.String()]})
	}
	return all
}
