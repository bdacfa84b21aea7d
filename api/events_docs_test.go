package api_test

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quatuor/api/apitest"
)

var (
	exampleBlock = regexp.MustCompile("(?s)```json (\\w+)\n(.*?)```")
	eventRow     = regexp.MustCompile("(?m)^\\| `([\\w.]+)` \\|")
)

// TestEventsAreDocumented: the page has a row and an example for every event of every stream, and the examples fit.
func TestEventsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/events.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := exampleBlock.FindAllStringSubmatchIndex(string(page), -1)
	streams := 0
	for name, ref := range apitest.Contract().Components.Schemas {
		if !strings.HasSuffix(name, "StreamEvent") {
			continue
		}
		streams++
		want := slices.Sorted(maps.Keys(ref.Value.Discriminator.Mapping))
		i := slices.IndexFunc(blocks, func(b []int) bool { return string(page[b[2]:b[3]]) == name })
		if i < 0 {
			t.Errorf("no examples of %s", name)
			continue
		}
		var shown, rows []string
		for decoder := json.NewDecoder(strings.NewReader(string(page[blocks[i][4]:blocks[i][5]]))); ; {
			var example map[string]any
			err := decoder.Decode(&example)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := ref.Value.VisitJSON(example, openapi3.VisitAsResponse()); err != nil {
				t.Errorf("the example of %v does not fit: %v", example["event"], err)
			}
			shown = append(shown, example["event"].(string))
		}
		before := string(page[:blocks[i][0]])
		for _, row := range eventRow.FindAllStringSubmatch(before[strings.LastIndex(before, "\n## "):], -1) {
			rows = append(rows, row[1])
		}
		slices.Sort(shown)
		slices.Sort(rows)
		if !slices.Equal(shown, want) || !slices.Equal(rows, want) {
			t.Errorf("%s has %v; examples %v, rows %v", name, want, shown, rows)
		}
	}
	if streams != 3 {
		t.Errorf("%d streams", streams)
	}
}
