package middleware

import (
	"fmt"
	"net/http"
)

const codeCannotStream = "cannot_stream"

// canStream returns a *Refusal when what is written to w cannot be flushed to the client. It judges
// the innermost writer that can be reached: wrappers have a Flush method whether or not what they
// wrap can flush, and some panic in it.
func canStream(w http.ResponseWriter) error {
	w = innermost(w)
	switch w.(type) {
	case interface{ FlushError() error }, http.Flusher:
		return nil
	}
	return &Refusal{
		Status: http.StatusInternalServerError,
		Code:   codeCannotStream,
		Message: fmt.Sprintf("the response cannot be streamed: the writer %T has neither Flush nor Unwrap; "+
			"leave the middleware that adds it (a timeout or logging middleware, often) out of this route, or give its writer a method Unwrap() http.ResponseWriter", w),
	}
}

// innermost follows Unwrap as far as it leads.
func innermost(w http.ResponseWriter) http.ResponseWriter {
	for {
		wrapper, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return w
		}
		inner := wrapper.Unwrap()
		if inner == nil {
			return w
		}
		w = inner
	}
}
