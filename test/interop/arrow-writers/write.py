# Writes streams of schemas v1 and v2 with pyarrow: write.py FOLDER
import sys
import uuid

import pyarrow as pa

folder = sys.argv[1]
start = 1_790_000_000_000_000_000
int32, uint32, int64, uint64 = pa.int32(), pa.uint32(), pa.int64(), pa.uint64()
# Frames: address, file, build id, function names.
kernel = (0xFFFFFFFF81000000, '[kernel.kallsyms]', None, ['do_syscall_64'])
native = (0x1234, '/bin/app', 'ab12', [])
inline = (0x2000, '/bin/app', 'ab12', ['inner', 'a_name_that_is_too_long_for_a_view'])


def samples(name):
    return [
        (name, '1', [kernel, native, inline], 1, start),
        (name, '2', [native, inline], 2, start),
        (name, '2', [native, inline], 3, start),
        (name, None, None, 4, start + 1_000_000),
        (name + '-other', '1', [inline], 5, start + 2_000_000),
    ]


def dictionary(values, kind=pa.utf8()):
    words = list(dict.fromkeys(value for value in values if value is not None))
    rows = [None if value is None else words.index(value) for value in values]
    return pa.DictionaryArray.from_arrays(pa.array(rows, uint32), pa.array(words, kind))


def runs(values, make):
    ends, kept = [], []
    for row, value in enumerate(values):
        if kept and kept[-1] == value:
            ends[-1] = row + 1
        else:
            ends.append(row + 1)
            kept.append(value)
    return pa.RunEndEncodedArray.from_arrays(pa.array(ends, int32), make(kept))


def ints(kind):
    return lambda values: pa.array(values, kind)


def lists(kind, items_of, make):
    offsets, sizes, items = [], [], []
    for one in items_of:
        offsets.append(len(items))
        sizes.append(len(one or []))
        items.extend(one or [])
    mask = pa.array([one is None for one in items_of], pa.bool_())
    if kind is pa.ListArray:
        return pa.ListArray.from_arrays(pa.array(offsets + [len(items)], int32), make(items))
    return kind.from_arrays(pa.array(offsets, int32), pa.array(sizes, int32), make(items), mask=mask)


def struct(length, **columns):
    if length == 0:
        kinds = [pa.field(name, column.type) for name, column in columns.items()]
        return pa.array([], pa.struct(kinds))
    return pa.StructArray.from_arrays(list(columns.values()), names=list(columns))


def lines_v2(names):
    functions = struct(
        len(names),
        system_name=pa.array(names, pa.string_view()),
        filename=dictionary(['a.c'] * len(names)),
        start_line=pa.array([7] * len(names), uint64),
    )
    rows = pa.DictionaryArray.from_arrays(pa.array(range(len(names)), uint32), functions)
    numbers = pa.array(range(10, 10 + len(names)), uint64)
    return struct(len(names), line=numbers, column=numbers, function=rows)


def locations_v2(frames):
    distinct = list({frame[0]: frame for frame in frames}.values())
    entries = struct(
        len(distinct),
        address=pa.array([frame[0] for frame in distinct], uint64),
        frame_type=dictionary([None for _ in distinct]),
        mapping_file=dictionary([frame[1] for frame in distinct]),
        mapping_build_id=dictionary([frame[2] for frame in distinct]),
        lines=lists(pa.ListViewArray, [frame[3] or None for frame in distinct], lines_v2),
    )
    rows = [next(i for i, one in enumerate(distinct) if one[0] == frame[0]) for frame in frames]
    return pa.DictionaryArray.from_arrays(pa.array(rows, uint32), entries)


def batch_v2(rows, label_words=()):
    count = len(rows)
    words = list(label_words)

    def label(values):
        kept = dictionary(words + values)
        return runs(values, lambda some: pa.DictionaryArray.from_arrays(
            dictionary(words + some).indices[len(words):], kept.dictionary))

    ids = pa.array([uuid.UUID(int=row).bytes for row in range(count)], pa.binary(16))
    text = {
        'producer': 'parca_agent', 'sample_type': 'samples', 'sample_unit': 'count',
        'period_type': 'cpu', 'period_unit': 'nanoseconds', 'temporality': 'delta',
    }
    columns = {
        'labels': struct(count, comm=label([row[0] for row in rows]),
                         cpu=runs([row[1] for row in rows], dictionary),
                         node=runs(['n1'] * count, dictionary)),
        'stacktrace': lists(pa.ListViewArray, [row[2] for row in rows], locations_v2),
        'stacktrace_id': pa.ExtensionArray.from_storage(pa.uuid(), ids),
        'value': pa.array([row[3] for row in rows], int64),
        **{name: runs([value] * count, ints(pa.utf8())) for name, value in text.items()},
        'period': runs([52_631_578] * count, ints(int64)),
        'duration': runs([10**9] * count, ints(uint64)),
        'timestamp': pa.array([row[4] for row in rows], pa.timestamp('ns', 'UTC')),
    }
    return table(columns, 'v2')


