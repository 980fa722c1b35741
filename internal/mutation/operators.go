package main

import (
	"fmt"
	"go/ast"
	"go/token"
)

// The changes that make mutants, as they are called in reports.
const (
	opFlipped  = "condition flipped"
	opRemoved  = "condition removed"  // it never holds
	opOperand  = "operand removed"    // of && or ||
	opOperator = "operator exchanged" // && for ||, < for <=, ++ for --
	opDropped  = "statement removed"
	opZero     = "zero value"
	opFlag     = "true for false"
	opOne      = "without the one" // x for x + 1 or x - 1
	opShared   = "not copied"
	opCase     = "case removed"
)

// function finds the mutants of a function's body.
func (p *plan) function(typ *ast.FuncType, body *ast.BlockStmt) {
	p.walk(body, resultsOf(typ))
}

// walk finds the mutants of a part of a function with these results.
func (p *plan) walk(part ast.Node, results []string) {
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			p.function(n.Type, n.Body)
			return false
		case *ast.IfStmt:
			p.condition(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				p.flip(opFlipped, n.Cond)
			}
		case *ast.SwitchStmt:
			p.cases(n)
		case *ast.TypeSwitchStmt:
			p.types(n, results)
			return false
		case *ast.BlockStmt:
			p.statements(n.List)
		case *ast.CaseClause:
			p.statements(n.Body)
		case *ast.BinaryExpr:
			p.binary(n)
		case *ast.ReturnStmt:
			p.returns(n, results)
		case *ast.CompositeLit:
			p.members(n)
		case *ast.CallExpr:
			p.call(n)
		}
		return true
	})
}

func resultsOf(typ *ast.FuncType) []string {
	var types []string
	if typ.Results == nil {
		return nil
	}
	for _, field := range typ.Results.List {
		name := ""
		if ident, ok := field.Type.(*ast.Ident); ok {
			name = ident.Name
		}
		for range max(1, len(field.Names)) {
			types = append(types, name)
		}
	}
	return types
}

// condition makes mutants of what decides whether something is done.
func (p *plan) condition(cond ast.Expr) {
	p.flip(opFlipped, cond)
	p.add(opRemoved, cond, func(m *mutant, inner string) string {
		return fmt.Sprintf("(mutantOff(%d) && (%s))", m.n, inner)
	})
}

func (p *plan) flip(op string, e ast.Expr) {
	p.add(op, e, func(m *mutant, inner string) string { return fmt.Sprintf("mutantNot(%d, %s)", m.n, inner) })
}

// cases makes mutants of the cases of a switch: conditions, or one of several values.
func (p *plan) cases(n *ast.SwitchStmt) {
	for _, stmt := range n.Body.List {
		list := stmt.(*ast.CaseClause).List
		for i, e := range list {
			switch {
			case n.Tag == nil:
				p.condition(e)
			case len(list) > 1:
				other := p.text(list[(i+1)%len(list)])
				p.add(opCase, e, func(m *mutant, inner string) string {
					return fmt.Sprintf("mutantPick(%d, %s, %s)", m.n, inner, other)
				})
			}
		}
	}
}

// types finds the mutants of the cases of a type switch, and names the case in each.
func (p *plan) types(n *ast.TypeSwitchStmt, results []string) {
	fn := p.fn
	for _, stmt := range n.Body.List {
		clause := stmt.(*ast.CaseClause)
		p.fn = fn
		for _, typ := range clause.List {
			p.fn += " " + p.text(typ)
		}
		p.walk(clause, results)
	}
	p.fn = fn
}

// statements makes mutants without one of the statements of a block. A declaration stays, because what follows
// needs it, and a return is removed by removing its condition.
func (p *plan) statements(list []ast.Stmt) {
	for _, stmt := range list {
		switch s := stmt.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt:
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		default:
			continue
		}
		p.add(opDropped, stmt, func(m *mutant, inner string) string {
			return fmt.Sprintf("if mutantOff(%d) { %s }", m.n, inner)
		})
		if s, ok := stmt.(*ast.IncDecStmt); ok {
			other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[s.Tok]
			changed := p.text(s.X) + other
			p.add(opOperator, stmt, func(m *mutant, inner string) string {
				return fmt.Sprintf("if mutantOn(%d) { %s } else { %s }", m.n, changed, inner)
			})
		}
	}
}

