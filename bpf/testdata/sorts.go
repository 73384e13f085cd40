// Sorts, allocates and passes messages for 20 seconds.
package main

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

func sortTexts(count int) int {
	texts := make([]string, 0, count)
	for i := 0; i < count; i++ {
		texts = append(texts, fmt.Sprint(i*7919%count))
	}
	sort.Slice(texts, func(i, j int) bool { return strings.Compare(texts[i], texts[j]) < 0 })
	counts := map[string]int{}
	for _, text := range texts {
		counts[text]++
	}
	return len(counts)
}

func main() {
	results := make(chan int)
	go func() {
		for {
			results <- sortTexts(500)
		}
	}()
	sum := 0
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		sum += <-results
	}
	fmt.Println(sum)
}
