package tournaments

import "testing"

func TestMark(t *testing.T) {
	html := mark(`<tr data-n="1 12"><td>1</td></tr><tr data-n="2"></tr><tr data-n="12">`, []int{12})
	want := `<tr class="me" data-n="1 12"><td>1</td></tr><tr data-n="2"></tr><tr class="me" data-n="12">`
	if string(html) != want {
		t.Errorf("%s", html)
	}
	if html := mark(`<tr data-n="`, []int{1}); html != `<tr data-n="` {
		t.Errorf("%s", html)
	}
}
