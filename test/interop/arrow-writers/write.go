// Writes streams of schemas v1 and v2 with Go's Arrow library, like Parca's agent.
package main

import (
	"os"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

var (
	pool    = memory.NewGoAllocator()
	uint32s = arrow.PrimitiveTypes.Uint32
	text    = &arrow.DictionaryType{IndexType: uint32s, ValueType: arrow.BinaryTypes.String}
	int32s  = arrow.PrimitiveTypes.Int32
	label   = arrow.RunEndEncodedOf(int32s, text)
	runText = arrow.RunEndEncodedOf(int32s, arrow.BinaryTypes.String)

	function = arrow.StructOf(
		arrow.Field{Name: "system_name", Type: arrow.BinaryTypes.StringView, Nullable: true},
		arrow.Field{Name: "filename", Type: text, Nullable: true},
		arrow.Field{Name: "start_line", Type: arrow.PrimitiveTypes.Uint64},
	)
	functions = &arrow.DictionaryType{IndexType: uint32s, ValueType: function}
	line      = arrow.StructOf(
		arrow.Field{Name: "line", Type: arrow.PrimitiveTypes.Uint64},
		arrow.Field{Name: "column", Type: arrow.PrimitiveTypes.Uint64},
		arrow.Field{Name: "function", Type: functions, Nullable: true},
	)
	location = arrow.StructOf(
		arrow.Field{Name: "address", Type: arrow.PrimitiveTypes.Uint64},
		arrow.Field{Name: "frame_type", Type: text, Nullable: true},
		arrow.Field{Name: "mapping_file", Type: text, Nullable: true},
		arrow.Field{Name: "mapping_build_id", Type: text, Nullable: true},
		arrow.Field{Name: "lines", Type: arrow.ListViewOf(line), Nullable: true},
	)
	locations = &arrow.DictionaryType{IndexType: uint32s, ValueType: location}
)

func field(name string, kind arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: kind, Nullable: true}
}

func schemaV2() *arrow.Schema {
	metadata := arrow.NewMetadata([]string{"parca_write_schema_version"}, []string{"v2"})
	return arrow.NewSchema([]arrow.Field{
		field("labels", arrow.StructOf(field("comm", label), field("cpu", label), field("node", label))),
		field("stacktrace", arrow.ListViewOf(locations)),
		field("stacktrace_id", extensions.NewUUIDType()),
		field("value", arrow.PrimitiveTypes.Int64),
		field("producer", runText),
		field("sample_type", runText),
		field("sample_unit", runText),
		field("period_type", runText),
		field("period_unit", runText),
		field("temporality", runText),
		field("period", arrow.RunEndEncodedOf(int32s, arrow.PrimitiveTypes.Int64)),
		field("duration", arrow.RunEndEncodedOf(int32s, arrow.PrimitiveTypes.Uint64)),
		field("timestamp", &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "UTC"}),
	}, &metadata)
}

// frame has an empty name if the server should find the name.
type frame struct {
	address uint64
	file    string
	buildID string
	names   []string
}

type sample struct {
	comm, cpu string
	frames    []frame
	value     int64
	time      int64
}

var (
	kernel = frame{0xffffffff81000000, "[kernel.kallsyms]", "", []string{"do_syscall_64"}}
	native = frame{0x1234, "/bin/app", "ab12", nil}
	inline = frame{0x2000, "/bin/app", "ab12", []string{"inner", "a_name_that_is_too_long_for_a_view"}}
	start  = int64(1_790_000_000_000_000_000)
)

func samples(name string) []sample {
	return []sample{
		{name, "1", []frame{kernel, native, inline}, 1, start},
		{name, "2", []frame{native, inline}, 2, start},
		{name, "2", []frame{native, inline}, 3, start},
		{name, "", nil, 4, start + 1_000_000},
		{name + "-other", "1", []frame{inline}, 5, start + 2_000_000},
	}
}

func appendText(b *array.RunEndEncodedBuilder, value string) {
	b.Append(1)
	if value == "" {
		b.ValueBuilder().AppendNull()
		return
	}
	must(b.ValueBuilder().AppendValueFromString(value))
}

func appendDictionary(b array.Builder, value string) {
	d := b.(*array.BinaryDictionaryBuilder)
	if value == "" {
		d.AppendNull()
		return
	}
	must(d.AppendString(value))
}

