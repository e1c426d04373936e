/* Leader election in a ring of N nodes (Chang and Roberts); -DSHUTDOWN lets nodes crash.
   The same protocol as ../models/ring.sdl. */
#ifndef N
#define N 4
#endif
#ifndef K
#define K 2
#endif

chan link[N] = [K] of { byte };
bool leader[N];
byte wrong;

#ifdef SHUTDOWN
#define CRASH :: goto crashed
#else
#define CRASH
#endif

active [N] proctype Node()
{
    byte id = _pid;
    byte other;

    if :: link[(id + 1) % N] ! id CRASH fi;
    do
    :: !leader[id] ->
endwait:
        if :: link[id] ? other CRASH fi;
        if
        :: other > id -> if :: link[(id + 1) % N] ! other CRASH fi
        :: other == id -> d_step { leader[id] = true; if :: id != N - 1 -> wrong = 1 :: else fi }
        :: other < id
        fi
    :: leader[id] -> break
    CRASH
    od;
crashed:
    skip
}

ltl largest { [] (wrong == 0) }
