"""A ClickHouse server of one process: the HTTP interface in front of chdb, for tests.

Prints the port. The statement is in the parameter `query`, and in the body if that has no rows.
"""

import http.server
import os
import re
import tempfile
import threading
import urllib.parse

from chdb.session import Session

session = Session()
# The server sets this limit in its requests, some of which name thousands of stacks.
session.query("SET max_query_size = 268435456")
folder = tempfile.mkdtemp()
# All connections share one current database.
one_at_a_time = threading.Lock()
in_use = "default"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body are two writes; without this option, the second would wait for an
    # acknowledgement.
    disable_nagle_algorithm = True

    def do_GET(self):
        self.answer(200, b"Ok.\n")

    def do_POST(self):
        body = self.read_body()
        parameters = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        query = parameters.get("query", [""])[0]
        try:
            with one_at_a_time:
                use(parameters.get("database", ["default"])[0])
                answer = insert(query, body) if query else run(body.decode())
        except Exception as error:
            code = re.search(r"Code: (\d+)", str(error))
            self.answer(500, str(error).encode(), code.group(1) if code else "0")
        else:
            self.answer(200, answer)

    def read_body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def answer(self, status, body, code=None):
        try:
            self.send_response(status)
            if code is not None:
                self.send_header("X-ClickHouse-Exception-Code", code)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            # The client was killed, or does not want the answer.
            self.close_connection = True

    def log_message(self, *_):
        pass


def use(database):
    global in_use
    if database != in_use:
        session.query(f"USE {database}")
        in_use = database


def run(statement):
    format_name = re.search(r"FORMAT (\w+)\s*$", statement)
    return session.query(statement, format_name.group(1) if format_name else "TSV").bytes()


def insert(statement, rows):
    """chdb takes only texts, so the rows go by a file."""
    table, format_name = re.fullmatch(r"INSERT INTO (\w+) FORMAT (\w+)\s*", statement).groups()
    columns = session.query(f"DESCRIBE TABLE {table}", "TSV").bytes().decode().splitlines()
    structure = ", ".join(" ".join(column.split("\t")[:2]) for column in columns)
    path = os.path.join(folder, "rows")
    with open(path, "wb") as file:
        file.write(rows)
    return run(f"INSERT INTO {table} SELECT * FROM file('{path}', '{format_name}', '{structure}')")


# With threads, a connection that is kept open does not block others.
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
