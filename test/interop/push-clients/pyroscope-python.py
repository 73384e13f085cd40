# Burns CPU time for some seconds under Pyroscope's SDK for Python: FOLDER-OF-SDK ADDRESS SECONDS.
import sys
import time

sys.path.insert(0, sys.argv[1])
import pyroscope

pyroscope.configure(
    application_name='python.shop',
    server_address=sys.argv[2],
    tags={'region': 'eu'},
    oncpu=True,
)


def burn(seconds):
    end = time.time() + seconds
    while time.time() < end:
        sum(i * i for i in range(1_000))


seconds = float(sys.argv[3])
with pyroscope.tag_wrapper({'endpoint': '/cart'}):
    burn(seconds / 3)
burn(seconds * 2 / 3)
pyroscope.shutdown()
