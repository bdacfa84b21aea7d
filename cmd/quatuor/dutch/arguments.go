// Package dutch is a pairing engine with the command line, the output and the exit statuses of bbpPairings and JaVaFo,
// so that tournament programs that call these can call quatuor.
package dutch

import (
	"fmt"
	"strconv"
	"strings"
)

// Exit statuses, those of bbpPairings.
const (
	exitOK         = 0
	exitUnpairable = 1
	exitUnexpected = 2
	exitInvalid    = 3
	exitFile       = 5
)

// Usage is printed where the arguments have no form of these.
const Usage = `quatuor dutch [-r]
quatuor dutch [-r] [--dutch] input-file -c [round] [-l [check-list-file]]
quatuor dutch [-r] [--dutch] input-file [-b] -p [output-file] [-l [check-list-file]]
quatuor dutch [-r] [--dutch] (model-file -g | -g [config-file | seed]) [-b] -o trf-file [-s random-seed] [-l [file]]

  -r  print the version
  -c  check the pairings of all rounds, or of one
  -p  pair the next round
  -g  make a tournament by chance, of a model, of settings, or of neither
  -b  the Baku Acceleration
  -l  write a check-list, beside the input file if no name is given
  -o  the report file to write
  -s  the seed of the tournament

The output and the exit statuses are those of bbpPairings and JaVaFo:
0 done, 1 no legal pairing, 2 unexpected, 3 invalid request or file, 5 a file cannot be read or written.
`

// arguments are the command line.
type arguments struct {
	version, check, pair, generate, baku, list, seeded bool

	input, output, listFile, config, made string
	round                                 int
	seed                                  uint64
}

// parse reads the arguments of both programs. -w and -q of old releases of JaVaFo chose an algorithm.
func parse(args []string) (a arguments, err error) {
	next := func(optional bool) string {
		if len(args) > 1 && (!optional || !strings.HasPrefix(args[1], "-")) {
			args = args[1:]
			return args[0]
		}
		return ""
	}
	for ; len(args) > 0 && err == nil; args = args[1:] {
		switch args[0] {
		case "-r":
			a.version = true
		case "--dutch", "-w":
		case "-q":
			next(true)
		case "-b":
			a.baku = true
		case "-c":
			a.check = true
			if len(args) > 1 {
				if round, err := strconv.Atoi(args[1]); err == nil {
					a.round, args = round, args[1:]
				}
			}
		case "-p":
			a.pair, a.output = true, next(true)
		case "-l":
			a.list, a.listFile = true, next(true)
		case "-g":
			a.generate, a.config = true, next(true)
		case "-o":
			a.made = next(false)
		case "-s":
			err = a.setSeed(next(false))
		default:
			if a.input != "" || strings.HasPrefix(args[0], "-") {
				err = fmt.Errorf("%s", args[0])
			}
			a.input = args[0]
		}
	}
	if err == nil {
		err = a.complete()
	}
	return a, err
}

func (a *arguments) setSeed(text string) (err error) {
	a.seeded = true
	a.seed, err = strconv.ParseUint(text, 10, 64)
	return err
}

// complete checks that the arguments have a known form. A number in place of a configuration is a seed.
func (a *arguments) complete() error {
	works := 0
	for _, asked := range []bool{a.check, a.pair, a.generate} {
		if asked {
			works++
		}
	}
	if _, err := strconv.ParseUint(a.config, 10, 63); err == nil && !a.seeded {
		_ = a.setSeed(a.config)
		a.config = ""
	}
	switch {
	case works == 0 && a.input == "" && !a.list && a.made == "":
		a.version = true
	case works != 1, a.generate != (a.made != ""), a.seeded && !a.generate, a.config != "" && a.input != "",
		a.input == "" && !a.generate:
		return fmt.Errorf("no such form")
	}
	return nil
}
