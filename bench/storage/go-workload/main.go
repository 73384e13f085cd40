// A Go program that writes CPU and heap profiles of itself, one after the other.
//
//	go run . --work service --out DIR --count 720 --millis 125
//
// Files are cpu-0000.pb.gz and heap-0000.pb.gz onwards. The CPU is sampled as often as the kernel
// can, 250 times a second on many machines.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"html/template"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/pprof"
	"sort"
	"strings"
	"time"
)

const samplesPerSecond = 1_000

const workers = 3

type order struct {
	ID    int               `json:"id"`
	Name  string            `json:"name"`
	Tags  []string          `json:"tags"`
	Notes map[string]string `json:"notes"`
	Parts []order           `json:"parts,omitempty"`
}

var (
	sources = goSources()
	word    = regexp.MustCompile(`(\w+)\s*:?=\s*(func|map|struct|\w+\()`)
	page    = template.Must(template.New("page").Parse(
		`<ul>{{range .}}<li>{{.ID}} {{.Name}} {{range .Tags}}<b>{{.}}</b>{{end}}</li>{{end}}</ul>`))
	cache = map[string][]byte{}
	locks = make(chan struct{}, 1)
)

// The kinds of work: what servers do, and what compilers do, whose stacks are deep and many.
var works = map[string][]func(random *rand.Rand){
	"service": {
		func(random *rand.Rand) { encode(orders(random, 2)) },
		func(random *rand.Rand) { render(orders(random, 1)) },
		func(random *rand.Rand) { pack(source(random)) },
		func(random *rand.Rand) { search(source(random)) },
		func(random *rand.Rand) { sortLines(source(random)) },
		func(random *rand.Rand) { remember(source(random), random) },
	},
	"compiler": {
		func(random *rand.Rand) { reformat(source(random)) },
		func(random *rand.Rand) { declarations(source(random)) },
	},
}

func main() {
	name := flag.String("work", "service", "service or compiler")
	out := flag.String("out", "", "folder of the profiles")
	count := flag.Int("count", 720, "profiles of each kind")
	millis := flag.Int("millis", 125, "length of a CPU profile")
	flag.Parse()
	kinds, ok := works[*name]
	if !ok {
		fmt.Fprintf(os.Stderr, "there is no work %q\n", *name)
		os.Exit(2)
	}
	for worker := range workers {
		go work(kinds, rand.New(rand.NewSource(int64(worker))))
	}
	for i := range *count {
		// The profiler then complains that it cannot set its own rate, and keeps this one.
		runtime.SetCPUProfileRate(samplesPerSecond)
		write(*out, "cpu", i, func(file io.Writer) error {
			if err := pprof.StartCPUProfile(file); err != nil {
				return err
			}
			time.Sleep(time.Duration(*millis) * time.Millisecond)
			pprof.StopCPUProfile()
			return nil
		})
		write(*out, "heap", i, func(file io.Writer) error {
			return pprof.Lookup("heap").WriteTo(file, 0)
		})
	}
}

func write(folder, kind string, i int, profile func(io.Writer) error) {
	file, err := os.Create(filepath.Join(folder, fmt.Sprintf("%s-%04d.pb.gz", kind, i)))
	if err == nil {
		err = profile(file)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "cannot write profile: %v\n", err)
		os.Exit(1)
	}
}

// work prefers some kinds for a while, as traffic does.
func work(kinds []func(*rand.Rand), random *rand.Rand) {
	for {
		favourite := random.Intn(len(kinds))
		until := time.Now().Add(time.Duration(200+random.Intn(3_000)) * time.Millisecond)
		for time.Now().Before(until) {
			kind := favourite
			if random.Intn(2) == 0 {
				kind = random.Intn(len(kinds))
			}
			kinds[kind](random)
			if random.Intn(4) == 0 {
				time.Sleep(time.Duration(random.Intn(4)) * time.Millisecond)
			}
		}
	}
}

// goSources are texts of some size that are on every machine that builds this.
func goSources() [][]byte {
	paths, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", "net", "http", "*.go"))
	var texts [][]byte
	for _, path := range paths {
		if text, err := os.ReadFile(path); err == nil && len(text) < 40_000 {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		fmt.Fprintln(os.Stderr, "cannot find the sources of Go")
		os.Exit(1)
	}
	return texts
}

func source(random *rand.Rand) []byte { return sources[random.Intn(len(sources))] }

func orders(random *rand.Rand, depth int) []order {
	list := make([]order, 1+random.Intn(6))
	for i := range list {
		list[i] = order{
			ID:    random.Int(),
			Name:  fmt.Sprintf("order %d of %d", i, len(list)),
			Tags:  strings.Fields("new paid sent late")[:random.Intn(4)],
			Notes: map[string]string{"from": "shop", "to": fmt.Sprint(random.Float64())},
		}
		if depth > 0 {
			list[i].Parts = orders(random, depth-1)
		}
	}
	return list
}

func encode(list []order) {
	text, _ := json.Marshal(list)
	var back []order
	if err := json.Unmarshal(text, &back); err != nil {
		panic(err)
	}
}

func render(list []order) { _ = page.Execute(io.Discard, list) }

func pack(text []byte) {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = writer.Write(text)
	_ = writer.Close()
	reader, _ := gzip.NewReader(&packed)
	_, _ = io.Copy(io.Discard, reader)
}

func search(text []byte) { _ = word.FindAllSubmatchIndex(text, 200) }

func reformat(text []byte) { _, _ = format.Source(text) }

func declarations(text []byte) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments)
	if err != nil {
		return
	}
	names := map[string]int{}
	ast.Inspect(file, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok {
			names[name.Name]++
		}
		return true
	})
}

func sortLines(text []byte) {
	lines := strings.Split(string(text), "\n")
	sort.Slice(lines, func(i, j int) bool {
		return strings.ToLower(lines[i]) < strings.ToLower(lines[j])
	})
}

// remember keeps some of what it makes, so that the heap changes.
func remember(text []byte, random *rand.Rand) {
	key := fmt.Sprintf("%x", sha256.Sum256(text[:random.Intn(len(text))]))[:4]
	locks <- struct{}{}
	cache[key] = bytes.ToUpper(text)
	if len(cache) > 500 {
		for old := range cache {
			delete(cache, old)
			break
		}
	}
	<-locks
}
