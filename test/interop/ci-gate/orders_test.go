// The benchmark of Serve.
package orders

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkServe(b *testing.B) {
	lines := make([]string, 200)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"customer": "customer %d", "cents": %d}`, i%50, i)
	}
	request := []byte("[" + strings.Join(lines, ",") + "]")
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if _, err := Serve(request); err != nil {
			b.Fatal(err)
		}
	}
}
