"""Whether every byte of a compressed page belongs to what it decompresses to.

A text that stands in such bytes is there by chance: what is repeated is left out of them, so that
texts meet which are apart in the page. Texts are looked for in the decompressed page instead.
"""

from __future__ import annotations

import zlib

GZIP, SNAPPY, ZSTD, LZ4_RAW = 2, 1, 6, 7  # CompressionCodec of Apache Parquet
FLAGS, PLAIN_FLAGS = 3, 0  # place of the flags of a gzip header; no name, comment or further field
MAGIC = b"\x28\xb5\x2f\xfd"
DICTIONARY_BYTES = (0, 1, 2, 4)
SIZE_BYTES = (0, 2, 4, 8)
CHECKSUM_BYTES = 4
RUN, RESERVED = 1, 3  # types of blocks


def is_whole(part: bytes, codec: int) -> bool:
    """Tell whether nothing stands between or behind the compressed bytes, as far as it is known.

    Parameters
    ----------
    part : bytes that could be decompressed
    codec : of Apache Parquet. Raw Snappy and LZ4 have no room for anything else
    """
    if codec == ZSTD:
        return _is_whole_zstandard(part)
    if codec == GZIP:
        return _is_whole_gzip(part)
    return codec in {SNAPPY, LZ4_RAW}


def _is_whole_gzip(part: bytes) -> bool:
    """Tell whether these are the bytes of one stream, without a name or a comment."""
    stream = zlib.decompressobj(wbits=47)  # gzip and zlib
    stream.decompress(part)
    has_words = part.startswith(b"\x1f\x8b") and part[FLAGS] != PLAIN_FLAGS
    return stream.eof and not stream.unused_data and not has_words


def _is_whole_zstandard(part: bytes) -> bool:
    """Walk from block to block through all frames; frames that are skipped are none of these.

    Source: RFC 8878, section 3.1.
    """
    place = 0
    while place < len(part):
        if part[place : place + len(MAGIC)] != MAGIC:
            return False
        place += len(MAGIC)
        flags = part[place]
        is_single = bool(flags & 32)
        size_bytes = SIZE_BYTES[flags >> 6] or int(is_single)
        place += 1 + (not is_single) + DICTIONARY_BYTES[flags & 3] + size_bytes
        is_last = False
        while not is_last:
            block = int.from_bytes(part[place : place + 3], "little")
            kind, size, is_last = block >> 1 & 3, block >> 3, bool(block & 1)
            if kind == RESERVED or place + 3 > len(part):
                return False
            place += 3 + (1 if kind == RUN else size)
        place += CHECKSUM_BYTES if flags & 4 else 0
    return place == len(part)
