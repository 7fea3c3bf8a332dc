"""A barrier over POSIX mutexes and conditions (pthread barriers are not everywhere)."""

cdef extern from "<time.h>" nogil:
    struct timespec:
        long tv_sec
        long tv_nsec
    int CLOCK_REALTIME
    int clock_gettime(int clock, timespec* now)

cdef extern from "<pthread.h>" nogil:
    int pthread_mutex_init(pthread_mutex_t*, const void*)
    int pthread_mutex_destroy(pthread_mutex_t*)
    int pthread_mutex_lock(pthread_mutex_t*)
    int pthread_mutex_unlock(pthread_mutex_t*)
    int pthread_cond_init(pthread_cond_t*, const void*)
    int pthread_cond_destroy(pthread_cond_t*)
    int pthread_cond_wait(pthread_cond_t*, pthread_mutex_t*)
    int pthread_cond_timedwait(pthread_cond_t*, pthread_mutex_t*, const timespec*)
    int pthread_cond_broadcast(pthread_cond_t*)


cdef void barrier_open(Barrier* b, int threads) noexcept nogil:
    pthread_mutex_init(&b.mutex, NULL)
    pthread_cond_init(&b.turn, NULL)
    b.threads = threads
    b.waiting = 0
    b.round = 0
    b.broken = False


cdef void barrier_close(Barrier* b) noexcept nogil:
    pthread_cond_destroy(&b.turn)
    pthread_mutex_destroy(&b.mutex)


cdef bint barrier_start(Barrier* b, const int* cancel) noexcept nogil:
    # The first meeting: True once all threads have come. If one of them never starts, the flag is raised by
    # whoever started them, and the others leave with False before any work is begun.
    cdef timespec until
    cdef long round_now
    pthread_mutex_lock(&b.mutex)
    round_now = b.round
    b.waiting += 1
    if b.waiting == b.threads and not b.broken:
        b.waiting = 0
        b.round += 1
        pthread_cond_broadcast(&b.turn)
    while b.round == round_now and not b.broken:
        if cancel[0]:
            b.broken = True
            pthread_cond_broadcast(&b.turn)
            break
        clock_gettime(CLOCK_REALTIME, &until)
        until.tv_nsec += 50000000
        if until.tv_nsec >= 1000000000:
            until.tv_nsec -= 1000000000
            until.tv_sec += 1
        pthread_cond_timedwait(&b.turn, &b.mutex, &until)
    pthread_mutex_unlock(&b.mutex)
    return not b.broken


cdef void barrier_wait(Barrier* b) noexcept nogil:
    cdef long round_now
    pthread_mutex_lock(&b.mutex)
    round_now = b.round
    b.waiting += 1
    if b.waiting == b.threads:
        b.waiting = 0
        b.round += 1
        pthread_cond_broadcast(&b.turn)
    while b.round == round_now:
        pthread_cond_wait(&b.turn, &b.mutex)
    pthread_mutex_unlock(&b.mutex)
