package events

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestCapabilitiesRefuse(t *testing.T) {
	for _, c := range []struct{ text, pointer string }{
		{`{"identity":null}`, "/identity"},
		{`{"identity":{"name":5}}`, "/identity/name"},
		{`{"identity":{"metadata":[]}}`, "/identity/metadata"},
		{`{"transport":{"streaming":"yes"}}`, "/transport/streaming"},
		{`{"tools":{"items":[{"name":"n"}]}}`, "/tools/items/0/description"},
		{`{"output":{"supportedMimeTypes":[1]}}`, "/output/supportedMimeTypes/0"},
		{`{"multiAgent":{"subagents":[{}]}}`, "/multiAgent/subagents/0/name"},
		{`{"multimodal":{"input":{"pdf":null}}}`, "/multimodal/input/pdf"},
		{`{"execution":{"maxIterations":-1}}`, "/execution/maxIterations"},
		{`{"execution":{"maxExecutionTime":1.5}}`, "/execution/maxExecutionTime"},
		{`{"custom":[]}`, "/custom"},
	} {
		var fe *FieldError
		if err := json.Unmarshal([]byte(c.text), new(AgentCapabilities)); !errors.As(err, &fe) {
			t.Errorf("%s: got %v, want a *FieldError", c.text, err)
		} else if fe.Pointer != c.pointer {
			t.Errorf("%s: pointer\n got %s\nwant %s", c.text, fe.Pointer, c.pointer)
		}
	}
}
