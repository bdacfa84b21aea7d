package manual_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"quatuor/cmd/quatuor/manual"
)

// commands is a command line with what completions distinguish.
type commands struct {
	Serve struct {
		Data  string `help:"Folder of the database; it's made if missing." placeholder:"DIR"`
		Level string `enum:"low,high," default:"" help:"How much is written."`
		LAN   bool   `name:"lan" help:".hidden files too."`
	} `cmd:"" help:"Run it."`
	Admin struct {
		Create struct {
			Login string `required:""`
		} `cmd:"" help:"Create one."`
	} `cmd:"" help:"Manage accounts."`
	Secret struct{} `cmd:"" hidden:""`
}

// write writes the files for commands to a new folder.
func write(t *testing.T) (folder string) {
	t.Helper()
	parser, err := kong.New(&commands{}, kong.Name("prog-1"), kong.Description("A program."), kong.DefaultEnvars("PROG"))
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	if err := manual.Write(folder, parser.Model, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestManPage checks that the page has what is not hidden, escaped for roff.
func TestManPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(write(t), "prog-1.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`.TH prog\-1 1 "" "prog-1 v1.2.3"`, `prog\-1 \- A program` + "\n", `.SS "prog\-1 serve [flags]"`, `.SS "prog\-1 admin create`,
		`.B \-\-data=DIR` + "\nFolder of the database; it's made if missing ($PROG_DATA).", "\n" + `\&.hidden files too`,
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the man page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(string(page), "secret") {
		t.Error("the man page shows a hidden command")
	}
}

// TestCompletions has shells complete command lines; each must offer exactly these words.
func TestCompletions(t *testing.T) {
	folder := write(t)
	for _, tt := range []struct{ line, want string }{
		{"prog-1 ", "admin serve"},
		{"prog-1 se", "serve"},
		{"prog-1 admin ", "create"},
		{"prog-1 admin create --l", "--login"},
		{"prog-1 serve --", "--data --help --lan --level"},
		{"prog-1 serve --level ", "high low"},
		{"prog-1 serve --level=h", "high"},
		{"prog-1 serve --lan --da", "--data"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			for _, shell := range []string{"bash", "fish"} {
				got := complete(t, shell, folder, tt.line)
				if want := strings.Fields(tt.want); got != nil && !slices.Equal(got, want) {
					t.Errorf("%s completes %q with %q, want %q", shell, tt.line, got, want)
				}
			}
		})
	}
	if zsh, err := exec.LookPath("zsh"); err == nil {
		if said, err := exec.Command(zsh, "-n", filepath.Join(folder, "_prog-1")).CombinedOutput(); err != nil {
			t.Errorf("zsh: %v: %s", err, said)
		}
	}
}

// complete returns what a shell offers for a line, sorted; nil where the shell is not installed. Names of options are
// left out unless the line ends in the beginning of an option.
func complete(t *testing.T, shell, folder, line string) (words []string) {
	t.Helper()
	program, err := exec.LookPath(shell)
	if err != nil {
		return nil
	}
	script := `source "$1"; complete -C "$2"`
	if shell == "bash" { // which splits words at equals signs, too
		script = `source "$1"; IFS=' '; read -ra COMP_WORDS <<<"${2/=/ = }"; [[ $2 == *' ' ]] && COMP_WORDS+=('')
			COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _prog_1; printf '%s\n' "${COMPREPLY[@]}"`
	}
	args := []string{"-c", script, shell, filepath.Join(folder, "prog-1."+shell), line}
	if shell == "fish" {
		args = []string{"-c", strings.NewReplacer("$1", "$argv[1]", "$2", "$argv[2]").Replace(script), args[3], line}
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "HOME="+t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", shell, err)
	}
	for _, candidate := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		word, _, _ := strings.Cut(candidate, "\t")
		word = word[strings.IndexByte(word, '=')+1:] // fish repeats the flag
		if !strings.HasPrefix(word, "-") || strings.Contains(line, " -") {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return words
}
