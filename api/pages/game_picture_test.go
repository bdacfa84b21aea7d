package pages

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/api/pages/kit"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// TestBoardsAreDrawnAsFiles: the pictures of every variant can be read, need no style sheet, and have the board's
// colours.
func TestBoardsAreDrawnAsFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("draws some forty pictures")
	}
	w := newTown(t)
	for _, rules := range catalog.All() {
		info := rules.Info()
		id := nameOf(info.ID)
		w.open(table.NewGame{ID: id, Variant: info.ID, Players: w.some(0, slices.Max(info.Seats))})
		s := w.ended(id)
		for _, query := range []string{"", "?ply=4", "?ply=4&flip=1"} {
			drawing := w.page("/games/"+id+"/board.svg"+query, "")
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
			img, err := png.Decode(strings.NewReader(w.page("/games/"+id+"/board.png"+query, "")))
			if err != nil || img.Bounds().Size() != image.Pt(kit.PictureWidth, kit.PictureHeight) {
				t.Fatalf("%s%s: %v", id, query, err)
			}
			if seen := colorsOf(img); seen < 8 {
				t.Errorf("%s%s: the picture has %d colours", id, query, seen)
			}
		}
		first, last := w.get("/games/"+id+"/board.png?ply=0", ""), w.get("/games/"+id+"/board.png", "")
		if bytes.Equal(first.Body.Bytes(), last.Body.Bytes()) {
			t.Errorf("%s: %d plies, and the picture is the same", id, s.Game.Plies)
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

// colorsOf counts the colours of the board's half that cover some area.
func colorsOf(img image.Image) (n int) {
	count := map[color.Color]int{}
	for y := range kit.PictureHeight {
		for x := range kit.PictureHeight {
			count[img.At(x, y)]++
		}
	}
	for _, pixels := range count {
		if pixels > 20 {
			n++
		}
	}
	return n
}

// TestPicturesShowWhatSpectatorsSee: whatever the visitor's rights and the address.
func TestPicturesShowWhatSpectatorsSee(t *testing.T) {
	w := newTown(t)
	w.open(table.NewGame{ID: "late", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Delay: table.Delay{Ms: 60_000}})
	w.open(table.NewGame{ID: "sealed", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
	w.pass(61 * time.Second)
	before := w.get("/games/late/board.svg", "")
	for i, token := range []string{"c1-c5", "a1-e1"} {
		if _, err := w.move("late", engine.Seat(i+1), token); err != nil {
			t.Fatal(err)
		}
	}
	for _, as := range []string{"", "p1", "p3"} {
		now := w.get("/games/late/board.svg", as)
		if now.Body.String() != before.Body.String() || now.Header().Get("ETag") != before.Header().Get("ETag") {
			t.Errorf("%q sees more than spectators", as)
		}
		for _, kind := range []string{"svg", "png"} {
			if code := w.get("/games/late/board."+kind+"?ply=1", as).Code; code != http.StatusNotFound {
				t.Errorf("%q is sent ply 1 as %s: %d", as, kind, code)
			}
		}
	}
	if strings.Contains(w.page("/games/late", "p1"), "board.png") ||
		!strings.Contains(w.page("/games/late", ""), "board.png") {
		t.Error("pictures are offered to who is ahead of them, or not to who is not")
	}
	w.play("sealed", 1)
	if one, own := w.page("/games/sealed/board.svg", ""), w.page("/games/sealed/board.svg", "p1"); one != own ||
		tileName.MatchString(boardWords.FindString(own)) {
		t.Error("a picture shows a hand")
	}
	w.ended("sealed")
	if !tileName.MatchString(boardWords.FindString(w.page("/games/sealed/board.svg?ply=0", ""))) {
		t.Error("hands are hidden after the game")
	}
}
