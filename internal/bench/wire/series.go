package wire

import (
	"math"

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
func (s series) noise(r measure.Ratio) float64 { return noise(s.ratio(twin, bare), r) }

func noise(twins, r measure.Ratio) float64 {
	return max(math.Abs(twins.Median-1)+twins.Noise, r.Noise)
}

// over is the median of what the rounds have, and how far it may be off: two standard errors, from the
// median of the distances, which an outlier does not move.
func (s series) over(ratio func(round int) float64) measure.Ratio {
	n := len(s[bare])
	ratios, distances := make([]float64, n), make([]float64, n)
	for round := range ratios {
		ratios[round] = ratio(round)
	}
	m := measure.Median(ratios)
	for round, r := range ratios {
		distances[round] = math.Abs(r - m)
	}
	// For a normal distribution the deviation is 1.483 times the median distance, and the standard error of
	// a median of n is 1.253 deviations over the root of n.
	return measure.Ratio{Median: m, Noise: 2 * 1.253 * 1.483 * measure.Median(distances) / math.Sqrt(float64(n)) / math.Abs(m)}
}
