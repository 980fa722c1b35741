package emitter_test

import (
	"bytes"
	"testing"

	"github.com/agui-go/agui/emitter"
)

func TestContextCarriesTheEmitter(t *testing.T) {
	var outer, inner bytes.Buffer
	around := emitter.New(t.Context(), emitter.ToWriter(&outer), emitter.WithLogger(nil))
	defer around.Close(nil)
	em := emitter.New(around.Context(), emitter.ToWriter(&inner), emitter.WithLogger(nil))
	defer em.Close(nil)
	from, ok := emitter.FromContext(em.Context())
	if !ok {
		t.Fatal("the run's context carries no emitter")
	}
	must(t, from.RunStart("t", "r"))
	if !em.Started() || around.Started() {
		t.Errorf("started:\n got the run %t, the one around it %t\nwant true, false", em.Started(), around.Started())
	}
}
