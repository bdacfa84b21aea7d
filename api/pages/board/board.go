// Package board puts the drawings of games' faces on pages, and into files and pictures of their own.
package board

import (
	"html/template"

	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/face"
)

// Picture is the presentation of a drawing.
type Picture struct {
	ID    string           // prefix of ids inside the SVG, unique on the page
	Title string           // title of the picture
	In    *message.Printer // of the description
	Turn  int              // quarter turns: the board as seen from 0 south, 1 west, 2 north, 3 east
}

// Draw returns the SVG of a projection.
func Draw(p engine.Projection, pic Picture) template.HTML {
	svg := face.Draw(catalog.FaceOf(p.Variant), p, Words(pic.In), pic.Turn, pic.ID, pic.Title)
	return template.HTML(svg) // every text in it went through the canvas, which escapes
}

// Words returns the texts of boards in a language. All are there: a test draws every game in every language.
func Words(in *message.Printer) face.Words {
	return func(name string, args ...any) string { return in.TextOr("", "board."+name, args...) }
}