// Builds the dictionary of locations, because the library's builders do not support structs.
func buildLocations(all []frame) (arrow.Array, map[uint64]uint32) {
	functionBuilder := array.NewStructBuilder(pool, function)
	functionRows := array.NewUint32Builder(pool)
	locationBuilder := struct {
		address           *array.Uint64Builder
		kind, file, build *array.BinaryDictionaryBuilder
	}{
		array.NewUint64Builder(pool),
		array.NewDictionaryBuilder(pool, text).(*array.BinaryDictionaryBuilder),
		array.NewDictionaryBuilder(pool, text).(*array.BinaryDictionaryBuilder),
		array.NewDictionaryBuilder(pool, text).(*array.BinaryDictionaryBuilder),
	}
	lineNumbers := array.NewUint64Builder(pool)
	columns := array.NewUint64Builder(pool)
	var offsets, sizes []int32
	var valid []bool
	rows := map[uint64]uint32{}
	lines := int32(0)
	known := uint32(0)
	for _, f := range all {
		if _, ok := rows[f.address]; ok {
			continue
		}
		rows[f.address] = uint32(len(rows))
		locationBuilder.address.Append(f.address)
		appendDictionary(locationBuilder.kind, "native")
		appendDictionary(locationBuilder.file, f.file)
		appendDictionary(locationBuilder.build, f.buildID)
		offsets = append(offsets, lines)
		sizes = append(sizes, int32(len(f.names)))
		valid = append(valid, len(f.names) > 0)
		for i, name := range f.names {
			functionBuilder.Append(true)
			functionBuilder.FieldBuilder(0).(*array.StringViewBuilder).Append(name)
			appendDictionary(functionBuilder.FieldBuilder(1), "file.c")
			functionBuilder.FieldBuilder(2).(*array.Uint64Builder).Append(uint64(i))
			functionRows.Append(known)
			known++
			lineNumbers.Append(uint64(10 + i))
			columns.Append(0)
			lines++
		}
	}
	functionRow := functionRows.NewArray()
	functionColumn := array.NewDictionaryArray(functions, functionRow, functionBuilder.NewArray())
	lineColumn := array.NewData(line, int(lines), []*memory.Buffer{nil}, []arrow.ArrayData{
		lineNumbers.NewArray().Data(), columns.NewArray().Data(), functionColumn.Data(),
	}, 0, 0)
	lineLists := array.NewData(arrow.ListViewOf(line), len(offsets), []*memory.Buffer{
		bitmap(valid),
		memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets)),
		memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(sizes)),
	}, []arrow.ArrayData{lineColumn}, -1, 0)
	data := array.NewData(location, len(rows), []*memory.Buffer{nil}, []arrow.ArrayData{
		locationBuilder.address.NewArray().Data(), locationBuilder.kind.NewArray().Data(),
		locationBuilder.file.NewArray().Data(), locationBuilder.build.NewArray().Data(), lineLists,
	}, 0, 0)
	return array.NewStructData(data), rows
}

func bitmap(valid []bool) *memory.Buffer {
	b := array.NewBooleanBuilder(pool)
	b.AppendValues(valid, nil)
	return b.NewBooleanArray().Data().Buffers()[1]
}

func recordV2(rows []sample) arrow.RecordBatch {
	schema := schemaV2()
	b := array.NewRecordBuilder(pool, arrow.NewSchema(append(
		append([]arrow.Field{}, schema.Field(0)), schema.Fields()[2:]...), nil))
	labels := b.Field(0).(*array.StructBuilder)
	var frames []frame
	var offsets, sizes []int32
	var valid []bool
	starts := map[int]int32{}
	for _, s := range rows {
		labels.Append(true)
		for i, value := range []string{s.comm, s.cpu, "n1"} {
			appendText(labels.FieldBuilder(i).(*array.RunEndEncodedBuilder), value)
		}
		// Equal stacks share their items.
		at, ok := starts[len(s.frames)]
		if !ok {
			at = int32(len(frames))
			starts[len(s.frames)] = at
			frames = append(frames, s.frames...)
		}
		offsets = append(offsets, at)
		sizes = append(sizes, int32(len(s.frames)))
		valid = append(valid, len(s.frames) > 0)
		b.Field(1).(*extensions.UUIDBuilder).AppendBytes([16]byte{byte(len(s.frames))})
		b.Field(2).(*array.Int64Builder).Append(s.value)
		for i, value := range []string{"parca_agent", "samples", "count", "cpu", "nanoseconds", "delta"} {
			appendText(b.Field(3+i).(*array.RunEndEncodedBuilder), value)
		}
		period := b.Field(9).(*array.RunEndEncodedBuilder)
		period.Append(1)
		period.ValueBuilder().(*array.Int64Builder).Append(52_631_578)
		duration := b.Field(10).(*array.RunEndEncodedBuilder)
		duration.Append(1)
		duration.ValueBuilder().(*array.Uint64Builder).Append(1_000_000_000)
		b.Field(11).(*array.TimestampBuilder).Append(arrow.Timestamp(s.time))
	}
	entries, locationRows := buildLocations(frames)
	items := array.NewUint32Builder(pool)
	for _, f := range frames {
		items.Append(locationRows[f.address])
	}
	item := array.NewDictionaryArray(locations, items.NewArray(), entries)
	stacks := array.NewData(arrow.ListViewOf(locations), len(rows), []*memory.Buffer{
		bitmap(valid),
		memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets)),
		memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(sizes)),
	}, []arrow.ArrayData{item.Data()}, -1, 0)
	rest := b.NewRecordBatch()
	all := append([]arrow.Array{rest.Column(0), array.MakeFromData(stacks)}, rest.Columns()[1:]...)
	return array.NewRecordBatch(schema, all, int64(len(rows)))
}

// Writes batches with LZ4, like the agent.
func write(folder, name string, batches ...arrow.RecordBatch) {
	writeWith(ipc.WithLZ4(), folder, name, batches...)
}

func writeWith(codec ipc.Option, folder, name string, batches ...arrow.RecordBatch) {
	file, err := os.Create(filepath.Join(folder, name+".arrow"))
	must(err)
	schema := ipc.WithSchema(batches[0].Schema())
	w := ipc.NewWriter(file, schema, codec, ipc.WithAllocator(pool))
	for _, batch := range batches {
		must(w.Write(batch))
	}
	must(w.Close())
	must(file.Close())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	folder := os.Args[1]
	write(folder, "go-whole", recordV2(samples("go-whole")))
	writeWith(ipc.WithZstd(), folder, "go-zstd", recordV2(samples("go-zstd")))
	write(folder, "go-empty", recordV2(nil))
	// Later batches have new dictionaries, which replace those of the first batch.
	rows := samples("go-batches")
	later := recordV2(rows[4:])
	write(folder, "go-batches", recordV2(rows[:2]), recordV2(nil), later, recordV2(rows[2:4]))
}
