"""Whether anybody can compute a pseudonym: public functions of the value, and patterns of bits.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import base64
import codecs
import hashlib
import hmac
import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from indistinct.tables.frames.frame import Frame
from indistinct.tables.verification.chance import FALSE_ALARM

DIGITS = 32
# One that is found is enough. Of so many values, spread over all, hashes are tried:
MOST_TRIED = 400  # all hashes and encodings
MOST_WRITTEN = 4  # all hashes of other ways to write the value
SHORTEST = 4  # digits that are looked for
HASHES = sorted(hashlib.algorithms_guaranteed)


def pseudonym_problems(values: Sequence[str], cells: Sequence[str], name: str) -> Iterator[str]:
    """Find pseudonyms that are functions of their value which anybody can compute.

    Parameters
    ----------
    values, cells : each value that is known, and a pseudonym of it
    name : of the column

    Notes
    -----
    A digest is found by chance with probability below 2^-100. Shorter texts are counted: h of the
    values have theirs with probability at most m^h / h!, where m is the expected number.
    """
    pairs = list(zip(values, cells, strict=True))
    some, few = (_spread(pairs, most) for most in (MOST_TRIED, MOST_WRITTEN))
    is_found = any(
        _is_in(cell, digest) for value, cell in some for digest in _digests(value.encode())
    )
    is_found = is_found or any(
        _is_in(cell, digest)
        for value, cell in few
        for text in _writings(value, name)
        for encoding in ("utf-8", "utf-16-le")
        for digest in _digests(text.encode(encoding))
    )
    if is_found or _are_encoded(some):
        yield "has pseudonyms that anybody can compute from the value, without any key"


def bit_problems(cells: Iterable[str]) -> Iterator[str]:
    """Find different pseudonyms whose bits are not those of a keyed hash.

    Notes
    -----
    Each bit, and each two of them compared, are a fair coin: by the bound of Hoeffding, that many
    more heads than tails occur in one of 8,256 counts with probability 1e-6 at most, so that fewer
    than 47 pseudonyms are never refused.
    """
    texts = [cell for cell in cells if len(cell) == DIGITS]
    try:
        drawn = np.frombuffer(bytes.fromhex("".join(texts)), np.uint8)
    except ValueError:  # not hexadecimal, which is a fault of its own
        return
    signs = np.unpackbits(drawn.reshape(-1, DIGITS // 2), axis=1).astype(np.float32) * 2 - 1
    signs = np.column_stack([signs, np.ones(len(texts), np.float32)])
    heads = np.triu(np.abs(signs.T @ signs), 1)
    n_counts = signs.shape[1] * (signs.shape[1] - 1) / 2
    if (heads > math.sqrt(2 * len(texts) * math.log(2 * n_counts / FALSE_ALARM))).any():
        yield "has pseudonyms whose digits are not those of a keyed hash"


def one_to_one_problems(pairs: Frame, own: str, found: str) -> Iterator[str]:
    """Find values with several pseudonyms, and pseudonyms of several values."""
    kinds = pairs.select(own, found).unique()
    if kinds[own].n_unique() < kinds.height:
        yield "gives several pseudonyms to one value"
    if kinds[found].n_unique() < kinds.height:
        yield "gives one pseudonym to several values"


def _spread(pairs: Sequence[tuple[str, str]], most: int) -> Sequence[tuple[str, str]]:
    """Return at most so many of the pairs, spread over all."""
    return pairs[:: -(-len(pairs) // most) or 1]


def _is_in(cell: str, digest: str) -> bool:
    """Return whether a pseudonym is a part of a digest, or begins with a short one."""
    return cell in digest or (len(digest) < DIGITS and cell.startswith(digest))


def _writings(value: str, name: str) -> Iterator[str]:
    """Write a value as somebody might before it is hashed."""
    rotated = codecs.encode(value, "rot13")
    bare = value.replace("-", "").replace(" ", "")
    texts = (value, value.strip(), value.lower(), value.upper(), value[::-1], rotated, bare)
    for text in dict.fromkeys(texts):
        yield base64.b64encode(text.encode()).decode()
        for before in ("", "\0", name, f"{name}:", f"{name}\0"):
            yield before + text
        for after in ("\n", "\0", name):
            yield text + after


def _digests(content: bytes) -> Iterator[str]:
    """Compute hashes without a key, or with one that anybody tries first, as hexadecimal digits."""
    for algorithm in HASHES:
        made: Any = hashlib.new(algorithm, content, usedforsecurity=False)
        digest: bytes = made.digest(64) if algorithm.startswith("shake") else made.digest()
        yield digest.hex()
        yield digest[::-1].hex()
        if algorithm in {"md5", "sha1", "sha256", "sha512"}:
            for text in (digest, digest.hex().encode()):
                yield hashlib.new(algorithm, text, usedforsecurity=False).hexdigest()
            for key in (b"", b"\0" * 32, b"key", b"secret", b"indistinct"):
                yield hmac.digest(key, content, algorithm).hex()
    for size in (8, 16, 20):
        yield hashlib.blake2b(content, digest_size=size).hexdigest()
        yield hashlib.blake2s(content, digest_size=size).hexdigest()
    for text in (f"{zlib.crc32(content):08x}", f"{zlib.adler32(content):08x}"):
        yield text.rjust(DIGITS, "0")
        yield text.ljust(DIGITS, "0")


def _encodings(value: str) -> list[str]:
    """Encode a value in ways that can be undone, as hexadecimal digits."""
    content = value.encode()
    texts = (
        content,
        content[::-1],
        codecs.encode(value, "rot13").encode(),
        base64.b64encode(content).rstrip(b"="),
        base64.b32encode(content).rstrip(b"="),
        value.encode("utf-16-le"),
        bytes(255 - byte for byte in content),
    )
    found = [text.hex() for text in texts]
    is_plain = value.isascii() and value.isalnum()
    found += [value.lower() if is_plain else "", f"{int(value):x}" if value.isdecimal() else ""]
    return [*found, *(text[::-1] for text in found)]


def _are_encoded(pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether more pseudonyms hold an encoding of their value than chance gives."""
    encoded = [[text[:DIGITS] for text in _encodings(value)] for value, _ in pairs]
    share = math.log(FALSE_ALARM / max(len(encoded[0]) if encoded else 0, 1))
    for texts in zip(*encoded, strict=True):  # of all values, one encoding after the other
        long = [(t, cell) for t, (_, cell) in zip(texts, pairs, strict=True) if len(t) >= SHORTEST]
        hits = sum(text in cell for text, cell in long)
        mean = sum((DIGITS - len(text) + 1) * 16.0 ** -len(text) for text, _ in long)
        if hits and hits * math.log(mean) - math.lgamma(hits + 1) <= share:
            return True
    return False
