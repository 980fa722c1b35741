package measure

import (
	"math"
	"slices"
)

// Ratio is a median of ratios.
type Ratio struct {
	Median float64
	// Noise is two standard errors of the median as a share of it: a median of as many other rounds is seldom
	// further away.
	Noise float64
}

// RatioOf returns the median of the ratios of the rounds.
func RatioOf(ratios []float64) Ratio {
	m := Median(ratios)
	// For a normal distribution the quartiles are 1.349 deviations apart, and the median of n has a standard
	// error of 1.253 deviations over the root of n.
	iqr := quantile(ratios, 0.75) - quantile(ratios, 0.25)
	return Ratio{Median: m, Noise: 2 * 1.253 / 1.349 * iqr / math.Sqrt(float64(len(ratios))) / math.Abs(m)}
}

// Beside returns the ratio with at least the noise that the ratio of two rows of the same code shows: how far
// that is from 1, and how far it may be off.
func (r Ratio) Beside(twin Ratio) Ratio {
	return Ratio{Median: r.Median, Noise: math.Max(r.Noise, math.Abs(twin.Median-1)+twin.Noise)}
}

// Median returns the median of values, NaN for none.
func Median(values []float64) float64 { return quantile(values, 0.5) }

func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// Geomean returns the geometric mean of ratios that were measured one after the other. Their noises are not of
// one sign, so that of the mean is less.
func Geomean(ratios []Ratio) Ratio {
	var logs, squares float64
	for _, r := range ratios {
		logs += math.Log(r.Median)
		squares += r.Noise * r.Noise
	}
	n := float64(len(ratios))
	return Ratio{Median: math.Exp(logs / n), Noise: math.Sqrt(squares) / n}
}
