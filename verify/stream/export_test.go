package stream

import "io"

// CountDocuments cuts a stream of Server-Sent Events and counts what it cuts.
func CountDocuments(src io.Reader) (int, error) {
	s := scanner{limit: DefaultLimit}
	form := new(sse)
	for n := 0; ; {
		switch _, err := form.next(&s); err {
		case nil:
			n++
		case errMore:
			s.fill(src)
		case io.EOF:
			return n, nil
		default:
			return n, err
		}
	}
}
