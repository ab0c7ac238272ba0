"""A mail server for tests: `smtp_server.py DIRECTORY MODE [CERTIFICATE KEY]`.

Prints its port. Writes each mail that it takes to DIRECTORY/N.json before it answers. Modes: accept, greylist (refuses the first
attempt of each mail), refuse, busy, slow (answers each step late), hang (takes a mail and never answers), die (takes a mail and
ends), auth, starttls, tls.
"""

import asyncio
import email
import email.policy
import json
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

directory, mode = sys.argv[1:3]


class Handler:
    greylisted = set()

    async def handle_RCPT(self, server, session, envelope, address, options):
        if mode == "slow":
            await asyncio.sleep(1)
        if mode == "refuse":
            return "550 5.1.1 no such user"
        if mode == "busy":
            return "451 4.3.0 try again later"
        if mode == "greylist" and address not in self.greylisted:
            self.greylisted.add(address)
            return "450 4.2.0 greylisted"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        number = len(os.listdir(directory))
        with open(os.path.join(directory, f"{number}.json"), "w") as file:
            json.dump(
                {
                    "id": mail["Message-ID"],
                    "from": envelope.mail_from,
                    "to": envelope.rcpt_tos,
                    "replyTo": mail["Reply-To"],
                    "subject": mail["Subject"],
                    "headers": len(mail.keys()),
                    "body": mail.get_content(),
                    "encrypted": server.transport.get_extra_info("sslcontext") is not None,
                    "user": getattr(session, "auth_data", None) and session.auth_data.decode(),
                },
                file,
            )
        if mode == "slow":
            await asyncio.sleep(2)
        if mode == "hang":
            await asyncio.Event().wait()
        if mode == "die":
            os._exit(1)
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    good = data.login == b"site" and data.password == b"secret"
    return AuthResult(success=good, handled=False, auth_data=data.login)


async def main():
    context = None
    if mode in ("starttls", "tls"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[3], sys.argv[4])

    def connection():
        return SMTP(
            Handler(),
            hostname="mail.example",
            enable_SMTPUTF8=True,
            authenticator=authenticate if mode == "auth" else None,
            auth_required=mode == "auth",
            auth_require_tls=False,
            tls_context=context if mode == "starttls" else None,
            require_starttls=mode == "starttls",
        )

    server = await asyncio.get_running_loop().create_server(
        connection, "127.0.0.1", 0, ssl=context if mode == "tls" else None
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
