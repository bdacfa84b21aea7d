package main

import (
	"strings"
	"testing"
)

// compute runs `quatuor ratings compute` on lines.
func compute(t *testing.T, input string, flags ...string) (status int, out, errs string) {
	t.Helper()
	var o, e strings.Builder
	status = run(append([]string{"ratings", "compute"}, flags...), strings.NewReader(input), &o, &e)
	return status, o.String(), e.String()
}

func TestComputeRatings(t *testing.T) {
	const duel = `{"player": "a", "rating": 1800, "games": 30}
{"player": "b", "rating": 1900, "games": 30}
{"id": "g1", "at": 1760000000000, "sides": [["a"], ["b"]], "ranks": [1, 2]}
`
	const paper = `{"player":"a","rating":1500,"rd":200,"volatility":0.06}
{"player":"b","rating":1400,"rd":30,"volatility":0.06}
{"id":"1","sides":[["a"],["b"]],"ranks":[1,2]}
`
	for name, test := range map[string]struct {
		flags []string
		input string
		want  string
	}{
		"by game": {
			[]string{"--system=elo", "--set", "k=16", "--set", "cap=100"},
			duel,
			`{"id":"g1","player":"a","before":1800,"after":1810.2410399968462,"expected":0.3599350001971149,"k":16}
{"id":"g1","player":"b","before":1900,"after":1889.7589600031538,"expected":0.6400649998028851,"k":16}
{"player":"a","rating":1810.2410399968462,"games":31}
{"player":"b","rating":1889.7589600031538,"games":31}
`,
		},
		"by period": {
			[]string{"--system=elo-fide"},
			duel + `{"period": "2026-01"}` + "\n",
			`{"period":"2026-01","player":"a","before":1800,"after":1813,"expected":0.36,"k":20}
{"period":"2026-01","player":"b","before":1900,"after":1887,"expected":0.64,"k":20}
{"player":"a","rating":1813,"games":31}
{"player":"b","rating":1887,"games":31}
`,
		},
		"a player without a rating": {
			[]string{"--system=elo-fide"},
			`{"player":"a"}` + "\n" + `{"period":"2026"}` + "\n",
			`{"period":"2026","player":"a"}` + "\n" + `{"player":"a","games":0}` + "\n",
		},
		"four at a table": {
			[]string{"--system=plackett-luce"},
			`{"id":"1","sides":[["a"],["b"],["c"],["d"]],"ranks":[1,2,3,4]}`,
			`{"id":"1","player":"a","before":25,"after":27.795084971874736}
{"id":"1","player":"b","before":25,"after":26.552824984374855}
{"id":"1","player":"c","before":25,"after":24.68943500312503}
{"id":"1","player":"d","before":25,"after":20.96265504062538}
{"player":"a","rating":27.795084971874736,"rd":8.263160757613477,"games":1}
{"player":"b","rating":26.552824984374855,"rd":8.179213704945203,"games":1}
{"player":"c","rating":24.68943500312503,"rd":8.083731307186588,"games":1}
{"player":"d","rating":20.96265504062538,"rd":8.083731307186588,"games":1}
`,
		},
		"partners": {
			[]string{"--system=elo-many", "--set=start=1000"},
			`{"id":"1","sides":[["a"],["b","c"]],"ranks":[2,1]}`,
			`{"id":"1","player":"a","before":1000,"after":980,"expected":0.5,"k":40}
{"id":"1","player":"b","before":1000,"after":1020,"expected":0.5,"k":40}
{"id":"1","player":"c","before":1000,"after":1020,"expected":0.5,"k":40}
{"player":"a","rating":980,"games":1}
{"player":"b","rating":1020,"games":1}
{"player":"c","rating":1020,"games":1}
`,
		},
		"nothing": {[]string{"--system=elo"}, "", ""},
		"deviations": {
			[]string{"--system=glicko2", "--set=tau=0.5"},
			paper,
			`{"id":"1","player":"a","before":1500,"after":1563.5641943063383,"expected":0.6394677305521533}
{"id":"1","player":"b","before":1400,"after":1398.1435582337338,"expected":0.38083455299043123}
{"player":"a","rating":1563.5641943063383,"rd":175.402655938555,"volatility":0.059998657304847616,"games":1}
{"player":"b","rating":1398.1435582337338,"rd":31.670215281150625,"volatility":0.05999912372888531,"games":1}
`,
		},
	} {
		status, out, errs := compute(t, test.input, test.flags...)
		if status != 0 || errs != "" || out != test.want {
			t.Errorf("%s: status %d, %s\n%swant\n%s", name, status, errs, out, test.want)
		}
	}
}

func TestBadLinesOfCompute(t *testing.T) {
	const good = `{"player":"a"}` + "\n"
	for _, bad := range []string{
		`nonsense`, ``, `[]`, `{}`, `{"player":"a"}`, `{"player":"b","id":"1"}`, `{"player":"b","what":1}`,
		`{"player":"b"} {"player":"c"}`,
		`{"id":"1","sides":[["a"],["b"]],"ranks":[1]}`, `{"id":"1","sides":[["a"],["a"]],"ranks":[1,2]}`,
		`{"id":"1","sides":[["a"],["b"],["c"]],"ranks":[1,2,3]}`,
		`{"id":"1","sides":[["a"],[]],"ranks":[1,2]}`, `{"period":"2026-01"}`, `{"player":"b","games":-1}`,
		`{"player":"b","rating":"strong"}`,
	} {
		status, out, errs := compute(t, good+bad+"\n", "--system=elo")
		if status != 1 || !strings.Contains(errs, "line 2: ") || out != "" {
			t.Errorf("%s: status %d, %q, %q", bad, status, out, errs)
		}
	}
	for _, line := range []string{`{"player":"b","rd":0}`, `{"player":"b","volatility":0}`, `{"player":"b","rd":-1}`} {
		if status, _, errs := compute(t, good+line+"\n", "--system=glicko2"); status != 1 ||
			!strings.Contains(errs, "it is a number above 0") {
			t.Errorf("%s: status %d, %q", line, status, errs)
		}
	}
	for _, set := range []string{"k=0", "cap=0", "k=nan", "start=-1"} {
		if status, _, errs := compute(t, good, "--system=elo", "--set="+set); status != 2 ||
			!strings.Contains(errs, "it is a number from ") {
			t.Errorf("--set %s: status %d, %q", set, status, errs)
		}
	}
	if status, out, _ := compute(t, good, "--system=elo", "--set=start=0"); status != 0 ||
		out != `{"player":"a","rating":0,"games":0}`+"\n" {
		t.Errorf("--set start=0: status %d, %q", status, out)
	}
	for _, flags := range [][]string{
		{},
		{"--system=chess"},
		{"--system=elo", "--set=tau=1"},
		{"--system=elo", "--set=k=high"},
		{"--system=glicko2", "--set=tau=-1"},
	} {
		if status, _, errs := compute(t, "", flags...); status != 2 || errs == "" {
			t.Errorf("%q: status %d, %q", flags, status, errs)
		}
	}
}
