package clock

import "testing"

func TestClass(t *testing.T) {
	tests := []struct{ control, want string }{
		{"179.999", Bullet},
		{"180", Blitz},
		{"60+2", Blitz},      // 60 + 120
		{"60+1.999", Bullet}, // 60 + 119.94
		{"300+3", Blitz},
		{"600", Blitz},
		{"600.001", Rapid},
		{"300d5.001", Rapid},
		{"0+10", Blitz},
		{"300b5", Blitz},
		{"600y5x30", Rapid}, // 600 + 150
		{"3599.999", Rapid},
		{"3600", Classical},
		{"40/5400+30:1800+30", Classical},
		{"10/60+6:60", Blitz},           // 60 + 10·6 + 60 = 180
		{"10/60+5:60", Bullet},          // 60 + 10·5 + 60 = 170
		{"60/100:604800", Bullet},       // the second stage begins only after 60 plies
		{"59/100:604800", Classical},    // here it begins within them
		{"10/60y3x10:100y1x0.5", Blitz}, // 60 + 30 + 100 + 0.5
		{"604800+86400", Classical},
		{"1days", Correspondence},
		{"none", Untimed},
	}
	for _, tt := range tests {
		c, err := Parse(tt.control)
		if err != nil {
			t.Fatal(err)
		}
		if got := Class(c); got != tt.want {
			t.Errorf("Class(%s) = %s, want %s", tt.control, got, tt.want)
		}
	}
}

func TestClassOfHandicapGoesByTheSlowest(t *testing.T) {
	bullet, rapid, days, none := mustParse(t, "60"), mustParse(t, "900"), mustParse(t, "3days"), Control{}
	tests := []struct {
		controls []Control
		want     string
	}{
		{[]Control{bullet, rapid}, Rapid},
		{[]Control{rapid, bullet}, Rapid},
		{[]Control{bullet, days}, Correspondence},
		{[]Control{days, none}, Untimed},
		{nil, Untimed},
	}
	for _, tt := range tests {
		if got := Class(tt.controls...); got != tt.want {
			t.Errorf("Class(%v) = %s, want %s", tt.controls, got, tt.want)
		}
	}
}

func mustParse(t testing.TB, text string) Control {
	t.Helper()
	c, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
