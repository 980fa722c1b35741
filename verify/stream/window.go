package stream

import "bytes"

const (
	// readSize is the least room that a reader is given, in bytes.
	readSize = 32 << 10
	// idleSize is the largest buffer that is kept once what made it grow has passed.
	idleSize = 8 * readSize
)

// window holds the bytes of the stream that have come and are not consumed. What was consumed last stays
// valid until more bytes come.
type window struct {
	buf    []byte
	from   int   // buf[from:] is not consumed
	offset int64 // of buf[from] in the stream
	line   int   // the line ends before buf[from]
	cr     bool  // what was passed last was a CR
}

func (w *window) rest() []byte { return w.buf[w.from:] }

// consume moves over n bytes without a line end.
func (w *window) consume(n int) {
	w.from += n
	w.offset += int64(n)
}

// pass moves over n bytes, whatever they are. LF, CR and CRLF are line ends.
func (w *window) pass(n int) {
	text := w.rest()[:n]
	w.line += bytes.Count(text, []byte{'\n'}) + bytes.Count(text, []byte{'\r'}) - bytes.Count(text, []byte("\r\n"))
	if n > 0 {
		if w.cr && text[0] == '\n' {
			w.line--
		}
		w.cr = text[n-1] == '\r'
	}
	w.consume(n)
}

// room returns space to read into; grew says how much of it was used.
func (w *window) room() []byte {
	w.reserve(readSize)
	return w.buf[len(w.buf):cap(w.buf)]
}

func (w *window) grew(n int) { w.buf = w.buf[:len(w.buf)+n] }

func (w *window) write(p []byte) {
	w.reserve(len(p))
	w.buf = append(w.buf, p...)
}

// reserve makes space for n more bytes. It moves what is left to the front when that is cheap beside what
// was consumed, so that a long event which comes in small pieces is not moved for each.
func (w *window) reserve(n int) {
	rest := len(w.buf) - w.from
	switch {
	case cap(w.buf) > idleSize && rest+n <= 2*readSize:
		w.move(make([]byte, 0, 2*readSize))
	case cap(w.buf)-len(w.buf) >= n:
	case rest+n <= cap(w.buf) && rest <= cap(w.buf)/2:
		w.move(w.buf[:0])
	default:
		w.move(make([]byte, 0, 2*(rest+n)))
	}
}

func (w *window) move(into []byte) { w.buf, w.from = append(into, w.rest()...), 0 }
