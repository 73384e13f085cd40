"""Does the same for ever, at fixed times: hot is three times as long as cool."""
import json
import re
import threading
import time


def hot(steps):
    total = 0
    for i in range(steps):
        total = (total * 31 + i) & 0xFFFFFFFF
    return total


def cool(steps):
    total = 0
    for i in range(steps):
        total = (total * 7 + i) & 0xFFFFFFFF
    return total


def deep(depth):
    return hot(10) if depth == 0 else deep(depth - 1)


def various():
    """Makes and drops frames, code and objects while it is sampled."""
    deep(150)
    text = json.dumps([{'number': i, 'text': str(i) * 3} for i in range(50)])
    json.loads(text)
    re.sub(r'\d+', lambda match: match.group()[::-1], text)
    try:
        raise ValueError(text)
    except ValueError as error:
        str(error)
    exec(compile('def f(x):\n  return x + 1\nfor i in range(50): f(i)\n', '<made>', 'exec'), {})


def at_fixed_times(pause, work):
    due = time.monotonic()
    while True:
        work()
        due += pause
        time.sleep(max(0, due - time.monotonic()))


def work():
    hot(18_000)
    cool(6_000)
    thread = threading.Thread(target=hot, args=(100,))
    thread.start()
    thread.join()


threading.Thread(target=at_fixed_times, args=(0.1, various), daemon=True).start()
at_fixed_times(0.05, work)
