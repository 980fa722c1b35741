package main

import (
	"net/http"
	"strings"
)

const (
	// streamType is the media type of a stream of events.
	streamType = "text/event-stream"
	// binaryType is that of the protocol's binary binding.
	binaryType = "application/vnd.ag-ui.event+proto"
)

// mediaType returns the media type of an answer in lower case, whatever its parameters are like, and "" if
// it has none.
func mediaType(res *http.Response) string {
	media, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// encoding returns the Content-Encoding of an answer that is not plain, "" if it is.
func encoding(res *http.Response) string {
	coding := strings.TrimSpace(strings.Join(res.Header.Values("Content-Encoding"), ", "))
	if strings.EqualFold(coding, "identity") {
		return ""
	}
	return coding
}
