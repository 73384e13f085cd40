# Makes, runs and frees functions until a time, in threads, children and after exec. The name of a
# function says when it was made, and its number says its file and its first line.
import gc
import os
import random
import sys
import threading
import time

PROGRAM, END, SEED = os.path.abspath(sys.argv[0]), float(sys.argv[1]), int(sys.argv[2])
source = random.Random(SEED)
count = 0


def make(below):
    global count
    count += 1
    second, number = int(time.time()), SEED * 1000 + count % 1000
    name = f"made_{second}_{number}"
    text = f"""
def {name}(depth):
    total = 0
    for i in range(1500):
        total += i * i
    return total if depth == 0 else below(depth - 1) + total
"""
    space = {"below": below}
    exec(compile("\n" * (number % 40) + text, f"made-{second}-{number}.py", "exec"), space)
    return space[name]


def leaf(depth):
    return sum(i * i for i in range(1500))


def chain(length):
    function = leaf
    for _ in range(length):
        function = make(function)
    return function(length - 1)


def become_another():
    seed = source.randrange(1, 10**6)
    os.execv(sys.executable, [sys.executable, PROGRAM, str(END), str(seed)])


def chain_and_exec(depth):
    if depth == 0:
        become_another()
    chain_and_exec(depth - 1)


def run_child():
    child = os.fork()
    if child == 0:
        for _ in range(source.randrange(1, 20)):
            chain(3)
        os._exit(0)
    os.waitpid(child, 0)


def run_thread():
    for _ in range(20):
        chain(source.randrange(1, 8))


def main():
    while time.time() < END:
        chosen = source.random()
        if chosen < 0.02:
            chain_and_exec(source.randrange(1, 100))
        elif chosen < 0.05:
            run_child()
        elif chosen < 0.08:
            threads = [threading.Thread(target=run_thread) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        elif chosen < 0.1:
            gc.collect()
        else:
            chain(source.randrange(1, 30))


main()
