"""A mail server of aiosmtpd that prints each message as a line of JSON, read by Python's parser."""

import asyncio
import base64
import email
import email.policy
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


class Printer:
    async def handle_DATA(self, server, session, envelope):
        connection = server.transport.get_extra_info("ssl_object")
        peer = None if connection is None else connection.getpeercert() or {}
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        html = message.get_body(("html",))
        pictures = [part for part in message.walk() if part.get_content_maintype() == "image"]
        print(
            json.dumps(
                {
                    "isTls": peer is not None,
                    "client": dict(part for (part,) in (peer or {}).get("subject", ())),
                    "login": session.auth_data.login.decode() if session.auth_data else "",
                    "from": envelope.mail_from,
                    "to": envelope.rcpt_tos,
                    "headers": {name: str(value) for name, value in message.items()},
                    "defects": [str(defect) for defect in message.defects],
                    "text": message.get_body(("plain",)).get_content(),
                    "html": "" if html is None else html.get_content(),
                    "parts": [part.get_content_type() for part in message.walk()],
                    "pictures": [
                        {
                            "id": part["Content-ID"],
                            "disposition": part.get_content_disposition(),
                            "base64": base64.b64encode(part.get_content()).decode(),
                        }
                        for part in pictures
                    ],
                }
            ),
            flush=True,
        )
        return "250 OK"


def authenticate(server, session, envelope, mechanism, login):
    is_right = login.login == b"parca" and login.password == b"a secret"
    return AuthResult(success=is_right, handled=False, auth_data=login)


async def serve(port, certificate, key, authority=None):
    """Listens. With an authority, TLS begins with the first byte and needs a client certificate."""
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=authority)
    tls.load_cert_chain(certificate, key)
    if authority is not None:
        tls.verify_mode = ssl.CERT_REQUIRED
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(
            Printer(),
            tls_context=None if authority else tls,
            require_starttls=authority is None,
            auth_required=True,
            auth_require_tls=authority is None,
            authenticator=authenticate,
        ),
        "127.0.0.1",
        port,
        ssl=tls if authority else None,
    )
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


asyncio.run(serve(int(sys.argv[1]), *sys.argv[2:]))
