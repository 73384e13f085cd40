// Pushes with other libraries: with Pyroscope's SDK for Go, and by OTLP with OpenTelemetry's types.
//
// Use: push-clients sdk <address> <seconds>: works and pushes, and prints the CPU time it took, in
// seconds.
//
// 	push-clients otlp <folder> <unix seconds>: writes otlp.pb and otlp.json.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/grafana/pyroscope-go"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/collector/pdata/pprofile/pprofileotlp"
)

func main() {
	seconds, err := strconv.ParseInt(os.Args[3], 10, 64)
	check(err)
	if os.Args[1] == "sdk" {
		sdk(os.Args[2], time.Duration(seconds)*time.Second)
		return
	}
	otlp(os.Args[2], time.Unix(seconds, 0))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

var kept [][]byte

//go:noinline
func burn(cpuTime time.Duration) (sum int) {
	for usedCPU() < cpuTime {
		for i := range 1_000_000 {
			sum = sum*31 + i
		}
		kept = append(kept[max(0, len(kept)-8):], make([]byte, 1<<20))
	}
	return sum
}

// Returns the CPU time of this process, because on a busy machine seconds may pass without any.
func usedCPU() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func sdk(address string, length time.Duration) {
	end := time.Now().Add(length)
	profiler, err := pyroscope.Start(pyroscope.Config{
		ApplicationName: "go.shop",
		ServerAddress:   address,
		UploadRate:      10 * time.Second,
		Tags:            map[string]string{"region": "eu"},
		ProfileTypes: []pyroscope.ProfileType{
			pyroscope.ProfileCPU, pyroscope.ProfileAllocSpace, pyroscope.ProfileInuseSpace,
		},
	})
	check(err)
	for time.Now().Before(end) || usedCPU() < 3*time.Second {
		burn(usedCPU() + 20*time.Millisecond)
		time.Sleep(20 * time.Millisecond)
	}
	check(profiler.Stop())
	fmt.Println(usedCPU().Seconds())
}

func otlp(folder string, start time.Time) {
	profiles := pprofile.NewProfiles()
	dictionary := profiles.Dictionary()
	strings := dictionary.StringTable()
	text := func(value string) int32 {
		for i := range strings.Len() {
			if strings.At(i) == value {
				return int32(i)
			}
		}
		strings.Append(value)
		return int32(strings.Len() - 1)
	}
	text("")
	dictionary.MappingTable().AppendEmpty()
	dictionary.LinkTable().AppendEmpty()
	dictionary.AttributeTable().AppendEmpty()
	dictionary.FunctionTable().AppendEmpty()
	dictionary.LocationTable().AppendEmpty()
	dictionary.StackTable().AppendEmpty()
	for _, name := range []string{"main", "work"} {
		function := dictionary.FunctionTable().AppendEmpty()
		function.SetNameStrindex(text(name))
		line := dictionary.LocationTable().AppendEmpty().Lines().AppendEmpty()
		line.SetFunctionIndex(int32(dictionary.FunctionTable().Len() - 1))
		line.SetLine(7)
	}
	dictionary.StackTable().AppendEmpty().LocationIndices().FromRaw([]int32{2, 1})
	attribute := dictionary.AttributeTable().AppendEmpty()
	attribute.SetKeyStrindex(text("thread.name"))
	attribute.Value().SetStr("worker")
	link := dictionary.LinkTable().AppendEmpty()
	link.SetTraceID(pcommon.TraceID{1, 2, 3})
	link.SetSpanID(pcommon.SpanID{4, 5})

	resource := profiles.ResourceProfiles().AppendEmpty()
	resource.Resource().Attributes().PutStr("service.name", "pdata")
	profile := resource.ScopeProfiles().AppendEmpty().Profiles().AppendEmpty()
	profile.SampleType().SetTypeStrindex(text("samples"))
	profile.SampleType().SetUnitStrindex(text("count"))
	profile.PeriodType().SetTypeStrindex(text("cpu"))
	profile.PeriodType().SetUnitStrindex(text("nanoseconds"))
	profile.SetPeriod(50_000_000)
	profile.SetTime(pcommon.NewTimestampFromTime(start))
	profile.SetDurationNano(5_000_000_000)
	values := profile.Samples().AppendEmpty()
	values.SetStackIndex(1)
	values.Values().Append(3)
	values.AttributeIndices().Append(1)
	values.SetLinkIndex(1)
	times := profile.Samples().AppendEmpty()
	times.SetStackIndex(1)
	times.TimestampsUnixNano().Append(uint64(start.UnixNano()), uint64(start.UnixNano()+1))

	request := pprofileotlp.NewExportRequestFromProfiles(profiles)
	binary, err := request.MarshalProto()
	check(err)
	json, err := request.MarshalJSON()
	check(err)
	check(os.WriteFile(filepath.Join(folder, "otlp.pb"), binary, 0o644))
	check(os.WriteFile(filepath.Join(folder, "otlp.json"), json, 0o644))
}
