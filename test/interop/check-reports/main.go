// Checks SARIF files with the schema in go-sarif, and prints their results.
package main

import (
	"fmt"
	"os"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

func main() {
	log, err := sarif.Open(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, run := range log.Runs {
		// The library writes missing fields as empty strings, which its own schema refuses.
		run.Language, run.Tool.Driver.Language = "en-US", "en-US"
		run.NewlineSequences = []string{"\n"}
	}
	if err := log.Validate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, run := range log.Runs {
		for _, result := range run.Results {
			fmt.Println(*result.RuleID, result.Level)
		}
	}
}
