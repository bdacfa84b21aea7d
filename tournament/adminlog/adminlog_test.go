package adminlog_test

import (
	"maps"
	"testing"

	"quatuor/tournament/adminlog"
)

func TestChangesAreWhatDiffers(t *testing.T) {
	type values = adminlog.Values
	for name, c := range map[string]struct{ before, after, was, is values }{
		"nothing was and nothing is":       {},
		"a new account":                    {nil, values{"login": "ann"}, nil, values{"login": "ann"}},
		"a deleted account":                {values{"login": "ann"}, nil, values{"login": "ann"}, nil},
		"equal values are left out":        {values{"role": "player", "login": "ann"}, values{"role": "admin", "login": "ann"}, values{"role": "player"}, values{"role": "admin"}},
		"a value that was added":           {values{"a": "1"}, values{"a": "1", "b": "2"}, values{}, values{"b": "2"}},
		"an empty value is none":           {values{"club": "", "a": "1"}, values{"club": "North", "a": ""}, values{"a": "1"}, values{"club": "North"}},
		"a value that moved to another":    {values{"a": "1"}, values{"b": "1"}, values{"a": "1"}, values{"b": "1"}},
		"empty before and missing now":     {values{"club": ""}, values{}, values{}, values{}},
		"the same value under other names": {values{"a": "1", "b": "1"}, values{"a": "1", "b": "2"}, values{"b": "1"}, values{"b": "2"}},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := maps.Clone(c.before), maps.Clone(c.after)
			was, is := adminlog.Changes(before, after)
			if !maps.Equal(was, c.was) || !maps.Equal(is, c.is) {
				t.Errorf("was %v, is %v; want %v and %v", was, is, c.was, c.is)
			}
			if !maps.Equal(before, c.before) || !maps.Equal(after, c.after) {
				t.Errorf("the states were changed to %v and %v", before, after)
			}
		})
	}
}

func TestValuesLeaveOutWhatIsEmpty(t *testing.T) {
	var none adminlog.Values
	if got := none.With("club", ""); got != nil {
		t.Errorf("an empty value makes %v", got)
	}
	got := none.With("rating", adminlog.Number(1650.5)).With("club", "").With("at", adminlog.Moment(1_700_000_000_000))
	want := adminlog.Values{"rating": "1650.5", "at": "2023-11-14T22:13:20Z"}
	if !maps.Equal(got, want) {
		t.Errorf("values %v, want %v", got, want)
	}
}

func TestAContextWithoutAnActorIsTheServices(t *testing.T) {
	ann := adminlog.Actor{Via: adminlog.ViaRequest, Account: "a1", Name: "ann", At: 7}
	for name, c := range map[string]struct{ put, want adminlog.Actor }{
		"an account's request": {ann, ann},
		"the zero actor":       {adminlog.Actor{}, adminlog.Actor{Via: adminlog.ViaService}},
		"a time alone":         {adminlog.Actor{At: 9}, adminlog.Actor{Via: adminlog.ViaService, At: 9}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := adminlog.From(adminlog.With(t.Context(), c.put)); got != c.want {
				t.Errorf("actor %+v, want %+v", got, c.want)
			}
		})
	}
	if got := adminlog.From(t.Context()); got.Via != adminlog.ViaService {
		t.Errorf("actor of an empty context: %+v", got)
	}
}
