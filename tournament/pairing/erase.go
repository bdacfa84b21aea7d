package pairing

import (
	"encoding/json"
	"fmt"
)

// EraseClub removes the club of an entry from the text of a history, unless another entry has the same: a club of
// several keeps clubmates apart, and without it the round could not be verified.
func EraseClub(text, entry string) (string, error) {
	var history map[string]json.RawMessage
	var field []map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &history); err != nil {
		return "", fmt.Errorf("what a round was paired from cannot be read: %w", err)
	}
	if len(history["field"]) == 0 {
		return text, nil
	}
	if err := json.Unmarshal(history["field"], &field); err != nil {
		return "", fmt.Errorf("what a round was paired from cannot be read: %w", err)
	}
	clubs, own := map[string]int{}, -1
	for i, e := range field {
		clubs[string(e["club"])]++
		var id string
		if json.Unmarshal(e["id"], &id) == nil && id == entry {
			own = i
		}
	}
	if own < 0 || field[own]["club"] == nil || clubs[string(field[own]["club"])] > 1 {
		return text, nil
	}
	delete(field[own], "club")
	var err error
	history["field"], err = json.Marshal(field)
	if err != nil {
		return "", err
	}
	erased, err := json.Marshal(history)
	return string(erased), err
}
