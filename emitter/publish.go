package emitter

import (
	"time"

	aguiotel "github.com/agui-go/agui/otel"
)

// publishEvery is how often a run that goes on publishes what its telemetry has counted.
const publishEvery = 5 * time.Second

// publishOften has the observers that measure publish what they count, as long as the run goes on.
func (r *run) publishOften() {
	if !r.observers.measure() {
		return
	}
	r.mu.Lock() // the timer's goroutine looks for the timer
	defer r.mu.Unlock()
	r.publisher = time.AfterFunc(publishEvery, r.publish)
}

// publish takes the lock, since counting is done under it.
func (r *run) publish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closing {
		return
	}
	r.observers.publish()
	r.publisher.Reset(publishEvery)
}

func (os observers) measure() bool {
	for _, o := range os {
		if t, ok := o.Observer.(*aguiotel.Run); ok && t.Measures() {
			return true
		}
	}
	return false
}

func (os observers) publish() {
	for _, o := range os {
		o.publish()
	}
}

func (o observer) publish() {
	defer o.recovered("Publish")
	if t, ok := o.Observer.(*aguiotel.Run); ok {
		t.Publish()
	}
}
