/* Leader election in a ring of N nodes (Chang and Roberts); -DSHUTDOWN lets nodes crash.
   The same protocol as ../models/ring.sdl. The only step that can break the invariant asserts it. */
#ifndef N
#define N 4
#endif
#ifndef K
#define K 2
#endif

chan link[N] = [K] of { byte };

#ifdef SHUTDOWN
#define CRASH :: skip -> goto end
#else
#define CRASH
#endif

active [N] proctype Node()
{
    byte id = _pid;
    chan left = link[id];
    chan right = link[(id + 1) % N];
    byte other;

    xr left;
    xs right;
    if :: right ! id CRASH fi;
    do
    ::  if :: left ? other CRASH fi;
        if
        :: other > id -> if :: right ! other CRASH fi
        :: other == id -> assert(id == N - 1); break
        :: else
        fi
    od;
end:
    false
}
