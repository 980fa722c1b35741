package middleware

import (
	"context"
	"log/slog"

	"github.com/agui-go/agui/internal/clip"
)

// log returns the logger to use now.
func (c *config) log() *slog.Logger {
	if c.logger == nil {
		return slog.Default()
	}
	return c.logger
}

// note logs. A log handler that panics must not take the answer, or the process, with it.
func (c *config) note(ctx context.Context, level slog.Level, message string, attrs ...slog.Attr) {
	defer func() { _ = recover() }()
	c.log().LogAttrs(ctx, level, message, attrs...) //nolint:sloglint // the callers have literals
}

// logAttrs logs about the run. A log handler may write through the emitter of its context, and waits if a
// write is stuck: log when the run's end does not wait for it.
func (u *run) logAttrs(level slog.Level, message string, attrs ...slog.Attr) {
	u.note(u.em.Context(), level, message, u.identified(attrs)...)
}

// logLocked is logAttrs for who may hold the emitter's lock: the context does not carry the emitter.
func (u *run) logLocked(level slog.Level, message string, attrs ...slog.Attr) {
	u.note(u.outer.Context, level, message, u.identified(attrs)...)
}

// identified adds which run it is.
func (u *run) identified(attrs []slog.Attr) []slog.Attr {
	return append(attrs, slog.String("thread", clip.ID(u.input.ThreadID)), slog.String("run", clip.ID(u.input.RunID)))
}
