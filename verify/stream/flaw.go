package stream

import "fmt"

// Flaw is something in the framing of Server-Sent Events that this package reads over and the official
// client does not: its run fails, or it sees no events. It is an error, so that errors.Is tells which one
// a [Finding] is about. The zero Flaw is none. Each is found once in a stream, where it comes first.
type Flaw uint8

const (
	// FlawCRLF is an event that only "\r\n\r\n" sets apart from the one before it: the client cuts at
	// "\n\n" alone, and takes both for one event.
	FlawCRLF Flaw = iota + 1
	// FlawCR is a stream whose lines end with CR alone.
	FlawCR
	// FlawDone is the sentinel [DONE] that other protocols end with.
	FlawDone
	// FlawEmptyData is an event whose data is empty.
	FlawEmptyData
	// FlawOversize is an event longer than the 10 MiB that the client keeps of one.
	FlawOversize
	numFlaws
)

var flawTable = [numFlaws]struct{ name, sentence, remedy string }{
	FlawCRLF: {
		"CRLF",
		"the lines end with CRLF, and the official client cuts events at two LF in a row only: it takes this event and the one before it for one",
		"end lines with LF alone",
	},
	FlawCR: {
		"CR",
		"the lines end with CR alone, and the official client knows lines that end with LF only",
		"end lines with LF alone",
	},
	FlawDone: {
		"Done",
		"[DONE] is no JSON, and the official client fails the run at it",
		"send nothing after the terminal event, and close the response",
	},
	FlawEmptyData: {
		"EmptyData",
		"the event has no data, and the official client fails the run at it",
		"send a comment line (\": ping\") to keep the connection alive",
	},
	FlawOversize: {
		"Oversize",
		"the event is longer than the 10 MiB that the official client accepts",
		"send less at once: split the text into several content events, or the state into deltas",
	},
}

// Flaws returns all flaws in the order of their constants.
func Flaws() []Flaw {
	return []Flaw{FlawCRLF, FlawCR, FlawDone, FlawEmptyData, FlawOversize}
}

// String returns the flaw's name: CRLF, CR, Done, EmptyData or Oversize.
func (f Flaw) String() string {
	if f == 0 || f >= numFlaws {
		return fmt.Sprintf("flaw(%d)", uint8(f))
	}
	return flawTable[f].name
}

// Error returns the flaw's name and what it is.
func (f Flaw) Error() string { return "agui framing " + f.String() + ": " + f.Sentence() }

// Sentence says what is wrong.
func (f Flaw) Sentence() string {
	if f >= numFlaws {
		return ""
	}
	return flawTable[f].sentence
}

// Remedy says what to do instead.
func (f Flaw) Remedy() string {
	if f >= numFlaws {
		return ""
	}
	return flawTable[f].remedy
}
