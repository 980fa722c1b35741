//go:build aguidebug

package build

// Debug reports whether violations panic by default: the build has the tag aguidebug.
const Debug = true
