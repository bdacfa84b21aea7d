package app

import (
	"context"
	"strings"

	"quatuor/api/mail"
)

// mailServer returns the mail server of the configuration; nil if there is none.
func (c Config) mailServer() (*mail.Server, error) {
	switch {
	case c.SMTPURL == "" && c.MailFrom == "":
		return nil, nil
	case c.SMTPURL == "":
		return nil, UsageErrorf("--mail-from needs --smtp-url, the address of the mail server")
	case c.PublicURL == "":
		return nil, UsageErrorf("--smtp-url needs --public-url: links in e-mails begin with it")
	}
	server, err := mail.NewServer(c.SMTPURL, c.MailFrom)
	if err != nil {
		return nil, UsageErrorf("--smtp-url: %w", err)
	}
	return server, nil
}

// mailOwner is the key that assigns the sending of e-mails to an instance: its owner.
const mailOwner = "mail"

// newMail makes the service of e-mail if a mail server is configured.
func (a *App) newMail() error {
	server, err := a.config.mailServer()
	if err != nil || server == nil {
		return err
	}
	c := mail.Config{
		Server: server, Address: strings.TrimRight(a.config.PublicURL, "/"), Store: a.Store.Mail(), People: a.Store.People(),
		Tournaments: a.Director, Guard: a.Guard, Club: a.Club.Current, Now: a.Tables.ServiceTime, Logger: a.logger,
		Mine: func() bool { return a.Store.Members().Mine(mailOwner) },
	}
	adapt(&c, a.config.AdaptMail)
	a.mail = mail.New(c)
	a.measures.countMail(a.mail.Waiting, a.mail.Sent, a.mail.Dropped)
	return nil
}

// RunMail sends e-mails until ctx ends, if a mail server is configured.
func (a *App) RunMail(ctx context.Context) {
	if a.mail != nil {
		a.mail.Run(ctx)
	}
}
