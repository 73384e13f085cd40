"""A mail server of aiosmtpd that prints each message as a line of JSON, read by Python's parser."""

import asyncio
import email
import email.policy
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


class Printer:
    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        print(
            json.dumps(
                {
                    "isTls": session.ssl is not None,
                    "login": session.auth_data.login.decode() if session.auth_data else "",
                    "from": envelope.mail_from,
                    "to": envelope.rcpt_tos,
                    "headers": {name: str(value) for name, value in message.items()},
                    "defects": [str(defect) for defect in message.defects],
                    "text": message.get_body(("plain",)).get_content(),
                }
            ),
            flush=True,
        )
        return "250 OK"


def authenticate(server, session, envelope, mechanism, login):
    is_right = login.login == b"parca" and login.password == b"a secret"
    return AuthResult(success=is_right, handled=False, auth_data=login)


async def serve(port, certificate, key):
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate, key)
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(
            Printer(),
            tls_context=tls,
            require_starttls=True,
            auth_required=True,
            authenticator=authenticate,
        ),
        "127.0.0.1",
        port,
    )
    print("{}", flush=True)
    await server.serve_forever()


asyncio.run(serve(int(sys.argv[1]), sys.argv[2], sys.argv[3]))
