//go:build aguinoverify

package build

// NoVerify reports whether the emitter is without its checks: the build has the tag aguinoverify.
const NoVerify = true
