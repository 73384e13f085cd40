// Reads dashboards strictly with the types that Grafana generates from its schemas: fields that are
// unknown, missing or of another type are errors. Prints a line for each fault.
package main

import (
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func main() {
	plugins.RegisterDefaultPlugins()
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		if err != nil {
			fmt.Println(path, err)
			continue
		}
		var read dashboard.Dashboard
		tell(path, read.UnmarshalJSONStrict(text))
		tell(path, read.Validate())
	}
}

// Some of these types return an error that is an empty list of faults.
func tell(path string, err error) {
	if err != nil && err.Error() != "" {
		fmt.Printf("%s: %v\n", path, err)
	}
}
