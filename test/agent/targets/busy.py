# Burns CPU time in the interpreter; then prints how much.
import sys
import time


def hot_loop(rounds):
    value = 1.5
    for _ in range(rounds):
        value = value * 1.0000001 + 0.5
    return value


def work(seconds):
    while time.process_time() < seconds:
        hot_loop(100_000)


work(float(sys.argv[1]))
print(time.process_time())
