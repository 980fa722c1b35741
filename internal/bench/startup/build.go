package startup

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module has the program.
const module = "github.com/agui-go/agui"

// build is a way to build the program.
type build struct {
	tag      string // empty: the default
	stripped bool   // without symbols
}

// builds are the rows.
var builds = []build{
	{"", false}, {"", true},
	{"aguidebug", false}, {"aguidebug", true},
	{"aguinoverify", false}, {"aguinoverify", true},
}

func (b build) String() string {
	name := "default"
	if b.tag != "" {
		name = "-tags " + b.tag
	}
	if b.stripped {
		name += " -ldflags='-s -w'"
	}
	return name
}

// program is a build in a file.
type program struct {
	build build
	path  string
	size  int64
}

// make builds the program into the directory.
func (b build) make(ctx context.Context, dir string) (*program, error) {
	source, err := sourceDir(ctx)
	if err != nil {
		return nil, err
	}
	p := &program{build: b, path: filepath.Join(dir, fmt.Sprintf("echo-agent-%s-%t", b.tag, b.stripped))}
	args := []string{"build", "-buildvcs=false", "-tags", b.tag, "-o", p.path}
	if b.stripped {
		args = append(args, "-ldflags=-s -w")
	}
	if _, err := goCommand(ctx, source, append(args, "./examples/echo-agent")...); err != nil {
		return nil, err
	}
	info, err := os.Stat(p.path)
	if err != nil {
		return nil, fmt.Errorf("startup: %w", err)
	}
	p.size = info.Size()
	return p, nil
}

// sourceDir returns where the module is.
func sourceDir(ctx context.Context) (string, error) {
	out, err := goCommand(ctx, "", "list", "-m", "-f", "{{.Dir}}", module)
	if err != nil {
		return "", fmt.Errorf("%w; run it in the directory of this module", err)
	}
	return strings.TrimSpace(out), nil
}

// goCommand runs the go command in the directory and returns what it prints.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("startup: go %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}
