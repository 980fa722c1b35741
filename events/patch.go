package events

import "slices"

// Patch is a JSON Patch (RFC 6902). A nil Patch is written as an empty list.
//
//	Patch{Add("/todo/-", "buy milk"), Remove("/draft")}
type Patch []PatchOp

// The operations of a JSON Patch.
const (
	OpAdd     = "add"
	OpRemove  = "remove"
	OpReplace = "replace"
	OpMove    = "move"
	OpCopy    = "copy"
	OpTest    = "test"
)

var patchOps = []string{OpAdd, OpRemove, OpReplace, OpMove, OpCopy, OpTest}

// PatchOp is one operation of a [Patch].
type PatchOp struct {
	// Op is add, remove, replace, move, copy or test.
	Op string
	// Path is a JSON Pointer (RFC 6901); empty means the whole document.
	Path string
	// From is the source of a move or a copy, which cannot be written without it.
	From Opt[string]
	// Value is written for add, replace and test (absent as null), and otherwise when present.
	Value JSON
	extra JSON
	// opaque holds an operation whose op is none of the six, as it came.
	opaque JSON
	// err says why the constructor's value has no JSON form.
	err error
}

// Add returns the operation that inserts value at path. The value is encoded at once, as by [NewJSON]; if
// that fails, writing the operation returns a *[FieldError] that wraps the cause.
func Add(path string, value any) PatchOp { return newValueOp(OpAdd, path, value) }

// Replace returns the operation that replaces the value at path; see [Add].
func Replace(path string, value any) PatchOp { return newValueOp(OpReplace, path, value) }

// Test returns the operation that makes the whole patch fail unless value is at path; see [Add].
func Test(path string, value any) PatchOp { return newValueOp(OpTest, path, value) }

func newValueOp(op, path string, value any) PatchOp {
	j, err := NewJSON(value)
	return PatchOp{Op: op, Path: path, Value: j, err: err}
}

// Remove returns the operation that removes the value at path.
func Remove(path string) PatchOp { return PatchOp{Op: OpRemove, Path: path} }

// Move returns the operation that moves the value at from to path.
func Move(from, path string) PatchOp { return PatchOp{Op: OpMove, Path: path, From: Some(from)} }

// Copy returns the operation that copies the value at from to path.
func Copy(from, path string) PatchOp { return PatchOp{Op: OpCopy, Path: path, From: Some(from)} }

// AppendJSON appends the operation to dst as compact JSON.
func (p PatchOp) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	p.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (p PatchOp) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (p *PatchOp) UnmarshalJSON(data []byte) error { return unmarshal(data, p, "", false) }

// AppendJSON appends the patch to dst as a compact JSON array.
func (p Patch) AppendJSON(dst []byte) ([]byte, error) {
	out := append(dst, '[')
	for i, op := range p {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = op.AppendJSON(out); err != nil {
			fe := nested(err)
			fe.at(i)
			return dst, fe
		}
	}
	return append(out, ']'), nil
}

// MarshalJSON implements [json.Marshaler].
func (p Patch) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil) }

// patch is a required list of operations.
func (o *object) patch(name string, p *Patch) {
	for l := list(o, name, (*[]PatchOp)(p), required); l.next(o); {
		(*p)[l.i].members(o)
	}
}

func (p *PatchOp) members(o *object) {
	if o.mode == reading && !slices.Contains(patchOps, lastString(o.in, "op")) {
		p.Op = lastString(o.in, "op")
		if p.opaque = unknownMembers(o.in); p.opaque.IsZero() {
			p.opaque = JSON{text: "{}"}
		}
		return
	}
	if !p.opaque.IsZero() {
		o.rest(&p.opaque)
		return
	}
	enum(o, "op", &p.Op, required, patchOps)
	o.str("path", &p.Path)
	o.pointer("path", p.Path)
	p.from(o)
	p.value(o)
	o.rest(&p.extra)
}

// from is required for a move and a copy. Elsewhere it has no meaning and may be anything.
func (p *PatchOp) from(o *object) {
	if p.Op == OpMove || p.Op == OpCopy {
		o.opt("from", &p.From)
		if !p.From.set {
			o.fail("from", "is required")
		}
		o.pointer("from", p.From.value)
		return
	}
	if text := last(o.in, "from"); o.mode == writing || text != nil && text[0] == '"' {
		o.opt("from", &p.From)
	}
}

// value is required for an add, a replace and a test. Elsewhere it has no meaning and may be anything.
func (p *PatchOp) value(o *object) {
	if p.err != nil {
		o.nest("value", &FieldError{Reason: p.err.Error(), cause: p.err})
		return
	}
	need := p.Op == OpAdd || p.Op == OpReplace || p.Op == OpTest
	if need || !p.Value.IsZero() || last(o.in, "value") != nil {
		o.value("value", &p.Value)
	}
}

// pointer judges a JSON Pointer: empty, or tokens that each begin with a slash and in which a tilde is
// followed by 0 or 1.
func (o *object) pointer(name, p string) {
	if o.mode == writing || p == "" {
		return
	}
	if p[0] != '/' {
		o.fail(name, "want a JSON Pointer, empty or beginning with a slash, got "+excerpt(p))
		return
	}
	for i := range len(p) {
		if p[i] == '~' && (i+1 == len(p) || p[i+1] != '0' && p[i+1] != '1') {
			o.fail(name, "want a JSON Pointer, in which ~ is written ~0 and / is written ~1, got "+excerpt(p))
			return
		}
	}
}
