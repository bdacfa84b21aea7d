package board

import (
	"fmt"
	"html/template"
	"image"
	"image/color"
	imagedraw "image/draw"
	"math"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Draw draws a drawing into a rectangle of an image, as large as it fits. fonts are the regular and the bold font.
func (p *Paint) Draw(svg template.HTML, to *image.RGBA, at image.Rectangle, fonts [2]*opentype.Font) error {
	list, err := p.elements(svg)
	if err != nil || len(list) == 0 {
		return fmt.Errorf("board: no drawing: %w", err)
	}
	x, y, width, height, err := boxOf(list[0])
	if err != nil {
		return err
	}
	scale := min(float64(at.Dx())/width, float64(at.Dy())/height)
	r := raster{
		to: to, scale: scale, fonts: fonts,
		x: float64(at.Min.X) + (float64(at.Dx())-scale*width)/2 - scale*x,
		y: float64(at.Min.Y) + (float64(at.Dy())-scale*height)/2 - scale*y,
	}
	for _, e := range list[1:] {
		if err := r.draw(e); err != nil {
			return err
		}
	}
	return nil
}

// raster draws elements into an image.
type raster struct {
	to          *image.RGBA
	x, y, scale float64 // of the drawing in the image
	fonts       [2]*opentype.Font
	pen         vector.Rasterizer // reused for every shape
}

// point is a point of a drawing.
type point struct{ x, y float64 }

// stroke is a line of points.
type stroke struct {
	points []point
	closed bool
}

func (r *raster) draw(e element) error {
	var lines []stroke
	switch e.name {
	case "rect":
		lines = []stroke{rounded(e.number("x"), e.number("y"), e.number("width"), e.number("height"), e.number("rx"))}
	case "circle":
		n := e.number("r")
		lines = []stroke{rounded(e.number("cx")-n, e.number("cy")-n, 2*n, 2*n, n)}
	case "path":
		lines = readPath(e.attrs["d"])
	case "text":
		return r.text(e)
	default:
		return nil // title and desc
	}
	if ink, ok := inkOf(e.attrs["fill"], "#000000"); ok {
		var shape area
		for _, line := range lines {
			r.polygon(&shape, line.points)
		}
		r.fill(&shape, ink)
	}
	if ink, ok := inkOf(e.attrs["stroke"], ""); ok {
		var shape area
		half := max(e.number("stroke-width"), 0.1) / 2
		if e.attrs["stroke-width"] == "" {
			half = 0.5
		}
		for _, line := range lines {
			for _, dash := range dashed(line, e.attrs["stroke-dasharray"]) {
				r.thick(&shape, dash, half, e.attrs["stroke-linecap"] == "round")
			}
		}
		r.fill(&shape, faint(ink, e.attrs["opacity"]))
	}
	return nil
}

// faint returns a colour with an opacity from "0" to "1"; "" is 1.
func faint(ink color.RGBA, opacity string) color.Color {
	part := 1.0
	if _, err := fmt.Sscanf(opacity, "%g", &part); err != nil {
		return ink
	}
	return color.NRGBA{R: ink.R, G: ink.G, B: ink.B, A: uint8(255 * min(max(part, 0), 1))}
}

// area is the union of polygons, in pixels of the image.
type area struct{ polygons [][]point }

// box returns the pixels that an area may touch.
func (a *area) box() image.Rectangle {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, polygon := range a.polygons {
		for _, at := range polygon {
			low = point{min(low.x, at.x), min(low.y, at.y)}
			high = point{max(high.x, at.x), max(high.y, at.y)}
		}
	}
	if low.x > high.x {
		return image.Rectangle{}
	}
	return image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x)), int(math.Ceil(high.y)))
}

// fill colours an area. Only the pixels around it are looked at: a board has hundreds of small shapes.
func (r *raster) fill(shape *area, ink color.Color) {
	box := shape.box().Intersect(r.to.Bounds())
	if box.Empty() {
		return
	}
	r.pen.Reset(box.Dx(), box.Dy())
	r.pen.DrawOp = imagedraw.Over
	for _, polygon := range shape.polygons {
		for i, at := range polygon {
			x, y := float32(at.x-float64(box.Min.X)), float32(at.y-float64(box.Min.Y))
			if i == 0 {
				r.pen.MoveTo(x, y)
			} else {
				r.pen.LineTo(x, y)
			}
		}
		r.pen.ClosePath()
	}
	r.pen.Draw(r.to, box, image.NewUniform(ink), image.Point{})
}

// polygon adds a polygon to an area, always the same way round, so that overlapping polygons count as a single area.
func (r *raster) polygon(shape *area, points []point) {
	if len(points) < 3 {
		return
	}
	turn := 0.0
	for i, a := range points {
		b := points[(i+1)%len(points)]
		turn += a.x*b.y - b.x*a.y
	}
	pixels := make([]point, len(points))
	for i, at := range points {
		if turn < 0 {
			at = points[len(points)-1-i]
		}
		pixels[i] = point{r.x + r.scale*at.x, r.y + r.scale*at.y}
	}
	shape.polygons = append(shape.polygons, pixels)
}

