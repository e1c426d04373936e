/* Two-phase commit with N workers; -DTIMEOUT, -DDROP, -DSHUTDOWN add what may go wrong.
   The same protocol as ../models/two_phase.sdl, written as a Spin user would: its own rendezvous, which is one step where
   ours are three, locals wherever possible, an assertion at the only place that can break it, and processes that end by
   staying where they are (that they die in turn costs states). A worker makes up its mind before it offers its vote.
   -DLIVENESS instead has the formula of the paper. */
#ifndef N
#define N 2
#endif

mtype = { Prepare, Ready, NotReady, Commit, Abort };

chan req[N] = [0] of { mtype };
chan rep[N] = [0] of { mtype };

#ifdef LIVENESS
/* What a formula reads has to be global. */
bool all_ready = true, committed;
#define CHECK :: resp == Commit && me == 0 -> committed = true
#else
/* What has been heard by any worker. */
bool commit, abort;
#define CHECK \
    :: resp == Commit -> commit = true; assert(!abort) \
    :: resp == Abort -> abort = true; assert(!commit)
#endif
#define HEAR d_step { req[me] ? resp; if CHECK :: else fi; resp = 0 }

#ifdef DROP
#define LOST :: skip
#else
#define LOST
#endif
#ifdef SHUTDOWN
#define CRASH :: skip -> goto end
#else
#define CRASH
#endif
#ifdef LIVENESS
/* In the paper's model only workers crash. */
#define ARBITER_CRASH
#else
#define ARBITER_CRASH CRASH
#endif
#ifdef TIMEOUT
#define TIMED_OUT :: all_ready = false
#else
#define TIMED_OUT
#endif

active proctype Arbiter()
{
    byte i;
    mtype vote;
#ifndef LIVENESS
    bool all_ready = true;
#endif

    do
    :: i < N ->
        if :: req[i] ! Prepare LOST ARBITER_CRASH fi;
        i++
    :: else -> i = 0; break
    od;
    do
    :: i < N ->
        if
        :: rep[i] ? vote ->
            if
            :: vote != Ready -> all_ready = false
            :: else
            fi
        TIMED_OUT
        ARBITER_CRASH
        fi;
        i++
    :: else -> i = 0; break
    od;
    do
    :: i < N ->
        if
        :: all_ready -> if :: req[i] ! Commit LOST ARBITER_CRASH fi
        :: else -> if :: req[i] ! Abort LOST ARBITER_CRASH fi
        fi;
        i++
    :: else -> i = 0; break
    od;
end:
    false
}

active [N] proctype Worker()
{
    byte me = _pid - 1;
    mtype resp;

    if :: HEAR CRASH fi;
    if
    :: skip -> if :: rep[me] ! Ready LOST CRASH fi
    :: skip -> if :: rep[me] ! NotReady LOST CRASH fi
    CRASH
    fi;
    if :: HEAR CRASH fi;
end:
    false
}

#ifdef LIVENESS
ltl decided { <> (all_ready && committed || !all_ready) }
#endif
