// Makes go-mutex.pb.gz and go-block.pb.gz: build with -trimpath, run in the output folder.
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

func contend(lock *sync.Mutex, shared *sync.RWMutex, group *sync.WaitGroup) {
	defer group.Done()
	for i := 0; i < 50; i++ {
		lock.Lock()
		time.Sleep(50 * time.Microsecond)
		lock.Unlock()
		shared.Lock()
		time.Sleep(20 * time.Microsecond)
		shared.Unlock()
		shared.RLock()
		shared.RUnlock()
	}
}

func hand(values chan int) {
	for range values {
		time.Sleep(time.Millisecond)
	}
}

func save(name string) {
	file, err := os.Create("go-" + name + ".pb.gz")
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if err := pprof.Lookup(name).WriteTo(file, 0); err != nil {
		panic(err)
	}
}

func main() {
	runtime.SetBlockProfileRate(1)
	runtime.SetMutexProfileFraction(1)
	var lock sync.Mutex
	var shared sync.RWMutex
	var group sync.WaitGroup
	values := make(chan int)
	go hand(values)
	for i := 0; i < 4; i++ {
		group.Add(1)
		go contend(&lock, &shared, &group)
	}
	for i := 0; i < 20; i++ {
		select {
		case values <- i:
		case <-time.After(time.Second):
		}
	}
	close(values)
	group.Wait()
	save("mutex")
	save("block")
}
