// Prints addresses of its own code, and its load address; used in a program and in a shared
// library.
package main

import (
	"fmt"
	"os"
	"runtime"
)

var places []uintptr

//go:noinline
func here() {
	var callers [1]uintptr
	runtime.Callers(2, callers[:])
	// The address of the call, not the return address.
	places = append(places, callers[0]-1)
}

func mix(value int64) int64 {
	here()
	return value*31 + 7
}

//go:noinline
func inner(value int64) int64 {
	here()
	return mix(value) ^ mix(value+1)
}

//go:noinline
func outer(value int64) int64 {
	sum := inner(value) + mix(value)
	here()
	return sum * 3
}

func printPlaces() {
	outer(3)
	for _, place := range places {
		fmt.Printf("place %x\n", place)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(maps)
}

func main() { printPlaces() }
