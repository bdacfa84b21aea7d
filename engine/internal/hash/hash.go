// Package hash mixes the words of a position into a 64-bit key for transposition tables.
package hash

// Mix returns the hash of a further word after h. It is the finaliser of SplitMix64 (Steele, Lea, Flood: "Fast
// Splittable Pseudorandom Number Generators", 2014), where every bit of the input changes about half of the output.
func Mix(h, word uint64) uint64 {
	z := h ^ word + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
