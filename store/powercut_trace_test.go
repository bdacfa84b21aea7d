package store

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"quatuor/store/internal/sqlite"
)

// trace is the record, by strace, of a process's work on the files below a folder: it determines the possible contents
// of a disk after a power cut at any moment. Times are lines of the record.
type trace struct {
	t    *testing.T
	base string // folder
	root *node
	ops  []*op
	acks []ack
	fds  map[string]*descriptor
	deaf func(path string, dir bool) bool // syncs that are passed over: a planted fault
	last int
}

// node is a file or a folder, whatever its names are.
type node struct {
	dir     bool
	before  []byte           // content before the record begins, on the disk
	named   map[string]*node // the same of a folder
	data    []byte           // as the process sees it
	entries map[string]*node
}

// op is a change that the disk takes in at any time after it was made, at the latest with the next sync of its node.
type op struct {
	at, durable int
	node        *node
	kind        opKind
	offset      int64  // of a write; the size of a truncation
	data        []byte // of a write
	name        string // in the folder
	child       *node
	from        *node // of a rename: the other folder
	fromName    string
}

type opKind int

const (
	opWrite opKind = iota
	opTruncate
	opLink
	opUnlink
	opRename
)

// ack is output of the process, for example an acknowledgement.
type ack struct {
	at   int
	text string
}

type descriptor struct {
	path     string
	node     *node // nil outside the folder
	position int64
	appends  bool
}

const never = math.MaxInt

// tracedCalls are the system calls that change files, as strace names them, and those that connect numbers and files.
const tracedCalls = "open,openat,creat,close,dup,dup2,dup3,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,fallocate," +
	"fsync,fdatasync,sync_file_range,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat,copy_file_range,sendfile,splice,lseek"

func newTrace(t *testing.T, base string) *trace {
	t.Helper()
	return &trace{
		t: t, base: base, root: snapshotOf(t, base), fds: map[string]*descriptor{}, deaf: func(string, bool) bool {
			return false
		},
	}
}

// snapshotOf reads what is on the disk before the record begins.
func snapshotOf(t *testing.T, path string) *node {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !info.IsDir() {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return &node{before: content, data: append([]byte(nil), content...)}
	}
	n := &node{dir: true, named: map[string]*node{}, entries: map[string]*node{}}
	list, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		child := snapshotOf(t, filepath.Join(path, e.Name()))
		n.named[e.Name()], n.entries[e.Name()] = child, child
	}
	return n
}

var callLine = regexp.MustCompile(`^(\d+) +(?:<\.\.\. (\w+) resumed>)?(.*)$`)

