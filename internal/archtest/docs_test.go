package archtest

import (
	"encoding/json"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocsOpenWithAProgram compiles the program that each library package's documentation opens with:
// a file of package main or, where the package is for tests, a test file.
func TestDocsOpenWithAProgram(t *testing.T) {
	ours, _ := load(t, "")
	temp := t.TempDir()
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	args := []string{"list", "-export", "-test", "-overlay", filepath.Join(temp, "overlay.json")}
	for _, p := range ours {
		if row, ok := rowOf(p.path()); !ok || row.kind != library {
			continue
		}
		program := firstProgram(t, p)
		if program == "" {
			t.Errorf("%s: doc.go does not open with a complete program: a code block that begins with "+
				"a package clause, before the first heading", p.ImportPath)
			continue
		}
		// The file is in the module for the go command alone: so it may import its packages.
		name := strings.ReplaceAll(p.path(), "/", "_")
		file := filepath.Join(temp, name+".go")
		writeFile(t, file, []byte(program))
		dir := filepath.Join("internal", "archtest", "testprograms", name)
		base := "program.go"
		if strings.Contains(program, `"testing"`) {
			base = "program_test.go"
		}
		overlay.Replace[filepath.Join(root(t), dir, base)] = file
		args = append(args, "./"+filepath.ToSlash(dir))
	}
	if len(overlay.Replace) == 0 {
		t.Fatal("no program was found")
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(temp, "overlay.json"), data)
	goCommand(t, args...) // -export compiles, and links nothing
}

// firstProgram returns the program in the documentation of a package that stands before its first
// heading, empty when there is none.
func firstProgram(t *testing.T, p pkg) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, "doc.go"), nil, parser.ParseComments)
	if err != nil {
		t.Errorf("%s: %v", p.ImportPath, err)
		return ""
	}
	return programIn(file.Doc)
}

func programIn(group *ast.CommentGroup) string {
	var parser comment.Parser
	for _, block := range parser.Parse(group.Text()).Content {
		switch block := block.(type) {
		case *comment.Heading:
			return ""
		case *comment.Code:
			if strings.HasPrefix(block.Text, "package ") {
				return block.Text
			}
		}
	}
	return ""
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
