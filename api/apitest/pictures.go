package apitest

import (
	"image"
	"image/color"
	"regexp"
)

// ColorsOf returns the colours in a part of a picture, with the number of pixels that each covers.
func ColorsOf(img image.Image, part image.Rectangle) map[color.RGBA64]int {
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

// BoardWords finds the description of a drawn board.
var BoardWords = regexp.MustCompile(`(?s)<desc.*?</desc>`)
