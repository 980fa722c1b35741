package instructions

import (
	"context"
	"fmt"
	"slices"

	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/wire/child"
)

// name is what a process is called that works under callgrind.
const name = "instructions"

// job is what a child is to do: the work of a row n times.
type job struct {
	Table, Row string
	N          int
}

// few and many are how often the work is done in the two processes whose difference counts. What begins and
// ends a process is in both, and what the runtime does besides is little beside so much work.
const (
	few       = 1_000
	many      = 41_000
	shortMany = 3_000
)

// Child does the work of a child when this process was started as one, and reports whether it was. Call it
// first in main, and return when it was.
func Child(tables []Table) bool {
	return child.Run(name, func(parent *child.Parent) error {
		var j job
		if err := parent.Next(&j); err != nil {
			return err
		}
		if err := j.do(tables); err != nil {
			return err
		}
		return parent.Answer(true)
	})
}

func (j job) do(tables []Table) error {
	i := slices.IndexFunc(tables, func(t Table) bool { return t.Name == j.Table })
	if i < 0 {
		return fmt.Errorf("instructions: there is no table %q", j.Table)
	}
	rows, end, err := tables[i].Open()
	if err != nil {
		return err
	}
	k := slices.IndexFunc(rows, func(r measure.Row) bool { return r.Name == j.Row })
	if k < 0 {
		return fmt.Errorf("instructions: table %q has no row %q", j.Table, j.Row)
	}
	if err := rows[k].Do(j.N); err != nil {
		return err
	}
	return end()
}

// perUnit returns how many instructions one unit of a row's work takes, by function.
func perUnit(ctx context.Context, table, row string, n int) (profile, error) {
	base, err := count(ctx, job{table, row, few})
	if err != nil {
		return nil, err
	}
	p, err := count(ctx, job{table, row, n})
	if err != nil {
		return nil, err
	}
	for function := range base {
		p[function] -= base[function]
	}
	for function := range p {
		p[function] /= float64(n - few)
	}
	return p, nil
}