// thick adds a line of some thickness to an area. Its corners are round.
func (r *raster) thick(shape *area, line stroke, half float64, round bool) {
	points := line.points
	if line.closed && len(points) > 0 {
		points = append(points[:len(points):len(points)], points[0])
	}
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		if length == 0 {
			continue
		}
		dx, dy := (b.y-a.y)/length*half, (a.x-b.x)/length*half
		r.polygon(shape, []point{{a.x + dx, a.y + dy}, {b.x + dx, b.y + dy}, {b.x - dx, b.y - dy}, {a.x - dx, a.y - dy}})
		if round || line.closed || i > 1 {
			r.polygon(shape, rounded(a.x-half, a.y-half, 2*half, 2*half, half).points)
		}
		if round && i == len(points)-1 {
			r.polygon(shape, rounded(b.x-half, b.y-half, 2*half, 2*half, half).points)
		}
	}
}

// text writes a text centred on its point, or from there on.
func (r *raster) text(e element) error {
	size, weight := e.number("font-size"), 0
	if size == 0 {
		size = 16
	}
	if e.number("font-weight") >= 600 {
		weight = 1
	}
	ink, ok := inkOf(e.attrs["fill"], "#000000")
	if !ok {
		return nil
	}
	face, err := opentype.NewFace(r.fonts[weight], &opentype.FaceOptions{
		Size: size * r.scale, DPI: 72, Hinting: font.HintingFull,
	})
	if err != nil {
		return err
	}
	defer face.Close()
	text := strings.ReplaceAll(e.text, "★", "*") // which the fonts do not have
	drawer := font.Drawer{Dst: r.to, Src: image.NewUniform(ink), Face: face}
	before := drawer.MeasureString(text) / 2
	if e.attrs["text-anchor"] == "start" {
		before = 0
	}
	drawer.Dot = fixed.Point26_6{
		X: fixed.Int26_6(64*(r.x+r.scale*e.number("x"))) - before,
		Y: fixed.Int26_6(64 * (r.y + r.scale*(e.number("y")+0.35*size))),
	}
	drawer.DrawString(text)
	return nil
}

// inkOf reads a colour like "#14594a"; false for none.
func inkOf(text, otherwise string) (color.RGBA, bool) {
	if text == "" {
		text = otherwise
	}
	ink := color.RGBA{A: 0xff}
	n, err := fmt.Sscanf(text, "#%02x%02x%02x", &ink.R, &ink.G, &ink.B)
	return ink, err == nil && n == 3
}

// rounded is a rectangle with round corners, or a circle.
func rounded(x, y, width, height, round float64) stroke {
	round = min(round, width/2, height/2)
	if round <= 0 {
		return stroke{[]point{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}, true}
	}
	const steps = 12 // of a quarter
	var points []point
	for i, corner := range []point{
		{x + width - round, y + height - round},
		{x + round, y + height - round},
		{x + round, y + round},
		{x + width - round, y + round},
	} {
		for step := range steps + 1 {
			sin, cos := math.Sincos((float64(i) + float64(step)/steps) * math.Pi / 2)
			points = append(points, point{corner.x + round*cos, corner.y + round*sin})
		}
	}
	return stroke{points, true}
}

// readPath reads a path of straight lines.
func readPath(d string) (lines []stroke) {
	for part := range strings.SplitSeq(d, "M") {
		if part == "" {
			continue
		}
		part, closed := strings.CutSuffix(part, "Z")
		line := stroke{closed: closed}
		for pair := range strings.SplitSeq(part, "L") {
			var at point
			if _, err := fmt.Sscanf(pair, "%g %g", &at.x, &at.y); err == nil {
				line.points = append(line.points, at)
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// dashed cuts a line into dashes; without a pattern of two lengths it stays whole.
func dashed(line stroke, pattern string) []stroke {
	var lengths [2]float64
	if n, err := fmt.Sscanf(pattern, "%g %g", &lengths[0], &lengths[1]); err != nil || n != 2 || lengths[0] <= 0 ||
		lengths[1] <= 0 {
		return []stroke{line}
	}
	points := line.points
	if line.closed {
		points = append(points[:len(points):len(points)], points[0])
	}
	var out []stroke
	var dash []point
	on, left := true, lengths[0]
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		for done := 0.0; length-done > 1e-9; {
			step := min(left, length-done)
			from, to := done/length, (done+step)/length
			if on {
				if len(dash) == 0 {
					dash = append(dash, point{a.x + from*(b.x-a.x), a.y + from*(b.y-a.y)})
				}
				dash = append(dash, point{a.x + to*(b.x-a.x), a.y + to*(b.y-a.y)})
			}
			done += step
			if left -= step; left <= 1e-9 {
				if on {
					out = append(out, stroke{points: dash})
				}
				dash, on = nil, !on
				left = lengths[map[bool]int{true: 0, false: 1}[on]]
			}
		}
	}
	if len(dash) > 1 {
		out = append(out, stroke{points: dash})
	}
	return out
}
