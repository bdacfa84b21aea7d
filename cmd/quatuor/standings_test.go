package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const threePlayers = `012 Three players
142 3
192 FIDE_DUTCH
001    1      Ada                               2000                             2.0    1     2 w 1  0000 - U  0000 - Z
001    2      Bob                               1900                             1.5    2     1 b 0     3 w =  0000 - U
001    3      Cyd                                                                0.5    3  0000 - Z     2 b =  0000 - H
`

func TestStandingsPrintsTables(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	swiss := write("swiss.trf", strings.Replace(threePlayers, "0.5    3", "1.0    3", 1))
	wrong := write("wrong.trf", threePlayers)
	robin := write("robin.trf", "012 Two\n092 Round-robin\n"+
		"001    1      Ada                               2000                             1.0    1     2 w 1\n"+
		"001    2      Bob                               1900                             0.0    2     1 b 0\n")
	missing := filepath.Join(dir, "missing.trf")
	tests := []struct {
		name   string
		args   []string
		status int
		out    []string // FILE: the file before it
		errs   []string // parts of each line
	}{
		{
			"values",
			[]string{"--tie-breaks", "BH,bh/c1,KS,ARO", swiss},
			exitOK,
			[]string{
				"file StartNo Rank PTS BH BH/C1 KS ARO", swiss + " 1 1 2.0 4.5 3.0 1.0 -0", swiss + " 2 2 1.5 5.0 4.0 0.0 -0",
				swiss + " 3 3 1.0 3.5 2.5 0.5 -0",
			},
			nil,
		},
		{
			"why",
			[]string{"--tie-breaks=BH/C1", "--explain=1", swiss},
			exitOK,
			[]string{
				"file StartNo Rank PTS BH/C1", swiss + " 1 1 2.0 3.0",
				"# BH/C1 3.0 = 1.5 + 1.5; cut: 1.5 (round 3, zero-point bye)",
				swiss + " 2 2 1.5 4.0", swiss + " 3 3 1.0 2.5",
			},
			nil,
		},
		{
			"some files cannot be ranked",
			[]string{"--tie-breaks", "BH", wrong, swiss, missing, robin},
			exitFailure,
			[]string{"file StartNo Rank PTS BH", swiss + " 1 1 2.0 4.5", swiss + " 2 2 1.5 5.0", swiss + " 3 3 1.0 3.5"},
			[]string{wrong + ": line 6, player 3: 0.5 points", missing + ": open", robin + ": BH is not used in a round-robin"},
		},
		{"a code that is none", []string{"--tie-breaks", "BH,XX", swiss}, exitUsage, nil, []string{`there is no tie-break "XX"`}},
		{"a code of other programs", []string{"--tie-breaks", "BH-C1", swiss}, exitUsage, nil, []string{"write BH/C1"}},
		{"no codes", []string{swiss}, exitUsage, nil, []string{"missing flags: --tie-breaks"}},
	}
	for _, test := range tests {
		var out, errs bytes.Buffer
		if status := run(append([]string{"standings"}, test.args...), nil, &out, &errs); status != test.status {
			t.Errorf("%s: status %d, want %d; %s", test.name, status, test.status, errs.String())
			continue
		}
		got := strings.Split(strings.TrimSuffix(strings.ReplaceAll(out.String(), "\t", " "), "\n"), "\n")
		if test.status != exitUsage && strings.Join(got, "\n") != strings.Join(test.out, "\n") {
			t.Errorf("%s: printed\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.out, "\n"))
		}
		lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
		for i, part := range test.errs {
			if i >= len(lines) && test.status == exitFailure || !strings.Contains(errs.String(), part) {
				t.Errorf("%s: standard error says\n%s\nwant %q", test.name, errs.String(), part)
			}
		}
		if test.status == exitFailure && len(lines) != len(test.errs) {
			t.Errorf("%s: %d lines on standard error, want %d:\n%s", test.name, len(lines), len(test.errs), errs.String())
		}
	}
}
