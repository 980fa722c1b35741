package main

import (
	"fmt"
	"strings"
)

const pageHead = `# What the tests of the ordering machine would miss

A test proves something when it fails once the code is wrong. To find out what the tests of package ` + "`verify`" + ` prove,
` + "`make mutation`" + ` makes the code wrong: it removes or flips a condition, leaves out an operand, a statement, a case or a
member, exchanges an operator, returns a zero value, forgets the one of x + 1, keeps what it should copy. Each such change, a mutant, is tested by itself, with the
[case file](cases.md) first and then the table tests. Random runs (the model, the invariants, the seeds of the fuzz targets)
are asked last and do not count. This page is written by that command; it fails when less than %d of 100 mutants are killed,
or when one survives without a reason in ` + "`internal/mutation/survivors.txt`" + `.

`

// pageOf returns the page about results on files.
func pageOf(files []string, results []result, reasons []reason) string {
	var b strings.Builder
	fmt.Fprintf(&b, pageHead, least)
	b.WriteString("| File | Mutants | The case file kills | The table tests kill | Survive | Of these, random runs kill |\n|---|--:|--:|--:|--:|--:|\n")
	var all [survives + 1]int
	for _, file := range files {
		var by [survives + 1]int
		for _, r := range results {
			if r.file == file {
				by[r.by]++
				all[r.by]++
			}
		}
		row(&b, "`"+file+"`", by)
	}
	row(&b, "all", all)
	total := all[byCases] + all[byTables] + all[byRandom] + all[survives]
	fmt.Fprintf(&b, "\nKilled: %d of %d, which is %.1f of 100.\n", all[byCases]+all[byTables], total, 100*float64(all[byCases]+all[byTables])/float64(total))

	b.WriteString("\n## The survivors\n")
	for _, r := range reasons {
		b.WriteString("\n" + r.text + "\n\n")
		for _, key := range r.keys {
			fmt.Fprintf(&b, "* %s\n", code(key))
		}
	}
	return b.String()
}

func row(b *strings.Builder, name string, by [survives + 1]int) {
	left := by[byRandom] + by[survives]
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", name, by[byCases]+by[byTables]+left, by[byCases], by[byTables], left, by[byRandom])
}

// code returns text as code in Markdown.
func code(text string) string {
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}
