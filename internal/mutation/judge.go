package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The tests that judge a mutant, one group after the other until one of them kills it. The last group is not
// counted: random runs find much, but say little about why.
var groups = []struct {
	name string
	args []string
}{
	{"the case file", []string{"-test.run", "^TestSequences"}},
	{"the table tests", []string{"-test.skip", "^(TestSequences|TestRandom|TestMachineAgainstModel|TestDocs|Fuzz)"}},
	{"random runs", []string{"-test.run", "^(TestRandom|TestMachineAgainstModel|Fuzz)"}},
}

const (
	byCases = iota
	byTables
	byRandom
	survives
)

// judge runs the tests on mutants of one package.
type judge struct {
	root   string // of the module
	dir    string // of the package, from root
	files  []string
	temp   string
	binary string
	// patience is how long a group of tests may take. Those that take longer fail.
	patience time.Duration
}

// weave finds the mutants of the package and builds the test binary that has them all.
func (j *judge) weave(ctx context.Context) ([]*mutant, error) {
	sources := make(map[string]string)
	zeros := make(map[string]bool)
	for _, name := range j.files {
		src, err := os.ReadFile(filepath.Join(j.root, j.dir, name))
		if err != nil {
			return nil, err
		}
		sources[name] = string(src)
		names, err := zeroConstants(string(src))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			zeros[name] = true
		}
	}
	var plans []*plan
	var mutants []*mutant
	for _, name := range j.files {
		p, err := newPlan(name, sources[name], zeros)
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
		mutants = append(mutants, p.mutants()...)
	}
	number(mutants)
	return mutants, j.build(ctx, plans)
}

// build builds the test binary from the woven files, which the go command reads in place of those in the tree.
func (j *judge) build(ctx context.Context, plans []*plan) error {
	woven := map[string]string{"mutant.go": "package " + filepath.Base(j.dir) + helpers}
	for _, p := range plans {
		woven[p.name] = p.woven()
	}
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	for _, name := range slices.Sorted(maps.Keys(woven)) {
		file := filepath.Join(j.temp, name)
		if err := os.WriteFile(file, []byte(woven[name]), 0o600); err != nil {
			return err
		}
		overlay.Replace[filepath.Join(j.root, j.dir, name)] = file
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	file := filepath.Join(j.temp, "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return err
	}
	j.binary = filepath.Join(j.temp, "mutants.test")
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", file, "-o", j.binary, "./"+filepath.ToSlash(j.dir))
	cmd.Dir = j.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the woven package does not build: %v\n%s", err, out)
	}
	return nil
}

// sound fails when the woven package does not pass its tests with no mutant chosen.
func (j *judge) sound(ctx context.Context) error {
	for g := range groups {
		if killed, out := j.run(ctx, g, 0); killed {
			return fmt.Errorf("%s fail though no mutant is chosen:\n%s", groups[g].name, out)
		}
	}
	return nil
}

// verdict returns the group that kills the mutant, or survives.
func (j *judge) verdict(ctx context.Context, m *mutant) int {
	for g := range groups {
		if killed, _ := j.run(ctx, g, m.n); killed {
			return g
		}
	}
	return survives
}

// run runs a group of tests on a mutant and reports whether they fail, and what they print.
func (j *judge) run(ctx context.Context, group, mutant int) (bool, string) {
	ctx, cancel := context.WithTimeout(ctx, j.patience)
	defer cancel()
	args := append([]string{"-test.short", "-test.failfast"}, groups[group].args...)
	cmd := exec.CommandContext(ctx, j.binary, args...)
	cmd.Dir = filepath.Join(j.root, j.dir)
	cmd.Env = append(os.Environ(), fmt.Sprintf("AGUI_MUTANT=%d", mutant), "AGUI_SEED=1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return err != nil, strings.TrimSpace(out.String())
}
