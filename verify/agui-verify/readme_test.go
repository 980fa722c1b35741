package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestReadme has what the module's README shows of the command.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("testdata")
	var out bytes.Buffer
	if got, want := execute(t.Context(), []string{"broken.sse"}, console{in: strings.NewReader(""), out: &out, err: &out}), exitBroken; got != want {
		t.Errorf("exit status\n got: %d\nwant: %d", got, want)
	}
	want := "```\n$ agui-verify broken.sse\n" + out.String() + "```\n"
	if !strings.Contains(string(readme), want) {
		t.Errorf("README.md does not show\n%s", want)
	}
}
