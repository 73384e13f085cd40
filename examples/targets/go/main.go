// A Go program to profile: heavy does three times the work of light, in time and in memory.
//
//	go run . --listen 127.0.0.1:6061
package main

import (
	"flag"
	"fmt"
	"math/rand"
	"net"
	"net/http"
	_ "net/http/pprof" // adds /debug/pprof/* to http.DefaultServeMux
	"os"
	"runtime"
	"time"
)

// stepsPerShare takes about 6 ms; a round is three shares of heavy and one of light.
const stepsPerShare = 4_000_000

// pause follows each round, so that the program uses less than half of a core.
const pause = 36 * time.Millisecond

// The memory of the last rounds is kept: one block for each share.
const (
	blockBytes = 32 << 10
	roundsKept = 200
)

var (
	state uint64 = 1
	kept  [roundsKept][][]byte
)

func main() {
	address := flag.String("listen", "127.0.0.1:6061", "host:port to serve on; port 0 is any free one")
	flag.Parse()
	runtime.MemProfileRate = blockBytes // by default one in 512 KiB: too rare for so small a program
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		fmt.Fprintf(os.Stderr, "cannot listen: %v\n", err)
		os.Exit(1)
	}
	fmt.Printf("listening on %s\n", listener.Addr())
	go work()
	fmt.Fprintln(os.Stderr, http.Serve(listener, nil))
	os.Exit(1)
}

func work() {
	for round := 0; ; round++ {
		// A varying length, the same for both, avoids a fixed rhythm with the sampling.
		steps := stepsPerShare/2 + rand.Intn(stepsPerShare)
		kept[round%roundsKept] = append(heavy(steps), light(steps)...)
		time.Sleep(pause)
	}
}

//go:noinline
func heavy(steps int) [][]byte {
	for i := 0; i < 3*steps; i++ {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
	}
	return [][]byte{make([]byte, blockBytes), make([]byte, blockBytes), make([]byte, blockBytes)}
}

//go:noinline
func light(steps int) [][]byte {
	for i := 0; i < steps; i++ {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
	}
	return [][]byte{make([]byte, blockBytes)}
}
