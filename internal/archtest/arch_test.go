package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

func TestRowsNameOnlyRowsAboveThem(t *testing.T) {
	above := make(map[string]bool)
	for _, r := range house {
		if above[r.path] {
			t.Errorf("house: %q is listed twice", r.path)
		}
		for _, use := range r.uses {
			if !above[use] {
				t.Errorf("house: %q uses %q, which is not above it in the table", r.path, use)
			}
		}
		above[r.path] = true
	}
}

func TestEveryPackageHasARow(t *testing.T) {
	ours, _ := load(t, "")
	for _, p := range ours {
		if _, ok := rowOf(p.path()); !ok {
			t.Errorf("package %s is not in the table of packages: add a row to house in "+
				"internal/archtest/house_test.go that says what it may import", p.ImportPath)
		}
	}
}

func TestImportsFollowTheTable(t *testing.T) {
	for _, tags := range builds {
		ours, foreign := load(t, tags)
		for _, p := range ours {
			row, ok := rowOf(p.path())
			if !ok {
				continue // TestEveryPackageHasARow says so
			}
			for _, imported := range p.Imports {
				if !row.allows(imported, foreign[imported], ours) {
					t.Errorf("-tags %q: %s imports %s, which its row does not allow\npackages: %q\n modules: %q",
						tags, p.ImportPath, imported, row.uses, row.modules)
				}
			}
		}
	}
}

// TestModulesOfLibraryPackages proves what a library package brings into a user's binary: the modules
// of its row and of the rows that it uses, what those bring, and no other.
func TestModulesOfLibraryPackages(t *testing.T) {
	for _, tags := range builds {
		ours, foreign := load(t, tags)
		for _, p := range ours {
			row, ok := rowOf(p.path())
			if !ok || row.kind != library {
				continue
			}
			allowed := row.reaches()
			refused := make(map[string]string) // a module and one of its packages
			for _, dep := range p.Deps {
				module := foreign[dep]
				if module != "" && !slices.Contains(allowed, module) && !slices.Contains(allowed, brought[module]) {
					refused[module] = dep
				}
			}
			for module, dep := range refused {
				t.Errorf("-tags %q: %s depends on the module %s (package %s)\nallowed modules, and what they bring: %q",
					tags, p.ImportPath, module, dep, allowed)
			}
		}
	}
}

func TestNoInitFunctions(t *testing.T) {
	ours, _ := load(t, "")
	for _, p := range ours {
		for _, name := range p.GoFiles {
			path := filepath.Join(p.Dir, name)
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, decl := range file.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s has an init function: an import must do nothing", path)
				}
			}
		}
	}
}

// allows reports whether the row may import a package, which is of the module named, of this one, or,
// when neither, of the standard library.
func (r room) allows(imported, module string, ours []pkg) bool {
	if module != "" {
		return slices.Contains(r.modules, module)
	}
	i := slices.IndexFunc(ours, func(p pkg) bool { return p.ImportPath == imported })
	if i < 0 {
		return true
	}
	row, ok := rowOf(ours[i].path())
	return ok && (row.kind == ground || slices.Contains(r.uses, row.path))
}

// reaches returns the modules of the row and of the rows that it uses.
func (r room) reaches() []string {
	reached := slices.Clone(r.modules)
	for _, use := range r.uses {
		row, _ := rowOf(use)
		reached = append(reached, row.reaches()...)
	}
	slices.Sort(reached)
	return slices.Compact(reached)
}

func rowOf(path string) (room, bool) {
	i := slices.IndexFunc(house, func(r room) bool { return r.path == path })
	if i < 0 {
		return room{}, false
	}
	return house[i], true
}
