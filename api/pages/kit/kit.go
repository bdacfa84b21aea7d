// Package kit is the foundation of all pages: templates and translations, response headers, live updates, and forms
// with their error messages.
package kit

import (
	"context"
	"html/template"
	"log/slog"
	"maps"
	"time"

	"quatuor/api/command"
	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/message"
	"quatuor/api/pages/ports"
	"quatuor/api/settings"
	"quatuor/api/stream"
)

// Config holds the dependencies of the pages.
type Config struct {
	ports.Ports
	Commands *command.Service // without Guard, only to read series
	Hub      *stream.Hub

	Club func(context.Context) settings.Current // the settings in force

	Now    func() time.Time
	Logger *slog.Logger
	Logo   *Logo // of the club; nil for none
	Design bool  // the page /design is served
}

// Kit renders and serves the pages of an installation.
type Kit struct {
	Config
	Texts     *message.Catalogue
	Assets    Assets
	languages languages
	targets   map[string]command.Target // of forms, by route

	pages      map[string]livePage // by route
	renderings chan struct{}       // pages that are rendered again now
	kept       *ttlcache.Cache[keptKey, keptPart]
}

// New returns a kit. The functions are added to its template functions. It panics on an error in an embedded text,
// which is a bug.
func New(d Config, functions ...func(*message.Printer) template.FuncMap) *Kit {
	k := &Kit{
		Config: d, Texts: message.Load(), Assets: loadAssets(), targets: map[string]command.Target{},
		pages: map[string]livePage{}, renderings: make(chan struct{}, maxRenderings()),
	}
	k.kept = newKept(k)
	k.languages = newLanguages(k.Texts, func(in *message.Printer) template.FuncMap {
		all := k.functions(in)
		for _, more := range functions {
			maps.Copy(all, more(in))
		}
		return all
	})
	return k
}

// PageLength is the number of rows on a page of a list.
const PageLength = 50

// Limits of the caches of rendered tournament pages: a large page is slow to render, and all visitors see the same.
const (
	RenderedMax  = 128
	RenderedLife = time.Hour
	ShownMax     = 256
)
