package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestSeatPlanPrintsTables(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run(strings.Fields("seatplan 16 5 4"), nil, &out, &errs); status != exitOK || errs.Len() > 0 {
		t.Fatalf("status %d, %s", status, errs.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 21 || lines[0] != "round\ttable\tplayers" {
		t.Fatalf("printed\n%s", out.String())
	}
	met := map[[2]string]bool{}
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != 6 {
			t.Fatalf("line %q", line)
		}
		for k, a := range cells[2:] {
			for _, b := range cells[2 : 2+k] {
				if met[[2]string{a, b}] || met[[2]string{b, a}] {
					t.Errorf("%s and %s meet again", a, b)
				}
				met[[2]string{a, b}] = true
			}
		}
	}
}

func TestSeatPlanCountsMeetings(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run(strings.Fields("seatplan 4 2 4"), nil, &out, &errs); status != exitOK ||
		errs.String() != "quatuor: 6 meetings again\n" {
		t.Errorf("status %d, %q", status, errs.String())
	}
	if status := run(strings.Fields("seatplan 16 5 7"), nil, &out, &errs); status != exitUsage ||
		!strings.Contains(errs.String(), "tables are for 3, 4 or 5") {
		t.Errorf("status %d, %q", status, errs.String())
	}
}
