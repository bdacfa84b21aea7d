package main

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/cmd/quatuor/crashtest"
)

// TestLogIsWrittenInTime logs lines and looks for them in what was written: after a moment, with a warning, when there
// are many, and at the end.
func TestLogIsWrittenInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out crashtest.Buffer
		logger, flush := logging{LogLevel: "info"}.logger(streams{Err: &out})
		wrote := func(when string, lines int) {
			t.Helper()
			synctest.Wait()
			if got := strings.Count(out.String(), "\n"); got != lines {
				t.Errorf("%s: %d lines are written, want %d:\n%s", when, got, lines, out.String())
			}
		}
		logger.Info("first")
		logger.Debug("dropped")
		time.Sleep(logDelay - time.Nanosecond)
		wrote("before its time", 0)
		time.Sleep(time.Nanosecond)
		wrote("after its time", 1)
		logger.With("of", "the second").Info("second")
		logger.WithGroup("g").Warn("third", "k", "v")
		wrote("with a warning", 3)
		logger.Info("fourth")
		time.Sleep(logDelay / 2)
		logger.Info("fifth")
		time.Sleep(logDelay / 2)
		wrote("when the earliest has waited", 5)
		logger.Info(strings.Repeat("x", logSize))
		wrote("with too many bytes", 6)
		logger.Info("last")
		flush()
		wrote("at the end", 7)
		time.Sleep(2 * logDelay)
		wrote("later", 7)
	})
}

// TestLogHasItsFormat logs with each format and level.
func TestLogHasItsFormat(t *testing.T) {
	for _, tt := range []struct {
		logging
		want string
	}{
		{logging{LogLevel: "warn", LogFormat: "text"}, `level=WARN msg=b`},
		{logging{LogLevel: "warn", LogFormat: "json"}, `"level":"WARN","msg":"b"`},
	} {
		var out crashtest.Buffer
		logger, flush := tt.logger(streams{Err: &out})
		logger.Log(t.Context(), slog.LevelInfo, "a")
		logger.Log(t.Context(), slog.LevelWarn, "b")
		flush()
		if got := out.String(); !strings.Contains(got, tt.want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%+v: %s", tt.logging, got)
		}
	}
}
