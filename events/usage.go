package events

// TokenUsage counts the tokens of one provider and model (AG-UI 1.0, token usage). Absent is not
// zero: leave a count that is not known absent. Counts are integers from 0 to 2^53-1.
type TokenUsage struct {
	Provider Opt[string]
	Model    Opt[string]
	// InputTokens and OutputTokens are totals: the counts below are parts of them.
	InputTokens           Opt[int64]
	OutputTokens          Opt[int64]
	TotalTokens           Opt[int64]
	ReasoningTokens       Opt[int64]
	CachedInputTokens     Opt[int64]
	CacheWriteInputTokens Opt[int64]
	extra                 JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (u TokenUsage) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	u.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (u TokenUsage) MarshalJSON() ([]byte, error) { return u.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (u *TokenUsage) UnmarshalJSON(data []byte) error { return unmarshal(data, u, "", false) }

func (u *TokenUsage) members(o *object) {
	o.opt("provider", &u.Provider)
	o.opt("model", &u.Model)
	o.integer("inputTokens", &u.InputTokens, 0)
	o.integer("outputTokens", &u.OutputTokens, 0)
	o.integer("totalTokens", &u.TotalTokens, 0)
	o.integer("reasoningTokens", &u.ReasoningTokens, 0)
	o.integer("cachedInputTokens", &u.CachedInputTokens, 0)
	o.integer("cacheWriteInputTokens", &u.CacheWriteInputTokens, 0)
	o.rest(&u.extra)
}

// usage is an optional list of token counts.
func (o *object) usage(name string, p *[]TokenUsage) {
	for l := list(o, name, p, optional); l.next(o); {
		(*p)[l.i].members(o)
	}
}
