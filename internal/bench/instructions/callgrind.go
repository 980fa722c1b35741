package instructions

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/agui-go/agui/internal/bench/wire/child"
)

// profile is how many instructions each function took, without what it called.
type profile map[string]float64

// errNoValgrind is what there is to say where valgrind is missing.
var errNoValgrind = errors.New("valgrind is not installed (Debian: apt-get install valgrind)")

// count returns the profile of the job under callgrind, in a process of its own.
func count(ctx context.Context, j job) (_ profile, err error) {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return nil, errNoValgrind
	}
	dir, err := os.MkdirTemp("", "instructions")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	out := filepath.Join(dir, "profile")
	// The signals by which Go stops a goroutine end callgrind when a thread is just starting.
	p, err := child.Start(ctx, name, "env", "GODEBUG=asyncpreemptoff=1", valgrind, "--tool=callgrind", "--compress-strings=no", "--compress-pos=no", "--callgrind-out-file="+out)
	if err != nil {
		return nil, err
	}
	var done bool
	if err := errors.Join(p.Ask(j, &done), p.Close()); err != nil {
		return nil, err
	}
	f, err := os.Open(out)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parse(f)
}

// nameOf is the name of the function that callgrind calls so: by its address, where the program has no table of
// symbols. It is that of this program, which the child is.
func nameOf(function string) string {
	address, err := strconv.ParseUint(function, 0, 64)
	if err != nil {
		return function
	}
	if f := runtime.FuncForPC(uintptr(address)); f != nil {
		return f.Name()
	}
	return function
}

// parse reads what callgrind has written, without compression of names and positions. A line "fn=" names the
// function of the lines behind it, of which each has a position and a number of instructions; what is behind
// "calls=" is that of the function called, which is counted there.
func parse(r io.Reader) (profile, error) {
	p := profile{}
	function, ofCall := "", false
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "fn="); ok {
			function = cmp.Or(nameOf(name), "?") // of some in libraries nothing is known
			continue
		}
		if strings.HasPrefix(line, "calls=") {
			ofCall = true
			continue
		}
		position, cost, ok := strings.Cut(line, " ")
		if _, err := strconv.ParseUint(position, 10, 64); err != nil || !ok {
			continue // a header, or where the function is
		}
		if ofCall {
			ofCall = false
			continue
		}
		instructions, err := strconv.ParseFloat(cost, 64)
		if err != nil || function == "" {
			return nil, fmt.Errorf("instructions: line %d of callgrind's output: got %q, want the instructions of a function", n, line)
		}
		p[function] += instructions
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("instructions: callgrind's output: %w", err)
	}
	if len(p) == 0 {
		return nil, errors.New("instructions: callgrind's output has no function")
	}
	return p, nil
}
