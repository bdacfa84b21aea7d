package rating

// Figure is an optional figure of a rating system; the zero value is unset. A figure that is set to 0 is 0.
type Figure struct {
	value float64
	set   bool
}

// Set returns a figure with a value.
func Set(value float64) Figure { return Figure{value, true} }

// Value returns the value, and whether it was set.
func (f Figure) Value() (value float64, set bool) { return f.value, f.set }

// Or returns the value that was set, or else the system's own.
func (f Figure) Or(own float64) float64 {
	if f.set {
		return f.value
	}
	return own
}
