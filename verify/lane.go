package verify

import (
	"strings"

	"github.com/agui-go/agui/events"
)

// lane is one stream that the client assembles from chunks: at most one for each tag.
type lane struct {
	tag  events.Opt[string]
	kind Kind
	id   string
	// What the opening chunk said: later ones may repeat it, not change it.
	role   events.Role
	name   events.Opt[string]
	parent events.Opt[string]
}

// lanes holds the streams being assembled. The zero lanes is ready to use.
type lanes struct {
	byTag map[events.Opt[string]]*lane
	byID  map[Kind]map[string]*lane
}

// laneStep says what a chunk does to the lanes.
type laneStep uint8

const (
	laneContinues laneStep = iota // adds to what its lane holds
	laneOpens                     // opens a stream, closing what its lane held
	laneAmbiguous                 // could continue several lanes
	laneForeign                   // names a stream of another tag's lane
	laneChanges                   // repeats what the opening chunk said with another value
	laneNameless                  // would open a stream without what that needs
	laneTaken                     // would open a stream under an id that a START opened
)

// resolve returns what the chunk a does, and the lane that it is about: the one that it continues,
// names or contradicts, else nil.
func (s *lanes) resolve(a *act, explicitlyOpen bool) (laneStep, *lane) {
	held := s.byTag[a.tag]
	if a.named && s.byID[a.kind][a.id] != nil {
		held = s.byID[a.kind][a.id]
		if a.tag.IsSet() && held.tag != a.tag {
			return laneForeign, held
		}
	} else if !a.named && !a.tag.IsSet() && (held == nil || held.kind != a.kind) {
		if len(s.byID[a.kind]) > 1 {
			return laneAmbiguous, nil
		}
		for _, only := range s.byID[a.kind] {
			held = only
		}
	}
	if held != nil && held.kind == a.kind && (!a.named || held.id == a.id) {
		if held.contradicts(a) {
			return laneChanges, held
		}
		return laneContinues, held
	}
	if !a.named || a.kind == KindToolCall && !a.name.IsSet() {
		return laneNameless, nil
	}
	if explicitlyOpen {
		return laneTaken, nil
	}
	return laneOpens, nil
}

// contradicts reports whether the chunk a repeats something with another value.
func (l *lane) contradicts(a *act) bool {
	changed := func(now, then events.Opt[string]) bool { return now.IsSet() && now != then }
	return a.role != "" && a.role != l.role || changed(a.name, l.name) || changed(a.parent, l.parent)
}

// open puts the stream that the chunk a opens into the lane of its tag.
func (s *lanes) open(a *act) {
	s.close(a.tag)
	if s.byTag == nil {
		s.byTag = make(map[events.Opt[string]]*lane)
		s.byID = make(map[Kind]map[string]*lane)
	}
	if s.byID[a.kind] == nil {
		s.byID[a.kind] = make(map[string]*lane)
	}
	l := &lane{
		tag: cloned(a.tag), kind: a.kind, id: strings.Clone(a.id),
		role: a.role, name: cloned(a.name), parent: cloned(a.parent),
	}
	if l.role == "" {
		l.role = events.RoleAssistant
	}
	s.byTag[l.tag] = l
	s.byID[l.kind][l.id] = l
}

// close closes the lane of tag.
func (s *lanes) close(tag events.Opt[string]) {
	if l := s.byTag[tag]; l != nil {
		delete(s.byTag, l.tag)
		delete(s.byID[l.kind], l.id)
	}
}

func (s *lanes) closeAll() {
	clear(s.byTag)
	for k := range s.byID {
		clear(s.byID[k])
	}
}

func (s *lanes) empty() bool { return len(s.byTag) == 0 }

func cloned(o events.Opt[string]) events.Opt[string] {
	if s, ok := o.Get(); ok {
		return events.Some(strings.Clone(s))
	}
	return o
}
