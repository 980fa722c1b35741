// Package answer tells what an agent's answer is made of.
package answer

import (
	"net/http"
	"strings"
)

const (
	// SSE is the media type of a stream of Server-Sent Events.
	SSE = "text/event-stream"
	// Binary is that of the protocol's binary binding.
	Binary = "application/vnd.ag-ui.event+proto"
)

// MediaType returns the media type of an answer in lower case, whatever its parameters are like, and "" if
// it has none.
func MediaType(res *http.Response) string {
	media, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// Encoding returns the Content-Encoding of an answer that is not plain, "" if it is.
func Encoding(res *http.Response) string {
	coding := strings.TrimSpace(strings.Join(res.Header.Values("Content-Encoding"), ", "))
	if strings.EqualFold(coding, "identity") {
		return ""
	}
	return coding
}
