// Package clip shortens text that came from models and strangers before it goes into errors, logs and
// telemetry.
package clip

import (
	"strings"
	"unicode/utf8"
)

// Max is the length in bytes to which ids are cut.
const Max = 256

// ID returns id as valid UTF-8 of at most [Max] bytes, cut at the beginning of a character.
func ID(id string) string {
	return Cut(strings.ToValidUTF8(Cut(id), "\uFFFD")) // a replacement may be longer than what it replaces
}

// Cut returns s cut to at most [Max] bytes, at the beginning of a character.
func Cut(s string) string { return CutTo(s, Max) }

// CutTo returns s cut to most bytes at most, at the beginning of a character.
func CutTo(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := most
	for end > most-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
