// Burns CPU time in goroutines: three quarters in hotLoop, the rest in warmLoop.
package main

import (
	"os"
	"strconv"
	"sync"
	"syscall"
)

var sink float64

//go:noinline
func hotLoop(rounds int) float64 {
	value := 1.5
	for i := 0; i < rounds; i++ {
		value = value*1.0000001 + 0.5
	}
	return value
}

//go:noinline
func warmLoop(rounds int) float64 {
	value := 2.5
	for i := 0; i < rounds; i++ {
		value = value*1.0000003 + 0.25
	}
	return value
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	micros := usage.Utime.Usec + usage.Stime.Usec
	return float64(usage.Utime.Sec+usage.Stime.Sec) + float64(micros)/1e6
}

//go:noinline
func work(seconds float64) {
	for cpuSeconds() < seconds {
		sink = hotLoop(300000) + warmLoop(100000)
	}
}

func main() {
	seconds, _ := strconv.ParseFloat(os.Args[1], 64)
	var both sync.WaitGroup
	for i := 0; i < 2; i++ {
		both.Add(1)
		go func() {
			defer both.Done()
			work(seconds)
		}()
	}
	both.Wait()
}
