package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
)

// Record is what a run of the benchmarks found, for later ones to compare with.
type Record struct {
	Machine string             `json:"machine"` // where it was measured: ratios differ by the processor
	Ratios  map[string]float64 `json:"ratios"`
}

// ParseRecord reads a record that [Record.Write] wrote.
func ParseRecord(text []byte) (Record, error) {
	var r Record
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return Record{}, fmt.Errorf("report: the record cannot be read: %w", err)
	}
	return r, nil
}

// With returns the record with the ratios of the sections in place of those of the same name.
func (r Record) With(machine string, sections []Section) Record {
	ratios := map[string]float64{}
	for name, v := range r.Ratios {
		ratios[name] = v
	}
	for _, s := range sections {
		for _, v := range s.Result.Ratios {
			ratios[v.Name] = math.Round(v.Got*1e4) / 1e4
		}
	}
	return Record{Machine: machine, Ratios: ratios}
}

// Write writes the record to a file.
func (r Record) Write(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("report: the record cannot be written: %w", err)
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
