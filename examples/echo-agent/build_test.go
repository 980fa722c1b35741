package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// machine are symbols of the ordering machine: what a build without it must not have, and one with it has.
var machine = []string{
	"/verify.New",
	"/verify.(*Verifier).",
	"/verify.(*trial).",
	"/verify.(*ledger).",
	"/verify.(*lanes).",
}

// TestMachineIsLeftOut looks for the machine in the program as it is built with and without it.
func TestMachineIsLeftOut(t *testing.T) {
	tests := []struct {
		tags string
		want bool
	}{
		{"", true},
		{"aguidebug", true},
		{"aguinoverify", false},
	}
	for _, tt := range tests {
		t.Run("tags "+tt.tags, func(t *testing.T) {
			symbols := symbolsOf(t, tt.tags)
			for _, symbol := range machine {
				if got := strings.Contains(symbols, symbol); got != tt.want {
					t.Errorf("the program has %s\n got: %t\nwant: %t", symbol, got, tt.want)
				}
			}
		})
	}
}

// symbolsOf builds the program and returns its symbol table.
func symbolsOf(t *testing.T, tags string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "echo-agent")
	if out, err := exec.Command("go", "build", "-tags", tags, "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build -tags %q: %v\n%s", tags, err, out)
	}
	out, err := exec.Command("go", "tool", "nm", program).Output()
	if err != nil {
		t.Fatalf("go tool nm: %v", err)
	}
	return string(out)
}
