// Package report holds what the benchmarks find, in the form in which it is printed and judged.
package report

import (
	"context"
	"io"
	"time"
)

// DefaultRounds is how often each row takes its turn when [Options] do not say.
const DefaultRounds = 15

// Group is one table of the report: rows that were measured together.
type Group struct {
	Key     string // what selects it on the command line
	Title   string
	Measure func(context.Context, Options) (*Result, error)
}

// Options say how to measure.
type Options struct {
	Rounds   int           // how often each row takes its turn; the medians of the rounds count
	Turn     time.Duration // how long a turn is for rows in this process; zero: 3 ms
	Short    bool          // everything once, small: it shows that the measuring works
	Progress io.Writer     // lines for whoever waits; may be nil
	Bench    io.Writer     // lines in the format of go test -bench, for benchstat; may be nil
}

// Result is what a group found.
type Result struct {
	About  string // what was measured and how to read it, as Markdown
	Header []string
	Rows   [][]string
	After  string // what is out of reach and why, as Markdown; may be empty
	Goals  []Goal
	Ratios []Ratio
	Orders []Order
	Twins  []Twin
	Lines  []Line
}

// Goal is a figure that is to be reached.
type Goal struct {
	Number  int    // its row in the list of goals, from 1
	What    string // such as "ASCII 64 B by id, against the floor"
	Got     float64
	Want    float64
	AtLeast bool    // Got is to be at least Want; otherwise at most
	Noise   float64 // by which share two rows of the same code differ: a miss has to be larger
	Unit    string  // such as "x" or "B"
	Why     string  // why it is out of reach, and what the floor is; empty: a miss fails the check
}

// Ratio is a figure that is compared with the one on record, so that a change for the worse is noticed
// where a goal is far away, too. Less is better. It need not be a ratio: bytes that hardly change will do.
type Ratio struct {
	Name  string
	Got   float64
	Noise float64
	// Thing is what the ratio is about, where there are several, each against something else. They fail
	// together only: what got slower is so against everything, and a machine that is faster at one thing than
	// yesterday and not at another moves one of them.
	Thing string
}

// Order is a relation that cannot be otherwise unless rows were mixed up: a floor is below what it is the
// floor of.
type Order struct {
	What  string  // such as "json.Marshal takes longer than ours"
	Got   float64 // the one that has to be larger, over the other
	Noise float64
}

// Twin is the ratio of two rows of the same code.
type Twin struct {
	What string // such as "R again takes as long as R"
	Got  float64
}

// Line is one of the figures that the README quotes.
type Line struct {
	Place  int // from 1
	What   string
	Figure string
}
