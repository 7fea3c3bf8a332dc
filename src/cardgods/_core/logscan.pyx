"""The quick way through a sound log: bytes, chain and rules of its moves and chance outcomes in one pass.

It takes the records that need no further word and stops before the first that does: any other kind, any
flaw, any breach of the rules. What to say of that one is the business of ``cardgods.log``, whose readers
are the law; tests hold both ways against each other. docs/log-format.md has the form of a record.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcmp, memcpy

from hashlib import blake2b

from cardgods._core.ops cimport CHANCE, MAX_ACTIONS
from cardgods._core.rng cimport Random, Rng, bounded, rng_init
from cardgods._core.state cimport State

cdef enum:
    MOVE = 1
    OUTCOME = 2
    TAG = 16
    MAX_COVERED = 1 + 1 + 5 + 2 + 7

cdef struct Plain:
    int kind
    int player
    int32_t action
    Py_ssize_t tag             # where the tag begins, 2 bytes behind the end of what it covers


cdef Py_ssize_t number_at(const uint8_t* p, Py_ssize_t left, int64_t* out) noexcept nogil:
    # A canonical msgpack integer 0..2**32-1; its width, 0 if there is none.
    cdef int64_t value = 0
    cdef int width, i
    if left < 1:
        return 0
    if p[0] < 0x80:
        out[0] = p[0]
        return 1
    width = 1 if p[0] == 0xCC else 2 if p[0] == 0xCD else 4 if p[0] == 0xCE else 0
    if width == 0 or left < 1 + width:
        return 0
    for i in range(width):
        value = value << 8 | p[1 + i]
    if value < (0x80 if width == 1 else 0x100 if width == 2 else 0x10000):
        return 0
    out[0] = value
    return 1 + width


cdef bint plain_record(const uint8_t* p, Py_ssize_t left, uint32_t number, Plain* out) noexcept nogil:
    # True if a whole move or chance outcome with this number begins here, in canonical form.
    cdef int64_t value = -1
    cdef Py_ssize_t at = 2, body, size
    if left < 2 or p[0] != 0x94 or (p[1] != MOVE and p[1] != OUTCOME):
        return False
    out.kind = p[1]
    size = number_at(p + at, left - at, &value)
    if size == 0 or value != number:
        return False
    at += size
    if left < at + 2 or p[at] != 0xC4:
        return False
    body = at + 2
    out.tag = body + p[at + 1] + 2
    if left < out.tag + TAG or out.tag > MAX_COVERED + 2:
        return False
    at = body + 1
    out.player = CHANCE
    if out.kind == MOVE:
        if p[body] != 0x92 or p[at] > 11:
            return False
        out.player = p[at]
        at += 1
    elif p[body] != 0x91:
        return False
    size = number_at(p + at, left - at, &value)
    if size == 0 or value > 2147483647 or at + size != out.tag - 2:
        return False
    out.action = <int32_t>value
    return p[out.tag - 2] == 0xC4 and p[out.tag - 1] == TAG


cdef bint allowed(State state, const Plain* record, const uint8_t* key, int64_t dealt) noexcept nogil:
    # True if the rules, and the deal that was committed to, allow it.
    cdef int32_t out[MAX_ACTIONS]
    cdef int32_t weights[MAX_ACTIONS]
    cdef Rng rng
    cdef int n, i
    cdef int64_t total = 0
    if state.ops.actor(state.data, state.pos) != record.player:
        return False
    if record.kind == MOVE:
        n = state.ops.legal(state.data, state.pos, record.player, out)
    else:
        n = state.ops.chance(state.data, state.pos, out, weights)
    for i in range(n):
        if out[i] == record.action:
            break
    else:
        return False
    if key == NULL or record.kind == MOVE:
        return True
    for i in range(n):
        total += weights[i]
    rng_init(&rng, key, dealt)
    total = bounded(&rng, <uint32_t>total)
    for i in range(n):
        total -= weights[i]
        if total < 0:
            return out[i] == record.action
    return False


def follow(bytes data, Py_ssize_t at, long number, bytes tag, State state,
           Random deal or None, long dealt):
    """Follow the moves and chance outcomes of a log as far as all is well with them.

    Args:
        data: the whole log.
        at: byte at which the next record begins.
        number: its number.
        tag: tag of the record before, 16 bytes.
        state: the position there, turn-based; it is moved on.
        deal: the generator that the chance outcomes must come from (stream k for outcome k); None if any
            that is possible will do.
        dealt: chance outcomes before this record.

    Returns:
        The new `at`, `number`, `tag` and `dealt`: those of the first record that was not followed.

    Raises:
        ValueError: if the tag, the offset or the state is none that a log can have here.
    """
    cdef const uint8_t* bytes_ = <const uint8_t*>PyBytes_AS_STRING(data)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(data)
    cdef const uint8_t* key = NULL
    cdef uint8_t covered[TAG + MAX_COVERED]
    cdef Plain record
    cdef object fresh = blake2b(digest_size=TAG).copy
    cdef object hasher
    if len(tag) != TAG or not 0 <= at <= size or not 0 <= number < 4294967296 or not state.turn_based:
        raise ValueError("no place in a log")
    if deal is not None:
        key = <const uint8_t*>PyBytes_AS_STRING(deal.key)
    while plain_record(bytes_ + at, size - at, <uint32_t>number, &record):
        memcpy(covered, PyBytes_AS_STRING(tag), TAG)
        memcpy(covered + TAG, bytes_ + at, record.tag - 2)
        hasher = fresh()
        hasher.update(PyBytes_FromStringAndSize(<char*>covered, TAG + record.tag - 2))
        found = <bytes>hasher.digest()
        if memcmp(PyBytes_AS_STRING(found), bytes_ + at + record.tag, TAG) != 0:
            break
        if not allowed(state, &record, key, dealt):
            break
        state.push(record.action)
        dealt += record.kind == OUTCOME
        at += record.tag + TAG
        number += 1
        tag = found
    return at, number, tag, dealt
