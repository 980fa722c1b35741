package wire

import (
	"github.com/agui-go/agui/internal/bench/measure"
)

// series has a figure of each kind for each round.
type series map[kind][]float64

func (s series) add(k kind, figure float64) { s[k] = append(s[k], figure) }

// median is the median over the rounds.
func (s series) median(k kind) float64 { return measure.Median(s[k]) }

// ratio is how many times the figure of b that of a is.
func (s series) ratio(a, b kind) measure.Ratio {
	return s.over(func(round int) float64 { return s[a][round] / s[b][round] })
}

// share is the ratio of what is left of a and b without base.
func (s series) share(a, b, base kind) measure.Ratio {
	return s.over(func(round int) float64 {
		return (s[a][round] - s[base][round]) / (s[b][round] - s[base][round])
	})
}

// noise is by which share two rows of the same code differ, or how far r may be off if that is more.
func (s series) noise(r measure.Ratio) float64 { return r.Beside(s.ratio(twin, bare)).Noise }

// over is the ratio of all rounds.
func (s series) over(ratio func(round int) float64) measure.Ratio {
	ratios := make([]float64, len(s[bare]))
	for round := range ratios {
		ratios[round] = ratio(round)
	}
	return measure.RatioOf(ratios)
}
