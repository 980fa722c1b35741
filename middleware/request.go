package middleware

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/internal/sound"
)

// readInput returns the run that the request asks for, or a *Refusal. It reads the body to its end:
// net/http notices a client that leaves only when nothing of the body is left.
func readInput(r *http.Request, c *config) (*events.RunAgentInput, error) {
	if r.Method != http.MethodPost {
		return nil, &Refusal{
			Status:  http.StatusMethodNotAllowed,
			Code:    "method_not_allowed",
			Message: "a run is started with POST; a CORS preflight is answered by a CORS middleware in front of this handler",
			Header:  http.Header{"Allow": {http.MethodPost}},
		}
	}
	if !isJSON(r.Header.Get("Content-Type")) {
		return nil, &Refusal{
			Status:  http.StatusUnsupportedMediaType,
			Code:    "unsupported_media_type",
			Message: "the body must be JSON: send the header Content-Type: application/json",
		}
	}
	body, err := readBody(r, c.maxBody)
	if err != nil {
		return nil, err
	}
	if err := checkDepth(body, c.maxDepth); err != nil {
		return nil, err
	}
	in, err := decodeInput(body)
	if err != nil {
		return nil, err
	}
	if err := checkMessages(in, c.maxMessages); err != nil {
		return nil, err
	}
	return in, checkVersion(in)
}

// isJSON reports whether the content type is application/json or one that ends in +json, with any
// parameters. It keeps out what a form of another site may send without a CORS preflight.
func isJSON(contentType string) bool {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return false
	}
	return mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")
}

func readBody(r *http.Request, maxBody int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	err = sound.Error(err) // of a middleware's reader, perhaps
	if err == nil && int64(len(body)) <= maxBody {
		return body, nil
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, bodyTooLarge(tooLarge.Limit)
	case isAnswer(err):
		return nil, err // of a middleware that limits the body in its own way
	case err != nil:
		return nil, &Refusal{
			Status:  http.StatusBadRequest,
			Code:    "unreadable_body",
			Message: "the body could not be read to its end; send the request again",
		}
	}
	// A client that reads only when it has sent everything would not see the answer, so a body that is not
	// absurdly large is read all the same.
	_, _ = io.CopyN(io.Discard, r.Body, maxBody)
	return nil, bodyTooLarge(maxBody)
}

// isAnswer reports whether err says with which status to answer.
func isAnswer(err error) bool {
	_, deliberate := refusalOf(err)
	return deliberate
}

func bodyTooLarge(limit int64) error {
	return &Refusal{
		Status:  http.StatusRequestEntityTooLarge,
		Code:    "body_too_large",
		Message: fmt.Sprintf("the body has more than %d bytes: send less history or smaller attachments, or let the server raise the limit (middleware.WithMaxBody)", limit),
	}
}

// checkDepth refuses a body that is nested too deep for what walks over it: the agent's own code, a
// store, a template.
func checkDepth(body []byte, limit int) error {
	if limit <= 0 || !deeperThan(body, limit) {
		return nil
	}
	return &Refusal{
		Status:  http.StatusUnprocessableEntity,
		Code:    "too_deep",
		Message: fmt.Sprintf("the body is nested more than %d levels deep: flatten its state or forwardedProps, or let the server raise the limit (middleware.WithMaxDepth)", limit),
	}
}

// deeperThan reports whether more than limit arrays and objects are open at one place of a JSON text.
// Of a text that is not JSON it says nothing in particular.
func deeperThan(text []byte, limit int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// checkMessages refuses a thread that is too long.
func checkMessages(in *events.RunAgentInput, limit int) error {
	if limit <= 0 || len(in.Messages) <= limit {
		return nil
	}
	return &Refusal{
		Status:  http.StatusUnprocessableEntity,
		Code:    "too_many_messages",
		Message: fmt.Sprintf("the thread has %d messages, the limit is %d: send fewer, or let the server raise the limit (middleware.WithMaxMessages)", len(in.Messages), limit),
		Field:   "/messages",
	}
}

func decodeInput(body []byte) (*events.RunAgentInput, error) {
	in, err := events.DecodeInput(body)
	if err == nil {
		return in, nil
	}
	if field, ok := errors.AsType[*events.FieldError](err); ok {
		return nil, &Refusal{
			Status:  http.StatusUnprocessableEntity,
			Code:    "invalid_input",
			Message: "the body is not a RunAgentInput of AG-UI 1.0: " + reason(field),
			Field:   field.Pointer,
		}
	}
	return nil, &Refusal{
		Status:  http.StatusBadRequest,
		Code:    "invalid_json",
		Message: "the body is not JSON: " + strings.TrimPrefix(err.Error(), "events: ") + "; send a RunAgentInput as one JSON object",
	}
}

func reason(err *events.FieldError) string {
	return strings.TrimPrefix(err.Error(), "events: ")
}

// checkVersion refuses a client of a later major version. Any other is served as a client of 1.0: one
// that says nothing or speaks an older version, and, as the protocol wants it, one of a later minor
// version or with a version that cannot be read.
func checkVersion(in *events.RunAgentInput) error {
	version, _ := in.ProtocolVersion.Get()
	if laterMajor(version) {
		return &Refusal{
			Status:  http.StatusUnprocessableEntity,
			Code:    "unsupported_protocol_version",
			Message: fmt.Sprintf("this server speaks AG-UI %s, the request %q: use a client that can speak %[1]s", events.ProtocolVersion, clip.ID(version)),
			Field:   "/protocolVersion",
		}
	}
	return nil
}

// laterMajor reports whether version is MAJOR.MINOR with a major version above 1.
func laterMajor(version string) bool {
	major, minor, _ := strings.Cut(version, ".")
	if !isDigits(major) || !isDigits(minor) {
		return false
	}
	major = strings.TrimLeft(major, "0")
	return major != "" && major != "1"
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
