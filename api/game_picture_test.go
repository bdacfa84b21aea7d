package api_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"quatuor/api/pages/kit"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// testBoardsAreDrawnAsFiles: the pictures of every variant can be read, need no style sheet, and have the board's
// colours.
func testBoardsAreDrawnAsFiles(t *testing.T, f *fixture) {
	if testing.Short() {
		t.Skip("draws some forty pictures")
	}
	for _, variant := range catalog.IDs() {
		id := nameOf(variant) + "-over"
		for _, query := range []string{"", "?ply=4", "?ply=4&flip=1"} {
			drawing := f.page("/games/"+id+"/board.svg"+query, "")
			if err := readXML(drawing); err != nil {
				t.Errorf("%s%s: %v", id, query, err)
			}
			for _, bad := range []string{"class=", "var(", "style"} {
				if strings.Contains(drawing, bad) {
					t.Errorf("%s%s has %s", id, query, bad)
				}
			}
			if colors := regexp.MustCompile(`(fill|stroke)="#[0-9a-f]{6}"`).FindAllString(drawing, -1); len(colors) < 20 {
				t.Errorf("%s%s has %d coloured elements", id, query, len(colors))
			}
			img, err := png.Decode(strings.NewReader(f.page("/games/"+id+"/board.png"+query, "")))
			if err != nil || img.Bounds().Size() != image.Pt(kit.PictureWidth, kit.PictureHeight) {
				t.Fatalf("%s%s: %v", id, query, err)
			}
			seen := colorsOf(img, image.Rect(0, 0, kit.PictureHeight, kit.PictureHeight)) // the board's half
			maps.DeleteFunc(seen, func(_ color.RGBA64, pixels int) bool { return pixels <= 20 })
			if len(seen) < 8 {
				t.Errorf("%s%s: the picture has %d colours", id, query, len(seen))
			}
		}
		if first := f.page("/games/"+id+"/board.png?ply=0", ""); first == f.page("/games/"+id+"/board.png", "") {
			t.Errorf("%s: the first picture is the last", id)
		}
	}
}

func readXML(text string) error {
	for tokens := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := tokens.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// colorsOf returns the colours in a part of a picture, with the number of pixels that each covers.
func colorsOf(img image.Image, part image.Rectangle) map[color.RGBA64]int {
	pixels, count := img.(image.RGBA64Image), map[color.RGBA64]int{}
	last, run := pixels.RGBA64At(part.Min.X, part.Min.Y), 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if at := pixels.RGBA64At(x, y); at != last {
				count[last] += run
				last, run = at, 0
			}
			run++
		}
	}
	count[last] += run
	return count
}

// TestPicturesShowWhatSpectatorsSee: whatever the visitor's rights and the address.
func TestPicturesShowWhatSpectatorsSee(t *testing.T) {
	f := newFixture(t)
	f.open(table.NewGame{ID: "late", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Delay: table.Delay{Ms: 60_000}})
	f.open(table.NewGame{ID: "sealed", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
	f.pass(61 * time.Second)
	before := f.get("/games/late/board.svg", "")
	f.move(f.move(f.game("late"), 1, "c1-c5"), 2, "a1-e1")
	for _, as := range []string{"", "p1", "p3"} {
		now := f.get("/games/late/board.svg", as)
		if !bytes.Equal(now.raw, before.raw) || now.header.Get("ETag") != before.header.Get("ETag") {
			t.Errorf("%q sees more than spectators", as)
		}
		for _, kind := range []string{"svg", "png"} {
			f.get("/games/late/board."+kind+"?ply=1", as).want(t, http.StatusNotFound)
		}
	}
	f.get("/games/late", "p1").want(t, http.StatusOK).lacks(t, "board.png") // a player is ahead of it
	f.get("/games/late", "").want(t, http.StatusOK).has(t, "board.png")
	f.play("sealed", 1)
	if one, own := f.page("/games/sealed/board.svg", ""), f.page("/games/sealed/board.svg", "p1"); one != own ||
		tileName.MatchString(boardWords.FindString(own)) {
		t.Error("a picture shows a hand")
	}
	f.ended("sealed")
	if !tileName.MatchString(boardWords.FindString(f.page("/games/sealed/board.svg?ply=0", ""))) {
		t.Error("hands are hidden after the game")
	}
}
