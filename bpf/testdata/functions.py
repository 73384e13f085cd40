# Functions of many kinds. Each burns CPU time by itself, and measures how much: at the end the
# program prints it in JSON, by the name of the function and the line that burns.
#
#   functions.py SECONDS
import asyncio
import json
import sys
import threading
import time

used = {}
lock = threading.Lock()
end = time.thread_time() + float(sys.argv[1])


def burn(name, line, units):
    """Counts the time of its caller: it is on the stack of all of them."""
    start = time.thread_time()
    value = 0
    for i in range(units * 20_000):
        value += i * i % 7
    spent = time.thread_time() - start
    with lock:
        key = f"{name}:{line}"
        used[key] = used.get(key, 0.0) + spent
    return value


def line():
    return sys._getframe(1).f_lineno


def plain():
    burn("plain", line(), 4)
    return burn("plain", line(), 2)


class Shop:
    def pay(self):
        return burn("Shop.pay", line(), 3)

    @staticmethod
    def close():
        return burn("Shop.close", line(), 2)

    class Door:
        def open(self):
            return burn("Shop.Door.open", line(), 1)


def counted(count):
    for i in range(count):
        yield burn("counted", line(), 1) + i


def sorted_by_key():
    # The C function calls Python.
    return sorted(range(2), key=lambda value: burn("sorted_by_key.<locals>.<lambda>", line(), 1))


def recursive(depth):
    if depth == 0:
        return burn("recursive", line(), 3)
    return recursive(depth - 1) + 1


async def inner():
    await asyncio.sleep(0)
    return burn("inner", line(), 2)


async def outer():
    return await inner()


# A separate function before 3.12.
COMPREHENSION = "in_comprehension" + ("" if sys.version_info >= (3, 12) else ".<locals>.<listcomp>")


def in_comprehension():
    return [burn(COMPREHENSION, line(), 1) for _ in range(2)]


def caught():
    try:
        raise ValueError
    except ValueError:
        return burn("caught", line(), 1)


def generated():
    scope = {"burn": burn, "line": line}
    exec("def made():\n\n    return burn('made', line(), 1)\n", scope)
    return scope["made"]()


def in_thread():
    thread_end = time.thread_time() + float(sys.argv[1]) / 8
    while time.thread_time() < thread_end:
        burn("in_thread", line(), 1)


def main():
    threads = [threading.Thread(target=in_thread) for _ in range(2)]
    for thread in threads:
        thread.start()
    while time.thread_time() < end:
        plain()
        Shop().pay()
        Shop.close()
        Shop.Door().open()
        sum(counted(3))
        sorted_by_key()
        recursive(200)
        asyncio.run(outer())
        in_comprehension()
        caught()
        generated()
    for thread in threads:
        thread.join()
    print(json.dumps(used))


main()
