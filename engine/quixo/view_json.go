package quixo

import (
	"strconv"

	"quatuor/engine"
)

// AppendView appends a view as JSON without building it.
func (s *state) AppendView(b []byte, _ engine.Viewer) []byte {
	geo := s.variant.geo
	faces := s.faces()
	b = strconv.AppendInt(append(b, `{"size":`...), int64(geo.board.Size()), 10)
	b = geo.texts.Append(append(b, `,"rows":`...), faces[:])
	return append(b, '}')
}
