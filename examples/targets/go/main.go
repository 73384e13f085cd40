// A Go program to profile: heavy does three times the work of light, in time and in memory.
//
// 	go run . --listen 127.0.0.1:6061
//
// With --audit it behaves like a second release, in which audit takes twice the time of light,
// never frees its memory, and holds a lock all the time.
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
	"sync"
	"time"
)

// stepsPerShare steps take about 6 ms; a round is three shares of heavy and one of light.
const stepsPerShare = 4_000_000

// pause follows each round, so that the program uses less than half of a core.
const pause = 36 * time.Millisecond

// inspectPause is short, so that inspect often waits for the lock.
const inspectPause = 5 * time.Millisecond

// Number of rounds whose memory is kept, and size of the block that each share allocates.
const (
	blockBytes = 32 << 10
	roundsKept = 200
)

var (
	state uint64 = 1
	// lock guards the following variables.
	lock    sync.Mutex
	kept    [roundsKept][][]byte
	audited [][]byte
)

func main() {
	address := flag.String("listen", "127.0.0.1:6061", "host:port to serve on; port 0 is any free one")
	audits := flag.Bool("audit", false, "audit each round, as the second release does")
	flag.Parse()
	runtime.MemProfileRate = blockBytes // by default one in 512 KiB: too rare for so small a program
	// Without these settings, the lock profiles would be empty.
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		fmt.Fprintf(os.Stderr, "cannot listen: %v\n", err)
		os.Exit(1)
	}
	fmt.Printf("listening on %s\n", listener.Addr())
	go work(*audits)
	go inspect()
	fmt.Fprintln(os.Stderr, http.Serve(listener, nil))
	os.Exit(1)
}

func work(audits bool) {
	for round := 0; ; round++ {
		// The length varies, equally for both functions, so that they have no fixed rhythm with the
		// sampling.
		steps := stepsPerShare/2 + rand.Intn(stepsPerShare)
		finish(round, steps, heavy(steps), audits)
		time.Sleep(pause)
	}
}

// finish ends a round with the lock held, so inspect waits for it.
//
//go:noinline
func finish(round, steps int, blocks [][]byte, audits bool) {
	lock.Lock()
	defer lock.Unlock()
	kept[round%roundsKept] = append(blocks, light(steps)...)
	if audits {
		audited = append(audited, audit(steps)...)
	}
}

// inspect counts the kept blocks again and again.
func inspect() {
	for {
		count := 0
		lock.Lock()
		for _, blocks := range kept {
			count += len(blocks)
		}
		lock.Unlock()
		time.Sleep(inspectPause + time.Duration(count%2))
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

//go:noinline
func audit(steps int) [][]byte {
	for i := 0; i < 2*steps; i++ {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
	}
	return [][]byte{make([]byte, blockBytes), make([]byte, blockBytes)}
}
