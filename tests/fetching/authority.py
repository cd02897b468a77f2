"""A certificate authority of the test's own, and TLS for a server and for who trusts that authority alone."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


class Authority:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority of this test")])
        own = self._build_certificate(self._name, self._key).add_extension(
            x509.BasicConstraints(True, None), True
        )
        self._certificate = own.sign(self._key, hashes.SHA256())

    def build_client_context(self) -> ssl.SSLContext:
        """Return a client's context that trusts the authority."""
        pem = self._certificate.public_bytes(serialization.Encoding.PEM).decode()
        return ssl.create_default_context(cadata=pem)

    def server(self, host: str, *protocols: str) -> ssl.SSLContext:
        """Return the context of a server of this name that speaks these protocols, the best first."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        alternative = x509.SubjectAlternativeName([x509.DNSName(host)])
        signed = (
            self._build_certificate(name, key)
            .add_extension(alternative, False)
            .sign(self._key, hashes.SHA256())
        )
        file = self._folder / f"{host}.pem"
        file.write_bytes(
            signed.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        context.set_alpn_protocols(list(protocols))
        return context

    def _build_certificate(self, name: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        now = datetime.now(tz=UTC)
        begun = x509.CertificateBuilder().subject_name(name).issuer_name(self._name)
        begun = begun.public_key(key.public_key()).serial_number(x509.random_serial_number())
        return begun.not_valid_before(now - DAY).not_valid_after(now + DAY)
