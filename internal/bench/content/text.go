package content

import (
	"strings"
	"unicode/utf8"
)

// text is a kind of text that models write.
type text struct {
	name   string
	sample string
}

// The texts have no character that encoding/json escapes for the sake of HTML.
var texts = []text{
	{"ASCII", "The quick brown fox jumps over the lazy dog, and then it runs home to sleep. "},
	{"CJK", "敏捷的棕色狐狸跳过了懒狗。東京は今日も晴れです。한국어 문장도 있습니다。"},
	{"prose", "“It’s late,” she said — and left…\n“Wait!” he called, running after her 🙂. "},
	{"escaped JSON", "{\"city\":\"Paris\",\n\t\"path\":\"C:\\\\tmp\\\\x\",\n\t\"quote\":\"he said \\\"hi\\\"\"}\n"},
}

var sizes = []int{6, 16, 64, 1024, 65536}

// of returns size bytes of the text, or up to three more, so that it ends with a whole character.
func (t text) of(size int) string {
	long := strings.Repeat(t.sample, size/len(t.sample)+2)
	for !utf8.RuneStart(long[size]) {
		size++
	}
	return strings.Clone(long[:size])
}
