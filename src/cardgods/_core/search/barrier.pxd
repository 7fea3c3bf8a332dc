# Where a fixed number of threads wait for each other between the phases of a parallel loop.
cdef extern from "<pthread.h>" nogil:
    ctypedef struct pthread_mutex_t:
        pass
    ctypedef struct pthread_cond_t:
        pass

cdef struct Barrier:
    pthread_mutex_t mutex
    pthread_cond_t turn
    int threads
    int waiting
    long round
    bint broken               # not all threads came to the first meeting

cdef void barrier_open(Barrier* b, int threads) noexcept nogil
cdef void barrier_close(Barrier* b) noexcept nogil
cdef bint barrier_start(Barrier* b, const int* cancel) noexcept nogil
cdef void barrier_wait(Barrier* b) noexcept nogil
