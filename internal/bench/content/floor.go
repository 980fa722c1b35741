package content

import (
	"sync"

	"github.com/agui-go/agui/emitter"
)

// messageID is as long as an id of package ids.
const messageID = "msg_019ad4a1c2f07d4c8e0b5a4f6d1c9b3e"

const (
	framePrefix = `data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"` + messageID + `","delta":"`
	frameSuffix = "\"}\n\n"
)

// null is a sink that does nothing.
type null struct{}

func (null) Write(p []byte) (int, error) { return len(p), nil }
func (null) Flush() error                { return nil }

// floor is R: the least that a writer for several goroutines does, for text that needs no escaping and
// events that need no check.
type floor struct {
	mu     sync.Mutex
	sink   emitter.Sink
	prefix []byte
	buffer []byte
}

func newFloor(sink emitter.Sink) *floor {
	return &floor{sink: sink, prefix: []byte(framePrefix)}
}

func (f *floor) write(delta string) error { return f.writeTo(f.prefix, delta) }

func (f *floor) writeTo(prefix []byte, delta string) error {
	f.mu.Lock()
	b := append(f.buffer[:0], prefix...)
	b = append(b, delta...)
	b = append(b, frameSuffix...)
	f.buffer = b
	_, err := f.sink.Write(b)
	f.mu.Unlock()
	return err
}
