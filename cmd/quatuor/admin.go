package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"quatuor/cmd/quatuor/app"
)

// adminCmd groups the commands on accounts.
type adminCmd struct {
	Create   adminCreateCmd   `cmd:"" help:"Make an account that may do everything."`
	Password adminPasswordCmd `cmd:"" help:"Set the password of an account, whatever it was."`
}

// adminCreateCmd makes an administrator's account, the first one usually.
type adminCreateCmd struct {
	storage `embed:""`

	Login         string `help:"The account's login." required:"" placeholder:"NAME"`
	PasswordStdin bool   `help:"Read the password from standard input instead of asking for it."`
}

// Run makes the account. The service must not be running on the same data folder.
func (c adminCreateCmd) Run(ctx context.Context, s streams) error {
	password, err := readPassword(s, c.PasswordStdin)
	if err != nil {
		return err
	}
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := app.CreateAdmin(ctx, db, c.Login, password); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "Account %s made. Start the service with: quatuor serve --data %s\n", strings.ToLower(c.Login), c.Data)
	return nil
}

// adminPasswordCmd sets the password of an account whose owner has forgotten it.
type adminPasswordCmd struct {
	storage `embed:""`

	Login         string `help:"The account's login." required:"" placeholder:"NAME"`
	PasswordStdin bool   `help:"Read the password from standard input instead of asking for it."`
}

// Run sets the password and ends the account's sessions. The service must not be running on the same data folder.
func (c adminPasswordCmd) Run(ctx context.Context, s streams) error {
	password, err := readPassword(s, c.PasswordStdin)
	if err != nil {
		return err
	}
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := app.SetPassword(ctx, db, c.Login, password); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "The password of %s is set, and its sessions have ended.\n", strings.ToLower(c.Login))
	return nil
}

// readPassword reads a new password from standard input or asks for it.
func readPassword(s streams, stdin bool) (string, error) {
	if !stdin {
		return askPassword(s)
	}
	line, err := bufio.NewReader(s.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	password := strings.TrimRight(line, "\r\n")
	if password == "" {
		return "", app.UsageErrorf("standard input held no password")
	}
	return password, nil
}

// askPassword asks twice on a terminal, without showing what is typed.
func askPassword(s streams) (string, error) {
	in, ok := s.In.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return "", app.UsageErrorf("there is no terminal to ask for the password on; use --password-stdin")
	}
	var typed [2]string
	for i, prompt := range []string{"Password: ", "Once more: "} {
		fmt.Fprint(s.Err, prompt)
		raw, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(s.Err)
		if err != nil {
			return "", err
		}
		typed[i] = string(raw)
	}
	if typed[0] != typed[1] {
		return "", app.UsageErrorf("the two passwords differ")
	}
	return typed[0], nil
}
