package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// least is the share of mutants, in percent, that the case file and the table tests must kill.
const least = 95

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("mutation", flag.ContinueOnError)
	workers := flags.Int("p", 1, "how many mutants to test at a time")
	only := flags.String("only", "", "test only mutants whose key matches this expression, and write no page")
	list := flags.Bool("list", false, "list the mutants and test none")
	if err := flags.Parse(args); err != nil {
		return err
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)

	begin := time.Now()
	files, err := sourceFiles(filepath.Join(root, "verify"))
	if err != nil {
		return err
	}
	j := &judge{root: root, dir: "verify", files: files, temp: temp, patience: 20 * time.Second}
	all, err := j.weave(ctx)
	if err != nil {
		return err
	}
	var mutants []*mutant
	for _, m := range all {
		if match.MatchString(m.key()) {
			mutants = append(mutants, m)
		}
	}
	if *list {
		for _, m := range mutants {
			fmt.Fprintf(out, "%s:%d\t%s\n", m.file, m.line, m.key())
		}
		return nil
	}
	if err := j.sound(ctx); err != nil {
		return err
	}
	results := judgeAll(ctx, j, mutants, *workers, out)
	if err := ctx.Err(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d mutants, %s\n", len(mutants), time.Since(begin).Round(time.Second))
	if *only != "" {
		return nil
	}
	return conclude(filepath.Join(root, "internal", "mutation", "survivors.txt"), filepath.Join(root, "docs", "mutation.md"), files, results)
}

// judgeAll returns the mutants with what killed each, in their order, and prints those that survive.
func judgeAll(ctx context.Context, j *judge, mutants []*mutant, workers int, out io.Writer) []result {
	results := make([]result, len(mutants))
	next := make(chan int)
	var wait sync.WaitGroup
	var printing sync.Mutex
	for range max(1, workers) {
		wait.Go(func() {
			for i := range next {
				r := result{mutants[i], j.verdict(ctx, mutants[i])}
				results[i] = r
				if r.by >= byRandom {
					printing.Lock()
					fmt.Fprintf(out, "%s:%d\t%s\t(%s)\n", r.file, r.line, r.key(), r.fate())
					printing.Unlock()
				}
			}
		})
	}
	for i := range mutants {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wait.Wait()
	return results
}

// sourceFiles returns the names of the files of a package that have code besides the table of rules.
func sourceFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		name := e.Name()
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && name != "doc.go" && name != "rule.go" {
			files = append(files, name)
		}
	}
	return files, nil
}

func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m: %w", err)
	}
	root := string(bytes.TrimSpace(out))
	if root == "" {
		return "", errors.New("not in a module: run it in the directory of this one")
	}
	return root, nil
}
