package api_test

import (
	"testing"

	"quatuor/api/apitest"
)

func TestMain(m *testing.M) { apitest.Main(m) }
