// Makes go-cpu.pb.gz and go-heap.pb.gz: build with -trimpath, run with the output folder as argument.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"sort"
	"strings"
	"sync"
	"time"
)

type node struct {
	Name  string
	Kids  []*node
	Attrs map[string]string
}

var keep []any

func build(depth, width int) *node {
	n := &node{Name: fmt.Sprintf("node-%d-%d", depth, width), Attrs: map[string]string{"a": strings.Repeat("x", depth*7)}}
	if depth > 0 {
		for i := 0; i < width; i++ {
			n.Kids = append(n.Kids, build(depth-1, width))
		}
	}
	return n
}

func alloc(depth, size int) {
	if depth == 0 {
		keep = append(keep, make([]byte, size))
		return
	}
	if size%2 == 0 {
		allocEven(depth-1, size)
	} else {
		allocOdd(depth-1, size)
	}
}
func allocEven(depth, size int) {
	if depth%3 == 0 {
		alloc(depth, size+1)
	} else {
		alloc(depth, size/2+7)
	}
}
func allocOdd(depth, size int) {
	if depth%2 == 0 {
		alloc(depth, size*2)
	} else {
		alloc(depth, size+3)
	}
}

func work(ctx context.Context, route string) {
	re := regexp.MustCompile(`(\w+)-(\d+)-(\d+)`)
	for ctx.Err() == nil {
		n := build(4, 4)
		b, _ := json.Marshal(n)
		var out node
		json.Unmarshal(b, &out)
		re.ReplaceAllString(string(b[:2000]), "$3/$2/$1")
		var buf bytes.Buffer
		z := gzip.NewWriter(&buf)
		z.Write(b)
		z.Close()
		words := strings.Fields(strings.ReplaceAll(string(b), "\"", " "))
		sort.Strings(words)
		if route == "/a" {
			alloc(6, 100+len(words)%977)
		}
	}
}

func main() {
	runtime.MemProfileRate = 2048
	f, _ := os.Create(os.Args[1] + "/cpu.pb.gz")
	pprof.StartCPUProfile(f)
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	for i, r := range []string{"/a", "/b"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			pprof.Do(ctx, pprof.Labels("route", r, "shard.id", fmt.Sprint(i)), func(ctx context.Context) { work(ctx, r) })
		}()
	}
	wg.Wait()
	pprof.StopCPUProfile()
	f.Close()
	runtime.GC()
	h, _ := os.Create(os.Args[1] + "/heap.pb.gz")
	pprof.WriteHeapProfile(h)
	h.Close()
}
