/* The alternating bit protocol over buffered channels of capacity K that time out, and with -DFAULTS lose and duplicate
   messages; values 0 to 3.

   The same protocol as ../models/abp.sdl. Each atomic sequence is one operation on a channel with the computation behind
   it, up to where the next begins. The invariant is asserted wherever something it reads changes. */
#ifndef K
#define K 2
#endif

chan packets = [K] of { bit, byte };
chan acks = [K] of { bit };
bit current, expected;
byte value, delivered;

#define CHECK assert(expected == current || delivered == value)

#ifdef FAULTS
#define LOST :: skip
#define DUPLICATED(...) :: atomic { __VA_ARGS__ }
#else
#define LOST
#define DUPLICATED(...)
#endif

#define ANSWERED \
    if \
    :: answer == current -> answer = 0; current = 1 - current; CHECK; break \
    :: else -> answer = 0 \
    fi

#define ARRIVED \
    if \
    :: b == expected -> delivered = v; CHECK; expected = 1 - expected; CHECK \
    :: else \
    fi; \
    v = 0

active proctype Sender()
{
    bit answer;

    xs packets;
    xr acks;
    do
    ::  if
        :: atomic { value = 0; CHECK }
        :: atomic { value = 1; CHECK }
        :: atomic { value = 2; CHECK }
        :: atomic { value = 3; CHECK }
        fi;
        do
        ::  if
            :: packets ! current, value
            LOST
            fi;
            if
            :: atomic { acks ? answer; ANSWERED }
            DUPLICATED(acks ? <answer>; ANSWERED)
            :: skip                                                     /* timed out */
            fi
        od
    od
}

active proctype Receiver()
{
    bit b;
    byte v;

    xr packets;
    xs acks;
    do
    ::  if
        :: atomic { packets ? b, v; ARRIVED }
        DUPLICATED(packets ? <b, v>; ARRIVED)
        fi;
        if
        :: acks ! b
        LOST
        fi
    od
}
