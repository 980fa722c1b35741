package report

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

// Markdown writes a section: title, text, table, and what is out of reach.
func (s Section) Markdown(w io.Writer) {
	fmt.Fprintf(w, "## %s\n\n", s.Group.Title)
	if s.Result.About != "" {
		fmt.Fprintf(w, "%s\n\n", strings.TrimSpace(s.Result.About))
	}
	writeTable(w, s.Result.Header, s.Result.Rows)
	if s.Result.After != "" {
		fmt.Fprintf(w, "%s\n\n", strings.TrimSpace(s.Result.After))
	}
}

func writeTable(w io.Writer, header []string, rows [][]string) {
	if len(header) == 0 {
		return
	}
	line := func(cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	line(header)
	fmt.Fprintln(w, strings.Repeat("|---", len(header))+"|")
	for _, row := range rows {
		line(row)
	}
	fmt.Fprintln(w)
}

// Goals writes the list of goals and what became of them, and why some are out of reach.
func Goals(w io.Writer, sections []Section) {
	goals := goalsOf(sections)
	if len(goals) == 0 {
		return
	}
	var rows [][]string
	var whys []string
	about := map[string][]string{} // the goals that are out of reach, by why
	for _, g := range goals {
		state := string(g.State())
		if g.State() == Missed {
			state = "**" + state + "**"
		}
		rows = append(rows, []string{fmt.Sprint(g.Number), g.What, g.figure(g.Got), g.bound(), fmt.Sprintf("%.0f %%", 100*g.Noise), state})
		if g.State() == OutOfReach {
			if _, told := about[g.Why]; !told {
				whys = append(whys, g.Why)
			}
			about[g.Why] = append(about[g.Why], fmt.Sprintf("%d, %s", g.Number, g.What))
		}
	}
	fmt.Fprint(w, "## Goals\n\n")
	writeTable(w, []string{"#", "what", "got", "goal", "noise", ""}, rows)
	if len(whys) > 0 {
		fmt.Fprint(w, "Out of reach, and why:\n\n")
		for _, why := range whys {
			fmt.Fprintf(w, "- *%s*: %s.\n", strings.Join(about[why], "; "), why)
		}
		fmt.Fprintln(w)
	}
}

// Ratios writes the ratios beside those on record.
func Ratios(w io.Writer, sections []Section, record Record) {
	var rows [][]string
	for _, s := range sections {
		for _, r := range s.Result.Ratios {
			recorded := "-"
			if v, ok := record.Ratios[r.Name]; ok {
				recorded = compared(v)
			}
			rows = append(rows, []string{r.Name, compared(r.Got), recorded, fmt.Sprintf("%.0f %%", 100*r.Noise)})
		}
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(w, "## Ratios on record\n\nLess is better. The check fails when what one is about is worse than on record, by more than a tenth and the noise.\n\n")
	writeTable(w, []string{"", "now", "on record", "noise"}, rows)
}

// compared writes a figure that is compared with the one on record: a ratio, or bytes.
func compared(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

func (g Goal) figure(v float64) string {
	text := fmt.Sprintf("%.3g", v)
	if v >= 1000 || v <= -1000 {
		text = fmt.Sprintf("%.0f", v)
	}
	if g.Unit == "" {
		return text
	}
	return text + " " + g.Unit
}

func (g Goal) bound() string {
	if g.AtLeast {
		return "≥ " + g.figure(g.Want)
	}
	return "≤ " + g.figure(g.Want)
}

// Readme writes the lines for the README, in the order of their places.
func Readme(w io.Writer, sections []Section) {
	var lines []Line
	for _, s := range sections {
		lines = append(lines, s.Result.Lines...)
	}
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].Place < lines[j].Place })
	var rows [][]string
	for _, l := range lines {
		rows = append(rows, []string{l.What, l.Figure})
	}
	writeTable(w, []string{"", "measured"}, rows)
}
