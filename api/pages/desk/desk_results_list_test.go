package desk_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// listFields are the fields of the form about a list of results.
func listFields(list string, more ...string) url.Values {
	fields := url.Values{"list": {list}}
	for i := 0; i < len(more); i += 2 {
		fields.Set(more[i], more[i+1])
	}
	return fields
}

// TestResultsFromAList: nothing is stored before the arbiter has seen it; the list is entered as a single act, and
// boards changed in between are not overwritten.
func TestResultsFromAList(t *testing.T) {
	d := newRounds(t, 8)
	d.draw(t, 1)
	d.publish(t)
	to := d.to("results/1/list")
	list := "Brett;Weiß;Schwarz;Ergebnis\n1;A;E;1:0\n2;B;F;½ – ½\n3;C;G;\n4;D;H;+:-\n9;X;Y;1-0\n1;A;E;0-1\n2;B;F;x\n"
	page := d.arno.PostForm(to, listFields(list)).Want(t, http.StatusOK).Says(t, "Results of a list, round 1",
		"Boards are read from column 1, results from column 4", "3 lines are left out",
		"line 6: there is no board \"9\" left in round 1", "Enter 3 results").Lacks(t, "Reason for the corrections")
	results := func() (out []string) {
		round := d.stored(t, 1)
		for i := range 4 {
			out = append(out, round.Text("pairings", i, "result"))
		}
		return out
	}
	if got := strings.Join(results(), ""); got != "" {
		t.Fatalf("%s was entered before it was seen", got)
	}
	tags := d.tags(t, 1)
	enter := listFields(page.HiddenField(t, "list"), "do", "enter", "seen-1", tags["1"], "seen-2", tags["2"], "seen-4",
		tags["4"])
	d.s.Register("eve").PostForm(to, enter).Want(t, http.StatusForbidden)
	d.s.Anonymous().PostForm(to, enter).Want(t, http.StatusSeeOther)
	d.result(d.olga, 1, 4, url.Values{"result": {"0-1"}, "seen": {tags["4"]}}).Want(t, http.StatusOK)
	d.arno.PostForm(to, enter).Want(t, http.StatusUnprocessableEntity).Says(t, "say why") // the board has a result by now
	enter.Set("reason", "slips")
	d.arno.PostForm(to, enter).Want(t, http.StatusUnprocessableEntity).Says(t, "at board 4:")
	enter.Set("seen-4", d.tags(t, 1)["4"])
	d.arno.PostForm(to, enter).Want(t, http.StatusSeeOther)
	if got := results(); !slices.Equal(got, []string{"1-0", "1/2-1/2", "", "+--"}) {
		t.Errorf("the results are %q", got)
	}
	d.arno.PostForm(to, enter).Want(t, http.StatusUnprocessableEntity).Says(t, "there is no new result in the list")
	page = d.arno.PostForm(to, listFields("1\t1-0\n2\t=\n4\t--\n")).Want(t, http.StatusOK).
		Says(t, "2 results stand already",
			"Enter 1 result", "Reason for the corrections")
	d.arno.PostForm(to, listFields(page.HiddenField(t, "list"), "do", "enter", "seen-4", d.tags(t, 1)["4"])).
		Want(t, http.StatusUnprocessableEntity).Says(t, "say why")
}

// TestListsOfResultsThatAreRefused checks that each refusal suggests the correction.
func TestListsOfResultsThatAreRefused(t *testing.T) {
	d := newRounds(t, 8)
	d.draw(t, 1)
	d.publish(t)
	for list, says := range map[string]string{
		"": "paste a list", "Anna;Bert\nx;y\n": "call two columns Board and Result", "Board\n1\n": "call two columns",
		"board;result\n": "There is nothing to enter", "1;1-0\x00": "no text", strings.Repeat("1;", 70): "columns",
		"<a><b>": "no XML", "1;" + strings.Repeat("9", 900): "is not a result",
	} {
		a := d.arno.PostForm(d.to("results/1/list"), listFields(list))
		if a.Says(t, says); a.Status != http.StatusUnprocessableEntity && a.Status != http.StatusOK {
			t.Errorf("%.20q: %d", list, a.Status)
		}
	}
	d.arno.PostForm(d.to("results/2/list"), listFields("1;1-0")).Want(t, http.StatusNotFound)
	d.arno.PostForm(d.to("results/x/list"), listFields("1;1-0")).Want(t, http.StatusNotFound)
}
