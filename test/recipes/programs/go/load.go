// The load: hot and cool, at fixed intervals.
package main

import (
	"strconv"
	"sync"
	"time"
)

const pause = 50 * time.Millisecond

var lock sync.Mutex

//go:noinline
func hot(steps int) (sum uint64) {
	for i := 0; i < steps; i++ {
		sum = sum*31 + uint64(i)
	}
	return sum
}

//go:noinline
func cool(steps int) (sum uint64) {
	for i := 0; i < steps; i++ {
		sum = sum*7 + uint64(i)
	}
	return sum
}

// work does the same work forever, at fixed intervals: hot takes three times as long as cool.
func work() {
	var sum uint64
	words := map[string]int{}
	for next := time.Now(); ; next = next.Add(pause) {
		time.Sleep(time.Until(next))
		sum += hot(2_100_000) + cool(700_000)
		var group sync.WaitGroup
		for range 2 {
			group.Add(1)
			go func() {
				defer group.Done()
				for i := 0; i < 200; i++ {
					lock.Lock()
					words[strconv.Itoa(i)] += int(sum % 2)
					lock.Unlock()
				}
			}()
		}
		group.Wait()
	}
}
