package danish_test

import (
	"testing/fstest"

	"quatuor/api/pages/message"
)

func init() {
	texts := fstest.MapFS{}
	for language, name := range map[string]string{
		"en": "Danish system", "fr": "Système danois", "de": "Dänisches System",
	} {
		texts["texts/"+language+"/danish.json"] = &fstest.MapFile{
			Data: []byte(`{"words": {"format": {"danish": "` + name + `"}}}`),
		}
	}
	message.Sources = append(message.Sources, texts)
}
