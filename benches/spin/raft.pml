/* A Raft-like election among N nodes, terms up to T, inboxes of capacity Q; -DSHUTDOWN lets nodes crash. Compile with
   `spin -a -m`: a message to a full inbox is lost.

   The same protocol as ../models/raft.sdl. Each atomic sequence is one operation on a channel with the local
   computation behind it, up to where the next begins. A node keeps its term to itself; what the others may see is the
   term it leads. The step that can break the invariant asserts it. No `xr`: whether a message is lost depends on
   whether another has been received, so that the two are not independent. */
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
byte leads[N];

#ifdef SHUTDOWN
#define CRASH :: d_step { term = 0; votes = 0; voted_for = 0; leader = false; from = 0; other = 0 } goto end
#else
#define CRASH
#endif

#define SAME(i) (i < N && i != id && leads[i % N] == term)

active [N] proctype Node()
{
    byte id = _pid;
    byte term, votes, from, t, other;
    byte voted_for = NONE;
    bool leader;
    mtype kind;

wait:
    if
    :: atomic {
        inbox[id] ? kind, from, t;
        if
        :: t > term ->
            leader = false; leads[id] = 0; term = t; voted_for = NONE; votes = 0
        :: else
        fi;
        if
        :: t == term && kind == RequestVote && voted_for == NONE ->
            voted_for = from; kind = 0; t = 0; goto answer
        :: t == term && kind == Vote && votes > 0 && votes < N ->
            votes++;
            if
            :: 2 * votes > N ->
                leader = true; leads[id] = term;
                assert(!SAME(0) && !SAME(1) && !SAME(2) && !SAME(3) && !SAME(4))
            :: else
            fi
        :: else
        fi;
        kind = 0; from = 0; t = 0; goto wait
    }
    :: atomic {
        term < T && !leader -> term++; voted_for = id; votes = 1; other = (id == 0 -> 1 : 0); goto ask
    }
    CRASH
    fi;
answer:
    if
    :: atomic { inbox[from] ! Vote, id, term; from = 0; goto wait }
    CRASH
    fi;
ask:
    if
    :: atomic {
        inbox[other] ! RequestVote, id, term;
        other = other + 1 + (other + 1 == id -> 1 : 0);
        if
        :: other < N -> goto ask
        :: else -> other = 0; goto wait
        fi
    }
    CRASH
    fi;
end:
    false
}
