package app

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"quatuor/store"
)

// release and commit are the stamps of a release: -ldflags "-X quatuor/cmd/quatuor/app.release=v1.2.3".
var release, commit string

// Build identifies the program's build.
type Build struct {
	Version  string `json:"version"` // of the release; else the module's, or the commit
	Commit   string `json:"commit"`  // "unknown" where the build knew none
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	SQLite   string `json:"sqlite"`
	Library  string `json:"sqlite_library"` // C, or Go: SQLite translated to it
	Platform string `json:"platform"`       // operating system and processor
}

// CurrentBuild returns the versions and the commit of this program's build.
func CurrentBuild() Build {
	b := Build{
		Version: Version(), Commit: cmp.Or(commit, "unknown"), Go: runtime.Version(), SQLite: store.SQLiteVersion(),
		Library: store.SQLiteLibrary, Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || commit != "" {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// Version names the build: the release, the module's version, or the commit it was made from.
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && info.Main.Version == "(devel)" {
			return fmt.Sprintf("devel-%.12s", s.Value)
		}
	}
	return info.Main.Version
}
