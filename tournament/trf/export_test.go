package trf

// NotCanonical returns the lines of a report of teams that would be written in another way if they were new.
func (r *TeamReport) NotCanonical() (lines []string) {
	for i, line := range r.raw {
		if line != r.asRead[i] {
			lines = append(lines, line)
		}
	}
	return lines
}
