package moves_test

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

	"quatuor/api/apitest"
	"quatuor/api/pages/kit"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// TestBoardsAreDrawnAsFiles: the pictures of every variant can be read, need no style sheet, and have the board's
// colours.
func TestBoardsAreDrawnAsFiles(t *testing.T) {
	f := apitest.NewFurnished(t)
	if testing.Short() {
		t.Skip("draws some forty pictures")
	}
	for _, variant := range catalog.IDs() {
		id := apitest.NameOf(variant) + "-over"
		for _, query := range []string{"", "?ply=4", "?ply=4&flip=1"} {
			drawing := f.Page("/games/"+id+"/board.svg"+query, "")
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
			img, err := png.Decode(strings.NewReader(f.Page("/games/"+id+"/board.png"+query, "")))
			if err != nil || img.Bounds().Size() != image.Pt(kit.PictureWidth, kit.PictureHeight) {
				t.Fatalf("%s%s: %v", id, query, err)
			}
			seen := apitest.ColorsOf(img, image.Rect(0, 0, kit.PictureHeight, kit.PictureHeight)) // the board's half
			maps.DeleteFunc(seen, func(_ color.RGBA64, pixels int) bool { return pixels <= 20 })
			if len(seen) < 8 {
				t.Errorf("%s%s: the picture has %d colours", id, query, len(seen))
			}
		}
		if first := f.Page("/games/"+id+"/board.png?ply=0", ""); first == f.Page("/games/"+id+"/board.png", "") {
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

// TestPicturesShowWhatSpectatorsSee: whatever the visitor's rights and the address.
func TestPicturesShowWhatSpectatorsSee(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Open(table.NewGame{ID: "late", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Delay: table.Delay{Ms: 60_000}})
	f.Open(table.NewGame{ID: "sealed", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
	f.Pass(61 * time.Second)
	before := f.Get("/games/late/board.svg", "")
	f.Move(f.Move(f.Game("late"), 1, "c1-c5"), 2, "a1-e1")
	for _, as := range []string{"", "p1", "p3"} {
		now := f.Get("/games/late/board.svg", as)
		if !bytes.Equal(now.Raw, before.Raw) || now.Header.Get("ETag") != before.Header.Get("ETag") {
			t.Errorf("%q sees more than spectators", as)
		}
		for _, kind := range []string{"svg", "png"} {
			f.Get("/games/late/board."+kind+"?ply=1", as).Want(t, http.StatusNotFound)
		}
	}
	f.Get("/games/late", "p1").Want(t, http.StatusOK).Lacks(t, "board.png") // a player is ahead of it
	f.Get("/games/late", "").Want(t, http.StatusOK).Has(t, "board.png")
	f.Play("sealed", 1)
	if one, own := f.Page("/games/sealed/board.svg", ""), f.Page("/games/sealed/board.svg", "p1"); one != own ||
		tileName.MatchString(apitest.BoardWords.FindString(own)) {
		t.Error("a picture shows a hand")
	}
	f.Ended("sealed")
	if !tileName.MatchString(apitest.BoardWords.FindString(f.Page("/games/sealed/board.svg?ply=0", ""))) {
		t.Error("hands are hidden after the game")
	}
}
