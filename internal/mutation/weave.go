package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// site is a piece of source text and a mutant of it.
type site struct {
	from, to int // offsets in the source
	mutant   *mutant
	// weave returns text that does what inner does unless the mutant is chosen. inner is the piece with what
	// is woven into it.
	weave func(m *mutant, inner string) string
}

// helpers is what woven code calls. The mutant is chosen when the process starts.
const helpers = `

import (
	"os"
	"runtime/debug"
	"strconv"
)

var mutantChosen = func() int {
	debug.SetMaxStack(64 << 20) // a mutant that recurses for ever ends soon
	n, _ := strconv.Atoi(os.Getenv("AGUI_MUTANT"))
	return n
}()

func mutantOn(n int) bool  { return mutantChosen == n }
func mutantOff(n int) bool { return mutantChosen != n }

func mutantNot(n int, b bool) bool { return b != (mutantChosen == n) }

func mutantZero[T any](n int, v T) T {
	if mutantChosen == n {
		var zero T
		return zero
	}
	return v
}

func mutantPick[T any](n int, v, other T) T {
	if mutantChosen == n {
		return other
	}
	return v
}
`

// plan is the mutants of one file.
type plan struct {
	name  string
	src   string
	fset  *token.FileSet
	sites []*site
	fn    string          // the function that is being looked at
	zeros map[string]bool // the constants that are zero
}

// newPlan finds the mutants of a source file. zeros has the names of the package's constants that are zero.
func newPlan(name, src string, zeros map[string]bool) (*plan, error) {
	p := &plan{name: name, src: src, fset: token.NewFileSet(), zeros: zeros}
	file, err := parser.ParseFile(p.fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
			p.fn = nameOf(fn)
			p.function(fn.Type, fn.Body)
		}
	}
	// Outer pieces before inner ones, and in the order of the source.
	slices.SortStableFunc(p.sites, func(a, b *site) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	return p, nil
}

// zeroConstants returns the first constants of the enumerations in a source file.
func zeroConstants(src string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST {
			continue
		}
		first := gen.Specs[0].(*ast.ValueSpec)
		if value, ok := first.Values[0].(*ast.Ident); ok && value.Name == "iota" {
			names = append(names, first.Names[0].Name)
		}
	}
	return names, nil
}

func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	recv := fn.Recv.List[0].Type
	if star, ok := recv.(*ast.StarExpr); ok {
		recv = star.X
	}
	return recv.(*ast.Ident).Name + "." + fn.Name.Name
}

// add adds a mutant of a piece of the source.
func (p *plan) add(op string, n ast.Node, weave func(m *mutant, inner string) string) {
	p.sites = append(p.sites, &site{
		from: p.offset(n.Pos()), to: p.offset(n.End()), weave: weave,
		mutant: &mutant{file: p.name, line: p.fset.Position(n.Pos()).Line, fn: p.fn, op: op, place: onOneLine(p.text(n))},
	})
}

func (p *plan) offset(pos token.Pos) int { return p.fset.Position(pos).Offset }

// text returns a node as it is in the source.
func (p *plan) text(n ast.Node) string { return p.src[p.offset(n.Pos()):p.offset(n.End())] }

// mutants returns the mutants of the file in the order of the source.
func (p *plan) mutants() []*mutant {
	var list []*mutant
	for _, s := range p.sites {
		list = append(list, s.mutant)
	}
	return list
}

// woven returns the source with all mutants in it. They must have their numbers.
func (p *plan) woven() string { return p.piece(0, len(p.src), p.sites) }

// piece returns the source from one offset to another with sites, which all lie inside, woven into it.
func (p *plan) piece(from, to int, sites []*site) string {
	var b strings.Builder
	at := from
	for len(sites) > 0 {
		outer := sites[0]
		// The sites on the same piece, and those inside of it.
		same := slices.IndexFunc(sites, func(s *site) bool { return s.from != outer.from || s.to != outer.to })
		if same < 0 {
			same = len(sites)
		}
		end := slices.IndexFunc(sites, func(s *site) bool { return s.from >= outer.to })
		if end < 0 {
			end = len(sites)
		}
		inner := p.piece(outer.from, outer.to, sites[same:end])
		for _, s := range slices.Backward(sites[:same]) { // a statement was found before the expression that it is
			inner = s.weave(s.mutant, inner)
		}
		b.WriteString(p.src[at:outer.from] + inner)
		at, sites = outer.to, sites[end:]
	}
	b.WriteString(p.src[at:to])
	return b.String()
}
