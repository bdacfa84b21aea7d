package paper

import "testing"

func TestRelative(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{"index.html", "static/page.css", "static/page.css"},
		{"tournaments/a/index.html", "static/page.css", "../../static/page.css"},
		{"tournaments/a/index.html", "tournaments/a/index_tab-info.html", "index_tab-info.html"},
		{"tournaments/a/players/1.html", "tournaments/a/index.html", "../../../tournaments/a/index.html"},
		{"games/g.html", "index.html", "../index.html"},
	} {
		if got := relative(test.from, test.to); got != test.want {
			t.Errorf("from %s to %s: %s, want %s", test.from, test.to, got, test.want)
		}
	}
}
