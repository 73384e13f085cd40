# Sorts, parses and recurses for 20 seconds.
import json
import re
import time


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


end = time.time() + 20
total = 0
while time.time() < end:
    total += fibonacci(15)
    texts = [str(i * 7919 % 500) for i in range(500)]
    texts.sort(key=lambda text: text[::-1])
    total += len(json.loads(json.dumps(texts)))
    total += len(re.sub(r"(\d)(\d)", r"\2\1", ",".join(texts)))
print(total)
