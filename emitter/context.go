package emitter

import "context"

type contextKey struct{}

// NewContext returns a context that carries em, for [FromContext].
func NewContext(ctx context.Context, em *Emitter) context.Context {
	return context.WithValue(ctx, contextKey{}, em)
}

// FromContext returns the emitter that ctx carries, bound to ctx as by [Emitter.WithContext], and
// whether there is one.
func FromContext(ctx context.Context) (*Emitter, bool) {
	em, ok := ctx.Value(contextKey{}).(*Emitter)
	if !ok || em == nil {
		return nil, false
	}
	return em.WithContext(ctx), true
}
