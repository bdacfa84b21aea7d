package exchange

import (
	"bytes"
	"slices"

	"quatuor/tournament/trf"
)

// Rewrite replaces texts in the lines of the file that people write freely, and reports whether any changed.
func (o *Original) Rewrite(replace func(string) string) (changed bool) {
	text := trf.Rewrite(o.Text, replace)
	changed = !bytes.Equal(text, o.Text)
	o.Text = text
	return changed
}

// Check returns an error if the file cannot be read any more.
func (o *Original) Check() error {
	_, err := o.read()
	return err
}

// Erase replaces the name of an entry in the file and removes the player's other data; was is the name there, "" if the
// entry is not in the file.
func (o *Original) Erase(entry, name string) (was string, err error) {
	place := slices.Index(o.Entries, entry)
	if place < 0 {
		return "", nil
	}
	report, err := o.read()
	if err != nil {
		return "", err
	}
	var numbers []int
	for _, p := range report.Players {
		numbers = append(numbers, p.Number)
	}
	slices.Sort(numbers)
	if place >= len(numbers) {
		return "", nil
	}
	o.Text, was = trf.Erase(o.Text, numbers[place], name)
	return was, nil
}
