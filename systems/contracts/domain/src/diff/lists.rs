//! Matches the elements of two lists.

use hansang_core::Value;

/// An old element and the new element that replaces it.
pub(super) type Step<'v> = (Option<&'v Value>, Option<&'v Value>);

/// The maximum number of compared pairs. Lists written by people stay far below it.
const MAX_PAIRS: usize = 250_000;

/// The steps from one list to another, which keep a longest common subsequence.
pub(super) fn steps<'v>(old: &'v [Value], new: &'v [Value]) -> Vec<Step<'v>> {
    let same = |(old, new): &(&Value, &Value)| old == new;
    let head = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let old_middle = &old_rest[..old_rest.len() - tail];
    let new_middle = &new_rest[..new_rest.len() - tail];

    let mut steps = Vec::with_capacity(old.len().max(new.len()));
    steps.extend(old[..head].iter().map(Some).zip(new[..head].iter().map(Some)));
    let (mut old_at, mut new_at) = (0, 0);
    for (old_next, new_next) in kept(old_middle, new_middle) {
        replaced(&mut steps, &old_middle[old_at..old_next], &new_middle[new_at..new_next]);
        steps.push((Some(&old_middle[old_next]), Some(&new_middle[new_next])));
        (old_at, new_at) = (old_next + 1, new_next + 1);
    }
    replaced(&mut steps, &old_middle[old_at..], &new_middle[new_at..]);
    let (old_tail, new_tail) = (&old_rest[old_middle.len()..], &new_rest[new_middle.len()..]);
    steps.extend(old_tail.iter().map(Some).zip(new_tail.iter().map(Some)));
    steps
}

/// Replaces the elements between two kept ones by position; surplus elements are removed or added.
fn replaced<'v>(steps: &mut Vec<Step<'v>>, old: &'v [Value], new: &'v [Value]) {
    let longest = old.len().max(new.len());
    steps.extend((0..longest).map(|at| (old.get(at), new.get(at))));
}

/// The positions of a longest common subsequence.
fn kept(old: &[Value], new: &[Value]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > MAX_PAIRS {
        return Vec::new();
    }
    // The length of the subsequence from a pair of positions to the ends.
    let width = new.len() + 1;
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    for (at, one) in old.iter().enumerate().rev() {
        for (by, other) in new.iter().enumerate().rev() {
            lengths[at * width + by] = if one == other {
                lengths[(at + 1) * width + by + 1] + 1
            } else {
                lengths[(at + 1) * width + by].max(lengths[at * width + by + 1])
            };
        }
    }
    let mut pairs = Vec::new();
    let (mut at, mut by) = (0, 0);
    while at < old.len() && by < new.len() {
        if old[at] == new[by] {
            pairs.push((at, by));
            (at, by) = (at + 1, by + 1);
        } else if lengths[(at + 1) * width + by] >= lengths[at * width + by + 1] {
            at += 1;
        } else {
            by += 1;
        }
    }
    pairs
}
