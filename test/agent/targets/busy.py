# Burns CPU time: three quarters in zlib's crc32, the rest in the interpreter.
import sys
import time
import zlib

data = bytes(65_536)


def hot_loop():
    for _ in range(20):
        zlib.crc32(data)


def warm_loop():
    value = 2.5
    for _ in range(2_000):
        value = value * 1.0000003 + 0.25
    return value


used = {"hot": 0.0, "warm": 0.0}
while sum(used.values()) < float(sys.argv[1]):
    start = time.process_time()
    kind = "hot" if used["hot"] < 3 * used["warm"] else "warm"
    (hot_loop if kind == "hot" else warm_loop)()
    used[kind] += time.process_time() - start
