/* A Raft-like election among N nodes, terms up to T, inboxes of capacity Q; -DSHUTDOWN lets nodes crash.
   The same protocol as ../models/raft.sdl. */
#ifndef N
#define N 3
#endif
#ifndef T
#define T 2
#endif
#ifndef Q
#define Q 1
#endif
#define NONE N

mtype = { RequestVote, Vote };

chan inbox[N] = [Q] of { mtype, byte, byte };
byte term[N];
bool leader[N];

#ifdef SHUTDOWN
#define CRASH :: goto crashed
#else
#define CRASH
#endif

active [N] proctype Node()
{
    byte id = _pid;
    byte voted_for = NONE;
    byte votes, from, t, other;
    mtype kind;

    do
    :: inbox[id] ? kind, from, t ->
        if
        :: t > term[id] ->
            leader[id] = false; term[id] = t; voted_for = NONE; votes = 0
        :: else
        fi;
        if
        :: t == term[id] && kind == RequestVote && voted_for == NONE ->
            voted_for = from;
            if
            :: nfull(inbox[from]) -> inbox[from] ! Vote, id, term[id]
            :: full(inbox[from])
            CRASH
            fi
        :: t == term[id] && kind == Vote && votes > 0 && votes < N ->
            votes++;
            if
            :: 2 * votes > N -> leader[id] = true
            :: else
            fi
        :: else
        fi
    :: true ->
        if
        :: term[id] < T && !leader[id] ->
            term[id]++; voted_for = id; votes = 1; other = 0;
            do
            :: other < N ->
                if
                :: other != id ->
                    if
                    :: nfull(inbox[other]) -> inbox[other] ! RequestVote, id, term[id]
                    :: full(inbox[other])
                    CRASH
                    fi
                :: else
                fi;
                other++
            :: else -> other = 0; break
            od
        :: else
        fi
    CRASH
    od;
crashed:
    skip
}

#define BOTH(i, j) (leader[i] && leader[j] && term[i] == term[j])
#if N == 3
ltl one_leader { [] !(BOTH(0, 1) || BOTH(0, 2) || BOTH(1, 2)) }
#else
ltl one_leader { [] !BOTH(0, 1) }
#endif
