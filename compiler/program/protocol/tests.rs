//! Automata of small bodies.

use super::{Automaton, Course, TooLarge};

fn event(id: u32) -> Course {
    Course::Event(id)
}

fn row<const N: usize>(parts: [Course; N]) -> Course {
    Course::Sequence(parts.into())
}

fn any_number(body: Course) -> Course {
    Course::Loop(Box::new(body))
}

/// The automaton of a body whose events are all different, or what `classes` says.
fn automaton(course: &Course, events: u32, complete: bool) -> Automaton {
    let classes = (0..events).map(|event| vec![event]).collect();
    let positions = course.positions(events as usize).expect("small");
    Automaton::new(&positions, classes, complete).expect("small")
}

#[test]
fn a_row_has_a_state_before_each_event_and_one_at_its_end() {
    let course = row([event(0), event(1)]);
    let found = automaton(&course, 2, false);
    assert_eq!(found.next, [[Some(1), None], [None, Some(2)], [None, None]]);
    assert_eq!(found.ends, [false, false, true]);
}

#[test]
fn a_loop_goes_back() {
    let course = any_number(row([event(0), event(1)]));
    let found = automaton(&course, 2, true);
    assert_eq!(found.next, [[Some(1), None], [None, Some(0)]]);
    assert_eq!(found.ends, [true, false]);
}

#[test]
fn states_that_go_on_alike_are_one() {
    let first = Course::Choice(vec![event(0), event(1)]);
    let course = row([first, event(2)]);
    assert_eq!(automaton(&course, 3, false).states(), 3);
    // Only whether it may end there tells these apart.
    let course = row([any_number(event(0)), event(1), any_number(event(2))]);
    let ends = |complete| automaton(&course, 3, complete).states();
    assert_eq!((ends(false), ends(true)), (2, 2));
}

#[test]
fn what_must_be_remembered_takes_states() {
    // Any number, then a 1, then ten of any kind: which of the last eleven were a 1.
    let mut parts = vec![any_number(event(0)), event(1)];
    parts.extend((2..12).map(event));
    let positions = Course::Sequence(parts).positions(12).expect("small");
    let any: Vec<u32> = (2..12).collect();
    let zero: Vec<u32> = [0].into_iter().chain(any.clone()).collect();
    let one: Vec<u32> = [0, 1].into_iter().chain(any).collect();
    let found = Automaton::new(&positions, vec![zero, one], false);
    assert_eq!(found, Err(TooLarge::States));
    let long = Course::Sequence((0..5_000).map(event).collect());
    assert_eq!(long.positions(5_000), Err(TooLarge::Body));
}
