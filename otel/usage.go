package aguiotel

import (
	"go.opentelemetry.io/otel/attribute"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
)

// usage returns the sums of the tokens that the terminal event names, and the provider and the model
// where all of them are of one. What no entry knows is left out.
func (t *Telemetry) usage(terminal events.Event) []attribute.KeyValue {
	var entries []events.TokenUsage
	switch end := terminal.(type) {
	case *events.RunFinished:
		entries = end.Usage
	case *events.RunError:
		entries = end.Usage
	}
	if len(entries) == 0 {
		return nil
	}
	var attrs []attribute.KeyValue
	for _, count := range []struct {
		key attribute.Key
		of  func(u events.TokenUsage) events.Opt[int64]
	}{
		{KeyInputTokens, func(u events.TokenUsage) events.Opt[int64] { return u.InputTokens }},
		{KeyOutputTokens, func(u events.TokenUsage) events.Opt[int64] { return u.OutputTokens }},
		{KeyCacheReadTokens, func(u events.TokenUsage) events.Opt[int64] { return u.CachedInputTokens }},
		{KeyCacheWriteTokens, func(u events.TokenUsage) events.Opt[int64] { return u.CacheWriteInputTokens }},
		{KeyReasoningTokens, func(u events.TokenUsage) events.Opt[int64] { return u.ReasoningTokens }},
	} {
		var sum int64
		var known bool
		for _, u := range entries {
			if n, ok := count.of(u).Get(); ok {
				sum, known = sum+n, true
			}
		}
		if known {
			attrs = append(attrs, count.key.Int64(sum))
		}
	}
	if name := common(entries, func(u events.TokenUsage) string { return u.Provider.Or("") }); name != "" && t.provider == "" {
		attrs = append(attrs, KeyProvider.String(clip.ID(name)))
	}
	if name := common(entries, func(u events.TokenUsage) string { return u.Model.Or("") }); name != "" {
		attrs = append(attrs, KeyModel.String(clip.ID(name)))
	}
	return attrs
}

// common returns what all entries say, or nothing.
func common(entries []events.TokenUsage, of func(events.TokenUsage) string) string {
	first := of(entries[0])
	for _, u := range entries[1:] {
		if of(u) != first {
			return ""
		}
	}
	return first
}