def table(columns, version):
    fields = [pa.field(name, column.type) for name, column in columns.items()]
    schema = pa.schema(fields, metadata={'parca_write_schema_version': version})
    return pa.RecordBatch.from_arrays(list(columns.values()), schema=schema)


def write(name, *batches, compression='lz4', deltas=False):
    options = pa.ipc.IpcWriteOptions(compression=compression, emit_dictionary_deltas=deltas)
    with open(f'{folder}/{name}.arrow', 'wb') as file:
        with pa.ipc.new_stream(file, batches[0].schema, options=options) as writer:
            for batch in batches:
                writer.write_batch(batch)
        return writer.stats


def words_v1(values):
    return runs(values, lambda some: dictionary(some, pa.binary()))


def write_v1(name):
    rows = samples(name)
    stacks = {b'\xff1': rows[0][2], b'\xfe2': rows[1][2], b'\xfd3': rows[4][2], b'none': []}
    ids = [b'\xff1', b'\xfe2', b'\xfe2', b'none', b'\xfd3']
    text = {
        'producer': b'parca_agent', 'sample_type': b'samples', 'sample_unit': b'count',
        'period_type': b'cpu', 'period_unit': b'nanoseconds', 'temporality': b'delta',
    }
    encoded = [None if row[1] is None else row[1].encode() for row in rows]
    write(f'{name}-samples', table({
        'labels.comm': words_v1([row[0].encode() for row in rows]),
        'labels.cpu': words_v1(encoded),
        'labels.node': words_v1([b'n1'] * len(rows)),
        'stacktrace_id': words_v1(ids),
        'value': pa.array([row[3] for row in rows], int64),
        **{key: words_v1([value] * len(rows)) for key, value in text.items()},
        'period': runs([52_631_578] * len(rows), ints(int64)),
        'duration': runs([10**9] * len(rows), ints(int64)),
        'timestamp': runs([row[4] for row in rows], ints(int64)),
    }, 'v1'), compression=None)

    def lines(names):
        numbers = pa.array(range(10, 10 + len(names)), int64)
        return struct(
            len(names), line=numbers, column=pa.array([0] * len(names), uint64),
            function_name=dictionary([b''] * len(names), pa.binary()),
            function_system_name=dictionary([one.encode() for one in names], pa.binary()),
            function_filename=words_v1([b'a.c'] * len(names)),
            function_start_line=numbers,
        )

    def locations(frames):
        zeros = runs([0] * len(frames), ints(uint64))
        return struct(
            len(frames), address=pa.array([frame[0] for frame in frames], uint64),
            frame_type=words_v1([b'native'] * len(frames)),
            mapping_start=zeros, mapping_limit=zeros, mapping_offset=zeros,
            mapping_file=words_v1([frame[1].encode() for frame in frames]),
            mapping_build_id=words_v1([(frame[2] or '').encode() for frame in frames]),
            lines=lists(pa.ListArray, [frame[3] for frame in frames], lines),
        )

    write(f'{name}-locations', table({
        'stacktrace_id': pa.array(list(stacks), pa.binary()),
        'is_complete': pa.array([True] * len(stacks), pa.bool_()),
        'locations': lists(pa.ListArray, list(stacks.values()), locations),
    }, 'v1'), compression=None)


write('py-whole', batch_v2(samples('py-whole')))
write('py-plain', batch_v2(samples('py-plain')), compression=None)
write('py-zstd', batch_v2(samples('py-zstd')), compression='zstd')
write('py-empty', batch_v2(samples('py-empty')).slice(0, 0))
rows = samples('py-batches')
# Later batches have new dictionaries, which replace those of the first batch.
stats = write('py-batches', *(batch_v2(rows[from_:to]) for from_, to in [(0, 2), (4, 5), (2, 4)]), batch_v2(rows).slice(0, 0))
assert stats.num_replaced_dictionaries > 0, stats
whole = batch_v2(samples('py-slices'))
write('py-slices', whole.slice(3), whole.slice(1, 2), whole.slice(0, 1))
rows = samples('py-deltas')
stats = write('py-deltas', batch_v2(rows[:4]), batch_v2(rows[4:], ['py-deltas']), deltas=True)
assert stats.num_dictionary_deltas > 0, stats
write_v1('py-old')
