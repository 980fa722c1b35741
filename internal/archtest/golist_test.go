package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// builds are the values of -tags that the module is built with.
var builds = []string{"", "aguidebug", "aguinoverify"}

// modulePath is the path of this module, which a rename changes.
var modulePath = strings.TrimSuffix(reflect.TypeFor[room]().PkgPath(), "/internal/archtest")

// pkg is what go list says of a package.
type pkg struct {
	ImportPath string
	Dir        string
	Module     *struct {
		Path string
		Main bool
	}
	GoFiles []string
	Imports []string
	Deps    []string
}

// path returns the directory of a package of this module, from the module's root.
func (p pkg) path() string { return strings.TrimPrefix(p.ImportPath, modulePath+"/") }

// load returns the packages of this module, tests left out, and for each package of another module
// that they need the path of that module.
func load(t *testing.T, tags string) (ours []pkg, foreign map[string]string) {
	t.Helper()
	out := goCommand(t, "list", "-deps", "-json=ImportPath,Dir,Module,GoFiles,Imports,Deps", "-tags", tags, "./...")
	foreign = make(map[string]string)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return ours, foreign
		case err != nil:
			t.Fatalf("output of go list: %v", err)
		case p.Module == nil: // the standard library
		case p.Module.Main:
			ours = append(ours, p)
		default:
			foreign[p.ImportPath] = p.Module.Path
		}
	}
}

// goCommand runs the go command in the root of the module and returns its standard output.
func goCommand(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = root(t)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return out
}

// root returns the root of the module.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
