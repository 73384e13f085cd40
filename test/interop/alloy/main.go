// Burns CPU time, and pushes profiles of itself with Alloy's component pyroscope.write: as
// pyroscope.scrape passes them on, and a file as pyroscope.receive_http does. Built inside a copy
// of Alloy's module.
//
// Use: alloy-write <address> <seconds>: prints the CPU time it took, in seconds.
package main

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"runtime/pprof"
	"strconv"
	"syscall"
	"time"

	"github.com/go-kit/log"
	"github.com/grafana/alloy/internal/component/pyroscope"
	"github.com/grafana/alloy/internal/component/pyroscope/write"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/prometheus/model/labels"
	"go.opentelemetry.io/otel/trace/noop"
)

const cycle = 10 * time.Second

func main() {
	seconds, err := strconv.Atoi(os.Args[2])
	check(err)
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	appendable := start(os.Args[1])
	ctx := context.Background()
	for time.Now().Before(end) {
		var cpu, heap bytes.Buffer
		check(pprof.StartCPUProfile(&cpu))
		burn(time.Now().Add(cycle))
		pprof.StopCPUProfile()
		push(appendable, "process_cpu", cpu.Bytes())
		check(pprof.Lookup("heap").WriteTo(&heap, 0))
		push(appendable, "memory", heap.Bytes())
	}
	from := end.Unix() - 10
	path := "/ingest?name=alloy.file&format=folded&from=%d&until=%d"
	to, err := url.Parse(fmt.Sprintf(path, from, from+10))
	check(err)
	check(appendable.Appender().AppendIngest(ctx, &pyroscope.IncomingProfile{
		RawBody:     []byte("main;work 7\n"),
		ContentType: []string{"text/plain"},
		URL:         to,
		Labels:      labels.FromStrings("__name__", "alloy.file"),
	}))
	fmt.Println(usedCPU().Seconds())
}

func start(address string) pyroscope.Appendable {
	endpoint := write.GetDefaultEndpointOptions()
	endpoint.URL = address
	arguments := write.DefaultArguments()
	arguments.Endpoints = []*write.EndpointOptions{&endpoint}
	arguments.ExternalLabels = map[string]string{"region": "eu"}
	exported := make(chan write.Exports, 1)
	onChange := func(exports write.Exports) { exported <- exports }
	logger := log.NewLogfmtLogger(os.Stderr)
	registry := prometheus.NewRegistry()
	agent := "Alloy/v1.11.0"
	component, err := write.New(logger, noop.Tracer{}, registry, onChange, agent, "uid", arguments)
	check(err)
	go func() { check(component.Run(context.Background())) }()
	return (<-exported).Receiver
}

func push(appendable pyroscope.Appendable, name string, profile []byte) {
	shop := []string{"service_name", "alloy.shop", "instance", "shop:6060"}
	series := labels.FromStrings(append(shop, "__name__", name)...)
	samples := []*pyroscope.RawSample{{RawProfile: profile}}
	check(appendable.Appender().Append(context.Background(), series, samples))
}

//go:noinline
func burn(end time.Time) (sum int) {
	for time.Now().Before(end) {
		for i := range 1_000_000 {
			sum = sum*31 + i
		}
	}
	return sum
}

func usedCPU() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