// exchanged has the operators that a mutant has another for.
var exchanged = map[token.Token]token.Token{
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
}

func (p *plan) binary(n *ast.BinaryExpr) {
	if other, ok := exchanged[n.Op]; ok {
		changed := fmt.Sprintf("(%s) %s (%s)", p.text(n.X), other, p.text(n.Y))
		p.add(opOperator, n, func(m *mutant, inner string) string {
			return fmt.Sprintf("(mutantOn(%d) && (%s) || mutantOff(%d) && (%s))", m.n, changed, m.n, inner)
		})
	}
	switch n.Op {
	case token.LAND, token.LOR:
		p.operand(n.Op, n.X)
		p.operand(n.Op, n.Y)
	case token.ADD, token.SUB:
		if lit, ok := n.Y.(*ast.BasicLit); ok && lit.Value == "1" {
			other := p.text(n.X)
			p.add(opOne, n, func(m *mutant, inner string) string {
				return fmt.Sprintf("mutantPick(%d, %s, %s)", m.n, inner, other)
			})
		}
	}
}

// operand makes mutants of an operand of && or ||: it is left out, or a comparison is turned around.
func (p *plan) operand(op token.Token, e ast.Expr) {
	if b, ok := e.(*ast.BinaryExpr); ok {
		switch b.Op {
		case op:
			return // a chain: its operands have their turn
		case token.EQL, token.NEQ:
			p.flip(opFlipped, e)
		}
	}
	format := "(mutantOn(%d) || (%s))"
	if op == token.LOR {
		format = "(mutantOff(%d) && (%s))"
	}
	p.add(opOperand, e, func(m *mutant, inner string) string { return fmt.Sprintf(format, m.n, inner) })
}

// returns makes mutants that return the zero value, or the opposite truth.
func (p *plan) returns(n *ast.ReturnStmt, results []string) {
	if len(n.Results) != len(results) {
		return // the results of a call
	}
	for i, e := range n.Results {
		switch {
		case results[i] == "bool":
			p.flip(opFlipped, e)
		case !p.isZero(e):
			p.zero(e)
		}
	}
}

// members makes mutants that leave out a member of a struct.
func (p *plan) members(n *ast.CompositeLit) {
	for _, elt := range n.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		_, named := kv.Key.(*ast.Ident)
		if _, isMap := n.Type.(*ast.MapType); named && !isMap && !p.isZero(kv.Value) {
			p.zero(kv.Value)
			p.sites[len(p.sites)-1].mutant.place = onOneLine(p.text(kv))
		}
	}
}

func (p *plan) zero(e ast.Expr) {
	p.add(opZero, e, func(m *mutant, inner string) string { return fmt.Sprintf("mutantZero(%d, %s)", m.n, inner) })
}

// isZero reports whether e is a zero value, or one whose type only the compiler knows.
func (p *plan) isZero(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind != token.STRING || e.Value == `""`
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "false" || p.zeros[e.Name]
	}
	return false
}

// call makes mutants of the arguments true and false, and of copies that are not made.
func (p *plan) call(n *ast.CallExpr) {
	for _, arg := range n.Args {
		if ident, ok := arg.(*ast.Ident); ok && (ident.Name == "true" || ident.Name == "false") {
			p.flip(opFlag, arg)
		}
	}
	switch fun := p.text(n.Fun); fun {
	case "strings.Clone", "cloned":
		other := p.text(n.Args[0])
		p.add(opShared, n, func(m *mutant, inner string) string {
			return fmt.Sprintf("mutantPick(%d, %s, %s)", m.n, inner, other)
		})
	}
}