// read takes in a record.
func (r *trace) read(path string) {
	r.t.Helper()
	f, err := os.Open(path)
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	begun := map[string]string{} // by thread
	since := map[string]int{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for at := 1; lines.Scan(); at++ {
		parts := callLine.FindStringSubmatch(lines.Text())
		if parts == nil {
			r.t.Fatalf("line %d of the record cannot be read: %.200s", at, lines.Text())
		}
		thread, text := parts[1], parts[3]
		if strings.HasPrefix(text, "+++") || strings.HasPrefix(text, "---") {
			continue
		}
		if parts[2] == "" {
			since[thread] = at
		} else {
			text = begun[thread] + text
		}
		if call, ok := strings.CutSuffix(text, " <unfinished ...>"); ok {
			begun[thread] = call
			r.acknowledged(at, call)
			continue
		}
		if parts[2] == "" {
			r.acknowledged(at, text)
		}
		r.call(since[thread], at, text)
		r.last = at
	}
	if err := lines.Err(); err != nil {
		r.t.Fatal(err)
	}
}

// acknowledged notes what is written to the standard output; it may be read as soon as the call begins.
func (r *trace) acknowledged(at int, text string) {
	if rest, ok := strings.CutPrefix(text, "write(1, "); ok {
		r.acks = append(r.acks, ack{at, string(r.quoted(strings.SplitN(rest, ",", 2)[0]))})
	}
}

// quoted decodes a string: strace writes every byte in hexadecimal.
func (r *trace) quoted(text string) []byte {
	inner := strings.Trim(text, `"`)
	if len(inner) != len(text)-2 {
		r.t.Fatalf("no whole string: %.100s", text)
	}
	content, err := hex.DecodeString(strings.ReplaceAll(inner, `\x`, ""))
	if err != nil {
		r.t.Fatalf("%.100s: %v", text, err)
	}
	return content
}

// call takes in a system call, which lasted from a line of the record to another.
func (r *trace) call(begun, at int, text string) {
	name, rest, _ := strings.Cut(text, "(")
	end := strings.LastIndex(rest, ")")
	// the word for an error is in brackets, too
	for end >= 0 && !strings.HasPrefix(strings.TrimLeft(rest[end+1:], " "), "= ") {
		end = strings.LastIndex(rest[:end], ")")
	}
	if end < 0 {
		r.t.Fatalf("line %d of the record cannot be read: %.200s", at, text)
	}
	args := strings.Split(rest[:end], ", ")
	result := strings.Fields(rest[end+1:])[1]
	if strings.HasPrefix(result, "-1") || result == "?" {
		return
	}
	switch name {
	case "open":
		r.open(at, r.path("AT_FDCWD", args[0]), args[1], result)
	case "creat":
		r.open(at, r.path("AT_FDCWD", args[0]), "O_CREAT|O_TRUNC", result)
	case "openat":
		r.open(at, r.path(args[0], args[1]), args[2], result)
	case "close":
		delete(r.fds, args[0])
	case "mkdir":
		r.link(at, r.path("AT_FDCWD", args[0]), &node{dir: true, entries: map[string]*node{}})
	case "mkdirat":
		r.link(at, r.path(args[0], args[1]), &node{dir: true, entries: map[string]*node{}})
	case "unlink", "rmdir":
		r.unlink(at, r.path("AT_FDCWD", args[0]))
	case "unlinkat":
		r.unlink(at, r.path(args[0], args[1]))
	case "rename", "link":
		r.rename(at, r.path("AT_FDCWD", args[0]), r.path("AT_FDCWD", args[1]), name == "rename")
	case "renameat", "renameat2", "linkat":
		r.rename(at, r.path(args[0], args[1]), r.path(args[2], args[3]), name != "linkat")
	default:
		if fd := r.fds[args[0]]; fd != nil {
			r.onFile(begun, at, name, args, fd, r.number(result))
		}
	}
}

// onFile takes in a call on an open file.
func (r *trace) onFile(begun, at int, name string, args []string, fd *descriptor, result int64) {
	switch name {
	case "write":
		r.write(at, fd, fd.position, r.quoted(args[1])[:result])
		fd.position += result
	case "pwrite64":
		r.write(at, fd, r.number(args[3]), r.quoted(args[1])[:result])
	case "ftruncate":
		r.add(&op{at: at, node: fd.node, kind: opTruncate, offset: r.number(args[1])})
	case "fsync", "fdatasync":
		r.sync(begun, at, fd)
	case "lseek":
		fd.position = result
	case "copy_file_range":
		r.copyRange(at, args, fd, result)
	default:
		if fd.node != nil {
			r.t.Fatalf("line %d: %s on %s is not understood", at, name, fd.path)
		}
	}
}

func (r *trace) number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.t.Fatal(err)
	}
	return n
}

// path returns the path that a call names, from the folder with a number.
func (r *trace) path(folder, text string) string {
	path := string(r.quoted(text))
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	if fd := r.fds[folder]; fd != nil {
		return filepath.Join(fd.path, path)
	}
	return path // of no file that is watched: all those are named in full
}

// find returns the folder of a path and its entry, as the process sees it; nil outside.
func (r *trace) find(path string) (folder *node, name string, n *node) {
	rest, err := filepath.Rel(r.base, path)
	if err != nil || !filepath.IsAbs(path) || strings.HasPrefix(rest, "..") {
		return nil, "", nil
	}
	n = r.root
	for _, name = range strings.Split(rest, string(filepath.Separator)) {
		if name == "." {
			return nil, "", n
		}
		if n == nil {
			return nil, "", nil
		}
		folder, n = n, n.entries[name]
	}
	return folder, name, n
}

func (r *trace) open(at int, path, flags, number string) {
	folder, name, n := r.find(path)
	if folder != nil && n == nil && strings.Contains(flags, "O_CREAT") {
		n = &node{}
		r.add(&op{at: at, node: folder, kind: opLink, name: name, child: n})
	}
	if n != nil && strings.Contains(flags, "O_TRUNC") && len(n.data) > 0 {
		r.add(&op{at: at, node: n, kind: opTruncate})
	}
	r.fds[number] = &descriptor{path: path, node: n, appends: strings.Contains(flags, "O_APPEND")}
}

func (r *trace) link(at int, path string, n *node) {
	if folder, name, _ := r.find(path); folder != nil {
		r.add(&op{at: at, node: folder, kind: opLink, name: name, child: n})
	}
}

func (r *trace) unlink(at int, path string) {
	if folder, name, n := r.find(path); folder != nil {
		r.add(&op{at: at, node: folder, kind: opUnlink, name: name, child: n})
	}
}

// rename also takes in a link, which leaves the old name. Both names change together, and are on the disk with the
// folder of the new name.
func (r *trace) rename(at int, from, to string, moves bool) {
	oldFolder, oldName, n := r.find(from)
	folder, name, _ := r.find(to)
	if folder == nil || n == nil {
		return
	}
	o := &op{at: at, node: folder, kind: opLink, name: name, child: n}
	if moves {
		o.kind = opRename
		o.from = oldFolder
		o.fromName = oldName
	}
	r.add(o)
}

