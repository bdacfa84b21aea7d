package quiwin

import (
	"testing"

	"quatuor/engine"
)

func BenchmarkApply(b *testing.B) {
	for name, tc := range map[string]struct{ record, token string }{
		"first tile":  {"", "1:o25"},
		"second tile": {"1:o25", "2:g22"},
		"change":      {"1:o25 2:g22 2:none", "1:change"},
		"drawn":       {"1:o25 2:g22 2:change", "1:change"},
		"give":        {"1:o25 2:g22 2:none 1:transfer", "2:give-1"},
	} {
		b.Run(name, func(b *testing.B) {
			s, _ := play(b, parse(b, even), tc.record)
			e, err := engine.ParseToken(Variants()[0].Info(), seats, tc.token)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Apply(e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkView(b *testing.B) {
	s, _ := play(b, parse(b, even), "1:o25 2:g22 1:none 2:none 1:r24 2:o23")
	b.ReportAllocs()
	for b.Loop() {
		_ = s.View(engine.ViewerOf(1))
	}
}

func BenchmarkRedact(b *testing.B) {
	s, log := play(b, parse(b, even), "1:o25 2:g22 1:none 2:none 1:r24 2:o23")
	b.ReportAllocs()
	for b.Loop() {
		_ = s.Redact(engine.ViewerOf(1), log)
	}
}

func BenchmarkPosition(b *testing.B) {
	s := parse(b, even)
	b.ReportAllocs()
	for b.Loop() {
		_ = s.Position()
	}
}
