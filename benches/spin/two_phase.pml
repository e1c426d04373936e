/* Two-phase commit with N workers; -DTIMEOUT, -DDROP, -DSHUTDOWN add what may go wrong.
   The same protocol as ../models/two_phase.sdl, written as a Spin user would. */
#ifndef N
#define N 2
#endif

mtype = { Prepare, Ready, NotReady, Commit, Abort };

chan req[N] = [0] of { mtype };
chan rep[N] = [0] of { mtype };
mtype resp[N];
byte commits, aborts;

#ifdef DROP
#define LOST :: skip
#else
#define LOST
#endif
#ifdef SHUTDOWN
#define CRASH :: goto crashed
#else
#define CRASH
#endif
#ifdef TIMEOUT
#define TIMED_OUT :: all_ready = false
#else
#define TIMED_OUT
#endif

active proctype Arbiter()
{
    byte i;
    bool all_ready = true;
    mtype vote;

    i = 0;
    do
    :: i < N ->
        if :: req[i] ! Prepare LOST CRASH fi;
        i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < N ->
        if
        :: rep[i] ? vote ->
            if
            :: vote != Ready -> all_ready = false
            :: else
            fi
        TIMED_OUT
        CRASH
        fi;
        i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < N ->
        if
        :: all_ready -> if :: req[i] ! Commit LOST CRASH fi
        :: !all_ready -> if :: req[i] ! Abort LOST CRASH fi
        fi;
        i++
    :: else -> break
    od;
crashed:
    skip
}

active [N] proctype Worker()
{
    byte me = _pid - 1;

    if :: req[me] ? resp[me] CRASH fi;
    if
    :: if :: rep[me] ! Ready LOST CRASH fi
    :: if :: rep[me] ! NotReady LOST CRASH fi
    CRASH
    fi;
    if
    :: d_step { req[me] ? resp[me];
       if
       :: resp[me] == Commit -> commits++
       :: resp[me] == Abort -> aborts++
       :: else
       fi }
    CRASH
    fi;
crashed:
    skip
}

#ifdef LIVENESS
ltl decided { <> (commits + aborts > 0) }
#else
ltl agreement { [] !(commits > 0 && aborts > 0) }
#endif