func (r *trace) write(at int, fd *descriptor, offset int64, content []byte) {
	if fd.node == nil {
		return
	}
	if fd.appends {
		offset = int64(len(fd.node.data))
	}
	r.add(&op{at: at, node: fd.node, kind: opWrite, offset: offset, data: content})
}

func (r *trace) copyRange(at int, args []string, from *descriptor, count int64) {
	to := r.fds[args[2]]
	if args[1] != "NULL" || args[3] != "NULL" {
		r.t.Fatalf("line %d: a copy between %v is not understood", at, args)
	}
	content := []byte(nil)
	if from.node != nil {
		content = from.node.data
	} else if whole, err := os.ReadFile(from.path); err == nil {
		content = whole
	} else {
		r.t.Fatal(err)
	}
	r.write(at, to, to.position, append([]byte(nil), content[from.position:from.position+count]...))
	from.position += count
	to.position += count
}

// sync brings to the disk what was done to a node before the call began.
func (r *trace) sync(begun, at int, fd *descriptor) {
	if fd.node == nil || r.deaf(fd.path, fd.node.dir) {
		return
	}
	for _, o := range r.ops {
		if o.node == fd.node && o.at < begun && o.durable == never {
			o.durable = at
		}
	}
}

// add notes a change and makes it in what the process sees.
func (r *trace) add(o *op) {
	if o.node == nil {
		return
	}
	o.durable = never
	r.ops = append(r.ops, o)
	switch o.kind {
	case opWrite:
		o.node.data = put(o.node.data, o.offset, o.data)
	case opTruncate:
		o.node.data = resize(o.node.data, o.offset)
	default:
		o.rename(func(n *node) map[string]*node { return n.entries })
	}
}

// rename makes a change of names in the entries of its folders.
func (o *op) rename(entries func(*node) map[string]*node) {
	folder := entries(o.node)
	if o.kind == opUnlink {
		if folder[o.name] == o.child {
			delete(folder, o.name)
		}
		return
	}
	folder[o.name] = o.child
	if o.kind == opRename {
		if other := entries(o.from); other[o.fromName] == o.child {
			delete(other, o.fromName)
		}
	}
}

func put(into []byte, offset int64, content []byte) []byte {
	if need := offset + int64(len(content)); need > int64(len(into)) {
		into = resize(into, need)
	}
	copy(into[offset:], content)
	return into
}

func resize(content []byte, size int64) []byte {
	if size <= int64(len(content)) {
		return content[:size:size]
	}
	return append(content, make([]byte, size-int64(len(content)))...)
}

// pending lists the changes that the disk need not have taken in at a time.
func (r *trace) pending(cut int) (list []*op) {
	for _, o := range r.ops {
		if o.at <= cut && o.durable > cut {
			list = append(list, o)
		}
	}
	return list
}

// sector is the least that a disk writes as a whole.
const sector = 512

// image writes into a folder what the disk holds after a cut, where of the pending changes it has taken in those that
// keep selects; of a write it may be some sectors alone.
func (r *trace) image(into string, cut int, keep choice) error {
	files := map[*node][]byte{}
	dirs := map[*node]map[string]*node{}
	content := func(n *node) []byte {
		if _, ok := files[n]; !ok {
			files[n] = append([]byte(nil), n.before...)
		}
		return files[n]
	}
	entries := func(n *node) map[string]*node {
		if dirs[n] == nil {
			dirs[n] = map[string]*node{}
			for name, child := range n.named {
				dirs[n][name] = child
			}
		}
		return dirs[n]
	}
	for _, o := range r.ops {
		if o.at > cut {
			break
		}
		whole, sectors := true, (*rand.Rand)(nil)
		if o.durable > cut {
			whole, sectors = keep(o)
		}
		switch {
		case whole && o.kind == opWrite:
			files[o.node] = put(content(o.node), o.offset, o.data)
		case whole && o.kind == opTruncate:
			files[o.node] = resize(content(o.node), o.offset)
		case whole:
			o.rename(entries)
		case sectors != nil && o.kind == opWrite:
			for from := 0; from < len(o.data); from += sector {
				if sectors.IntN(2) == 0 {
					files[o.node] = put(content(o.node), o.offset+int64(from), o.data[from:min(from+sector, len(o.data))])
				}
			}
		}
	}
	return materialise(into, r.root, entries, content)
}

func materialise(path string, n *node, entries func(*node) map[string]*node, content func(*node) []byte) error {
	if !n.dir {
		return os.WriteFile(path, content(n), 0o600)
	}
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	for name, child := range entries(n) {
		if strings.HasSuffix(name, sqlite.IndexSuffix) { // it is in memory that is shared, and made again after a crash
			continue
		}
		if err := materialise(filepath.Join(path, name), child, entries, content); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
