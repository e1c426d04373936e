/* The two conversations of examples/conversations.sdl, after the scheme of Lacey's thesis: a process for each side of a
   conversation, a channel that holds one message for each conversation, a label for each state, `if` over its rows, `goto` to the
   next state. With -DRIGHT the initiator of CollectData sends Acknowledge in logFailure (examples/conversations_right.sdl).

   What is sent is noted in the same step, for the formulas at the end. They have the names of the specifications there. */

mtype = { Send, FailureTransmission, Acknowledge, CollectData, Return, CollectionFailure };

chan sendInfo = [1] of { mtype };
chan collect = [1] of { mtype };

byte seen31;    /* so many messages of figure 31 have been sent, in its order */
byte seen32;    /* of figure 32 */
byte starts;    /* how often CollectData has been sent, at most 2 are counted */
byte phase;     /* of `collecting`: 0 begins, 1 collected, 2 returned, 3 failed, 4 failed to transmit, 5 at its end, 6 wrong */
bool doneA, doneB, doneC, doneD, logging;

inline noteInfo(m) {
    if
    :: m == Send && (seen31 == 0 || seen31 == 3) -> seen31++
    :: else
    fi;
    if
    :: m == Send && (seen32 == 0 || seen32 == 3) -> seen32++
    :: else
    fi
}

inline noteCollect(byInitiator, m) {
    if
    :: seen31 == 1 && byInitiator && m == CollectData -> seen31 = 2
    :: seen31 == 2 && !byInitiator && m == Return -> seen31 = 3
    :: else
    fi;
    if
    :: seen32 == 1 && byInitiator && m == Send -> seen32 = 2
    :: seen32 == 2 && !byInitiator && m == Return -> seen32 = 3
    :: else
    fi;
    if
    :: m == CollectData && starts < 2 -> starts++
    :: else
    fi;
    if
    :: phase == 0 && m == CollectData -> phase = 1
    :: phase == 1 && m == CollectionFailure -> phase = 3
    :: phase == 1 && m == Return -> phase = 2
    :: phase == 2 && m == FailureTransmission -> phase = 4
    :: phase == 4 && m == Return -> phase = 2
    :: (phase == 2 || phase == 3) && m == Acknowledge -> phase = 5
    :: else -> phase = 6
    fi
}

active proctype A() {    /* the initiator of SendInfo */
    atomic { sendInfo!Send; noteInfo(Send) }
wait:
    if
    :: sendInfo?FailureTransmission -> atomic { sendInfo!Send; noteInfo(Send) }; goto wait
    :: sendInfo?Acknowledge -> goto endState
    fi;
endState:
    doneA = true
}

active proctype B() {    /* its responder */
    sendInfo?Send;
validation:
    if
    :: sendInfo!FailureTransmission; sendInfo?Send; goto validation
    :: sendInfo!Acknowledge; goto endState
    fi;
endState:
    doneB = true
}

active proctype C() {    /* the initiator of CollectData */
    atomic { collect!CollectData; noteCollect(true, CollectData) }
waiting:
    if
    :: collect?Return ->
        if
        :: atomic { collect!FailureTransmission; noteCollect(true, FailureTransmission) }; goto waiting
        :: atomic { collect!Acknowledge; noteCollect(true, Acknowledge) }; goto endState
        fi
    :: collect?CollectionFailure -> logging = true; goto logFailure
    fi;
logFailure:
#ifdef RIGHT
    atomic { collect!Acknowledge; noteCollect(true, Acknowledge) };
#else
    collect?Acknowledge;
#endif
endState:
    doneC = true
}

active proctype D() {    /* its responder */
    collect?CollectData;
    if
    :: atomic { collect!CollectionFailure; noteCollect(false, CollectionFailure) }; goto wait
    :: atomic { collect!Return; noteCollect(false, Return) }; goto complete
    fi;
wait:
    collect?Acknowledge;
    goto endState;
complete:
    if
    :: collect?Acknowledge -> goto endState
    :: collect?FailureTransmission -> atomic { collect!Return; noteCollect(false, Return) }; goto complete
    fi;
endState:
    doneD = true
}

ltl fig31 { [] (seen31 < 4) }
ltl fig32 { [] (seen32 < 4) }
ltl twice { [] (starts < 2) }
ltl collecting { [] (phase != 6) }
ltl gets_over { [] (logging -> <> doneC) }
ltl info_ends { <> doneA }
