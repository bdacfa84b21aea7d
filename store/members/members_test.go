package members

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// list is a generator of living instances.
func list(most int) *rapid.Generator[[]Beat] {
	return rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) Beat {
		return Beat{Member: Member{Instance: rapid.StringMatching("[0-9a-f]{1,8}").Draw(t, "instance"), Epoch: 1}, SeenAt: 1}
	}), 1, most, func(b Beat) string { return b.Instance })
}

func owners(m *Members, keys int) []string {
	out := make([]string, keys)
	for i := range out {
		owner, _ := m.Owner(fmt.Sprint("game ", i))
		out[i] = owner.Instance
	}
	return out
}

// TestOneChangesOnlyItsKeys adds or takes away an instance: only the keys that it gets or had change their owner. In
// whatever order an instance has the list, it comes to the same.
func TestOneChangesOnlyItsKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		beats := list(8).Draw(t, "living")
		one, other := New(Member{Instance: beats[0].Instance}), New(Member{Instance: "other"})
		one.Heard(beats)
		with := owners(one, 200)
		other.Heard(rapid.Permutation(beats).Draw(t, "order"))
		if got := owners(other, 200); !slices.Equal(got, with) {
			t.Fatalf("another instance has %v, want %v", got, with)
		}
		gone := rapid.IntRange(0, len(beats)-1).Draw(t, "gone")
		name := beats[gone].Instance
		one.Heard(slices.Delete(slices.Clone(beats), gone, gone+1))
		for i, owner := range owners(one, 200) {
			if owner != with[i] && with[i] != name || owner == name {
				t.Fatalf("key %d went from %s to %s when %s went", i, with[i], owner, name)
			}
		}
	})
}

// TestKeysAreSpreadEvenly has each of ten instances own its tenth of 100,000 keys, within 3 %: three standard
// deviations.
func TestKeysAreSpreadEvenly(t *testing.T) {
	const keys, instances = 100_000, 10
	var beats []Beat
	for i := range instances {
		beats = append(beats, Beat{Member: Member{Instance: fmt.Sprintf("0190a1b2-%04d", i)}})
	}
	m := New(beats[0].Member)
	m.Heard(beats)
	count := map[string]int{}
	for _, owner := range owners(m, keys) {
		count[owner]++
	}
	for _, b := range beats {
		if n := count[b.Instance]; n < keys/instances*97/100 || n > keys/instances*103/100 {
			t.Errorf("%s owns %d of %d", b.Instance, n, keys)
		}
	}
}

func TestMine(t *testing.T) {
	self, two := Beat{Member{"one", "http://one", 7}, 100}, Beat{Member{"two", "", 8}, 100}
	m := New(Member{Instance: "one", Address: "http://one"})
	told := 0
	m.Observe(func() { told++ })
	if _, known := m.Owner("g"); known || !m.Mine("g") || !m.Alone() ||
		!slices.Equal(m.All(), []Member{{"one", "http://one", 0}}) {
		t.Error("of none that is known one is")
	}
	m.Heard([]Beat{self, two})
	m.Heard([]Beat{two, self})
	if told != 1 || m.Alone() || m.Self() != self.Member || !slices.Equal(m.All(), []Member{self.Member, two.Member}) {
		t.Errorf("told %d times of %v", told, m.All())
	}
	mine := 0
	for i := range 100 {
		key := fmt.Sprint(i)
		owner, _ := m.Owner(key)
		if m.Mine(key) != (owner == self.Member) {
			t.Errorf("%s is owned by %v", key, owner)
		}
		if m.Mine(key) {
			mine++
		}
	}
	if mine < 20 || mine > 80 {
		t.Errorf("%d of 100 are mine", mine)
	}
	alone := Alone(Member{Instance: "x"})
	alone.Heard(nil)
	if owner, known := alone.Owner("g"); !known || owner.Instance != "x" || !alone.Mine("g") || !alone.Alone() {
		t.Error("one alone does not own all")
	}
}

// TestSuspect takes an instance for gone until a heartbeat comes that is later than the known heartbeat.
func TestSuspect(t *testing.T) {
	self, two := Beat{Member{"one", "", 7}, 100}, Beat{Member{"two", "", 8}, 100}
	m := New(self.Member)
	m.Heard([]Beat{self, two})
	told := 0
	m.Observe(func() { told++ })
	m.Suspect("one") // of itself it knows better
	m.Suspect("unknown")
	if told != 0 || m.Alone() {
		t.Error("suspected the wrong one")
	}
	m.Suspect("two")
	m.Heard([]Beat{self, two}) // the heartbeat from before
	if told != 1 || !m.Alone() || !m.Mine("anything") || m.Gone("two") {
		t.Errorf("told %d times, %v live", told, m.All())
	}
	two.SeenAt++
	m.Heard([]Beat{self, two})
	if told != 2 || m.Alone() {
		t.Errorf("told %d times, %v live", told, m.All())
	}
	m.Suspect("two")
	m.Heard([]Beat{self})
	if !m.Gone("two") || m.Gone("one") {
		t.Error("one without a heartbeat is not gone")
	}
	m.Heard([]Beat{self, two}) // it was gone in between
	if m.Alone() {
		t.Error("one that came back is still suspected")
	}
}

// TestLeave leaves what this process owns to the others; where there are none it stays its own.
func TestLeave(t *testing.T) {
	self, two := Beat{Member{"one", "", 7}, 100}, Beat{Member{"two", "", 8}, 100}
	m := New(self.Member)
	m.Heard([]Beat{self, two})
	m.Leave()
	for i := range 20 {
		if owner, _ := m.Owner(fmt.Sprint(i)); owner != two.Member || m.Mine(fmt.Sprint(i)) {
			t.Errorf("%d is owned by %v", i, owner)
		}
	}
	m.Heard([]Beat{self})
	if _, known := m.Owner("g"); known || !m.Mine("g") {
		t.Error("the last one leaves its games to none")
	}
}

func BenchmarkMine(b *testing.B) {
	m := New(Member{Instance: "1"})
	m.Heard([]Beat{{Member: Member{Instance: "1"}}, {Member: Member{Instance: "2"}}, {Member: Member{Instance: "3"}}})
	for b.Loop() {
		m.Mine("01890000-0000-7000-8000-000000000001")
	}
}
