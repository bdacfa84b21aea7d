package app_test

import (
	"log/slog"
	"net/http"
	"testing"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/app/apptest"
)

// TestSettingsInForce: the settings show what the service was started with, and that it is fixed there.
func TestSettingsInForce(t *testing.T) {
	a := apptest.Run(t, app.Config{Registration: "open", Site: "By flag", Logger: slog.New(slog.DiscardHandler)})
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	admin := client.New(a.URL(), transport)
	if err := admin.Login(t.Context(), "apptest", "a long pass phrase of the test"); err != nil {
		t.Fatal(err)
	}
	var now struct {
		Name, Registration, Reach string
		Fixed                     []string
	}
	if err := admin.Get(t.Context(), "/settings", &now); err != nil {
		t.Fatal(err)
	}
	if now.Name != "By flag" || now.Registration != "open" || now.Reach != "local" || len(now.Fixed) != 3 {
		t.Errorf("%+v", now)
	}
}
