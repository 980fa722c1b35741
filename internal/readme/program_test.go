package readme

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var program = regexp.MustCompile("(?s)```go\n(package main\n.*?)```")

// run runs a command of the README in a directory.
func run(t *testing.T, dir, command string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v\n%s", command, err, out)
	}
}

// TestOwnModule does what the README tells a newcomer to do: a module of one's own, the module
// required before it is published, and each of the programs in it.
func TestOwnModule(t *testing.T) {
	text := readme(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	_, commands, ok := strings.Cut(text, "<!-- commands: module -->\n```\n")
	if !ok {
		t.Fatal("README.md does not say how to use the module before it is published")
	}
	commands, _, _ = strings.Cut(commands, "```")
	dir := t.TempDir()
	programs := program.FindAllStringSubmatch(text, -1)
	if len(programs) == 0 {
		t.Fatal("README.md has no program")
	}
	for _, p := range programs {
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(p[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		os.Remove(filepath.Join(dir, "go.mod"))
		for line := range strings.Lines(commands) {
			run(t, dir, strings.ReplaceAll(line, "/path/to/agui", root))
		}
		run(t, dir, "go vet .")
	}
}
