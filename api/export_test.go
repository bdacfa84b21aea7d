package api

import (
	"quatuor/api/command"
	"quatuor/api/contract"
)

// TargetOf returns on what the form of a route acts.
func (s *Server) TargetOf(route string) command.Kind { return s.pages.Target(route).On }

// SetContract puts another contract in the place of the program's.
func (s *Server) SetContract(k *contract.Contract) { s.contract = k }
