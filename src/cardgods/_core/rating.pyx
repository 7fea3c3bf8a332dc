"""Sums over every set that could come next in a finishing order: the inner loop of cardgods.rating."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.math cimport exp, log
from libc.stdint cimport uint32_t
from libc.string cimport memset

from cardgods._core.bits cimport lsb, popcount

cdef enum:
    MOST_ALIVE = 12  # who can still come next: 4096 sets at most


cdef struct Sums:
    int entrants
    int size              # of the vectors: the entrants, then a place for each size of a tie, from 0
    const double* weights  # log strength of each entrant, then log weight of a tie of each size
    double* mean          # expectation of the statistics of the set that comes next
    double* second        # their second moments, lower triangle


cdef double add_sets(Sums* sums, uint32_t alive) noexcept nogil:
    # Fill mean and second, which are zero, for the sets of those alive; the logarithm of the sum of weights.
    cdef int members[MOST_ALIVE]
    cdef const double* tie = sums.weights + sums.entrants
    cdef double shift = sums.weights[lsb(alive)], value, norm = 0
    cdef uint32_t tied = alive, rest = alive
    cdef int most = sums.size - sums.entrants - 1
    cdef int i, j, n, row
    while rest:
        shift = max(shift, sums.weights[lsb(rest)])
        rest &= rest - 1
    while tied:
        n = 0
        value = -shift
        rest = tied
        while rest:
            members[n] = lsb(rest)
            rest &= rest - 1
            n += 1
        if n <= most:
            for i in range(n):
                value += sums.weights[members[i]] / n
            value = exp(value + tie[n])
            norm += value
            row = sums.entrants + n
            sums.mean[row] += value
            sums.second[row * sums.size + row] += value
            for i in range(n):
                sums.mean[members[i]] += value / n
                sums.second[row * sums.size + members[i]] += value / n
                for j in range(i + 1):
                    sums.second[members[i] * sums.size + members[j]] += value / (n * n)
        tied = (tied - 1) & alive
    for i in range(sums.size):
        sums.mean[i] /= norm
    for i in range(sums.size * sums.size):
        sums.second[i] /= norm
    return log(norm) + shift


def expectations(list sets, list strengths, list ties):
    """What the model expects of the set that comes next, for every set of entrants still alive.

    Args:
        sets: pairs of a mask of the entrants that are alive, 1 to 12 of 32, and how often they were.
        strengths: log strength of each entrant.
        ties: log weight of a tie of 0, 1, 2, ... entrants; the first is of no account.

    Returns:
        (logarithm of the sum of weights for each of the sets, expected statistics for each of them, the sum
        over all of the statistics' covariance as a flat matrix whose lower triangle counts). The statistics
        of a tied set are 1 / its size for each member, then 1 at the place of its size.
    """
    cdef Sums sums
    cdef int size = len(strengths) + len(ties), i, j
    cdef double often
    cdef double* block = <double*>PyMem_Calloc(2 * size + 2 * size * size, sizeof(double))
    cdef double* weights = block
    cdef double* covariance = block + 2 * size + size * size
    if block == NULL:
        raise MemoryError
    sums.entrants, sums.size = len(strengths), size
    sums.weights, sums.mean, sums.second = weights, block + size, block + 2 * size
    norms, means = [], []
    try:
        for i, value in enumerate([*strengths, *ties]):
            weights[i] = value
        for mask, count in sets:
            if not 1 <= popcount(mask) <= MOST_ALIVE:
                raise ValueError(f"1 to {MOST_ALIVE} can be alive, not {popcount(mask)}")
            often = count
            memset(sums.mean, 0, (size + size * size) * sizeof(double))
            norms.append(add_sets(&sums, mask))
            means.append([sums.mean[i] for i in range(size)])
            for i in range(size):
                for j in range(i + 1):
                    covariance[i * size + j] += often * (
                        sums.second[i * size + j] - sums.mean[i] * sums.mean[j]
                    )
        return norms, means, [covariance[i] for i in range(size * size)]
    finally:
        PyMem_Free(block)
