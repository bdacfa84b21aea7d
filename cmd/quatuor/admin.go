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
	"quatuor/store"
)

// adminCmd groups the commands on accounts.
type adminCmd struct {
	Create   adminCreateCmd   `cmd:"" help:"Make an account that may do everything."`
	Password adminPasswordCmd `cmd:"" help:"Set the password of an account, whatever it was."`
}

// accountFlags select the account of a command and the source of its new password.
type accountFlags struct {
	storage `embed:""`

	Login         string `help:"The account's login." required:"" placeholder:"NAME"`
	PasswordStdin bool   `help:"Read the password from standard input instead of the terminal."`
}

// apply carries out a command on an account with the login and the new password; the account is wanted or must not be
// there. The service must not be running on the same data folder.
func (f accountFlags) apply(
	ctx context.Context, s streams, wanted bool,
	do func(ctx context.Context, db *store.Store, login, password string) error,
) error {
	password, err := readPassword(s, f.PasswordStdin)
	if err != nil {
		return err
	}
	if err := f.plain().CheckAccount(ctx, f.Login, password, wanted); err != nil {
		return err
	}
	db, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return do(ctx, db, f.Login, password)
}

// adminCreateCmd makes an administrator's account, usually the first.
type adminCreateCmd struct {
	accountFlags `embed:""`
}

// Run makes the account.
func (c adminCreateCmd) Run(ctx context.Context, s streams) error {
	if err := c.apply(ctx, s, false, app.CreateAdmin); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "Account %s made. Start the service with: quatuor serve %s\n", strings.ToLower(c.Login), c.where())
	return nil
}

// adminPasswordCmd resets the forgotten password of an account.
type adminPasswordCmd struct {
	accountFlags `embed:""`
}

// Run sets the password and ends the account's sessions.
func (c adminPasswordCmd) Run(ctx context.Context, s streams) error {
	if err := c.apply(ctx, s, true, app.SetPassword); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "The password of %s is set, and its sessions have ended.\n", strings.ToLower(c.Login))
	return nil
}

// readPassword reads a new password from standard input or prompts for it.
func readPassword(s streams, stdin bool) (string, error) {
	if !stdin {
		return promptPassword(s)
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

// promptPassword prompts twice on a terminal, without echo.
func promptPassword(s streams) (string, error) {
	in, ok := s.In.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return "", app.UsageErrorf("no terminal to read the password from; use --password-stdin")
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
