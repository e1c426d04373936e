/* The alternating bit protocol over buffered channels of capacity K that lose and duplicate messages.
   The same protocol as ../models/abp.sdl. */
#ifndef K
#define K 2
#endif
#ifndef V
#define V 3
#endif

chan data = [K] of { bit, byte };
chan acks = [K] of { bit };
bit current, expected;
byte value, delivered;

active proctype Sender()
{
    bool acked;
    bit answer;

    do
    ::  select (value : 0 .. V);
        acked = false;
        do
        :: !acked ->
            if
            :: data ! current, value
            :: skip                          /* lost */
            fi;
            if
            :: acks ? answer -> acked = (answer == current)
            :: acks ? <answer> -> acked = (answer == current)    /* duplicated */
            :: skip                          /* timed out */
            fi
        :: acked -> break
        od;
        current = 1 - current
    od
}

active proctype Receiver()
{
    bit b;
    byte v;

    do
    ::  if
        :: data ? b, v
        :: data ? <b, v>                     /* duplicated */
        fi;
        if
        :: b == expected -> delivered = v; expected = 1 - expected
        :: else
        fi;
        if
        :: acks ! b
        :: skip                              /* lost */
        fi
    od
}

ltl same { [] (expected != current -> delivered == value) }
