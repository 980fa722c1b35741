//go:build aguidebug && aguinoverify

package build

// The identifier is undefined on purpose: its name is the compile error's text.
const _ = the_build_tags_aguidebug_and_aguinoverify_exclude_each_other__use_one
