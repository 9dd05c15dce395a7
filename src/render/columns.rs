//! How wide the columns of a table are: what is short stays whole, prose wraps between words, paths lose their beginning.

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr as _;

use super::document::{Run, Table, Text};
use super::visible::visible;

/// Columns of the page between two columns of a table.
pub const BETWEEN: usize = 2;
/// What stands for the part of a path that is left out.
const ELLIPSIS: &str = "…/";
/// Texts of so few columns stay on one line.
const UNBROKEN: usize = 16;
/// No word asks for more room than this.
const LONGEST_WORD: usize = 28;

/// The widths of the columns, which together with the room between them are at most `width`.
pub fn widths(table: &Table, width: usize) -> Vec<usize> {
    let header = table.header.iter().map(|it| Text::from(*it)).collect::<Vec<_>>();
    let rows = || table.rows.iter().chain(std::iter::once(&header));
    let columns = rows().map(Vec::len).max().unwrap_or(0);
    let over = |of: fn(&Text) -> usize| -> Vec<usize> {
        (0..columns).map(|at| rows().filter_map(|row| row.get(at)).map(of).max().unwrap_or(0)).collect()
    };
    let natural = over(whole);
    let room = width.saturating_sub(BETWEEN * columns.saturating_sub(1));
    if natural.iter().sum::<usize>() <= room {
        return natural;
    }
    let mut least = over(smallest);
    if let (Some(least), Some(natural)) = (least.first_mut(), natural.first()) {
        // The first column names what the row is about.
        *least = (*natural).min(LONGEST_WORD).max(*least);
    }
    let least = capped(&least, room);
    let needs: Vec<usize> =
        natural.iter().zip(&least).map(|(all, least)| all.saturating_sub(*least)).collect();
    let given = shared(&needs, room.saturating_sub(least.iter().sum()));
    least.iter().zip(given).map(|(least, more)| (least + more).max(1)).collect()
}

/// A cell with its path made to fit.
pub fn fitted(text: &Text, width: usize) -> Cow<'_, Text> {
    if !text.0.iter().any(|it| it.link.is_some()) || whole(text) <= width {
        return Cow::Borrowed(text);
    }
    let mut text = text.clone();
    let others: usize = text.0.iter().filter(|it| it.link.is_none()).map(run_width).sum();
    // Words around a path wrap; the path then has the line for itself.
    let room = if others < width / 2 { width - others } else { width };
    for run in text.0.iter_mut().filter(|it| it.link.is_some()) {
        run.text = shortened(&run.text, room);
    }
    Cow::Owned(text)
}

/// The end of a path that fits, with its package if there is room for that too.
fn shortened(path: &str, width: usize) -> String {
    let shown = visible(path);
    if shown.width() <= width {
        return path.to_owned();
    }
    if let Some((package, rest)) = path.split_once(' ')
        && let Some(room) = width.checked_sub(visible(package).width() + 1)
        && room >= smallest_path(rest)
    {
        return format!("{package} {}", shortened(rest, room));
    }
    let path = path.split_once(' ').map_or(path, |it| it.1);
    let slashes = path.match_indices('/').map(|(at, _)| at + 1);
    let mut tails = slashes.map(|at| format!("{ELLIPSIS}{}", &path[at..])).peekable();
    let mut shortest = path.to_owned();
    while let Some(tail) = tails.next() {
        if visible(&tail).width() <= width || tails.peek().is_none() {
            shortest = tail;
            break;
        }
    }
    shortest
}

/// The width of the last two parts of a path: one alone seldom says which file it is.
fn smallest_path(path: &str) -> usize {
    let start = path.rmatch_indices('/').nth(1).map(|(at, _)| at + 1);
    let all = visible(path).width();
    start.map_or(all, |it| (visible(&path[it..]).width() + ELLIPSIS.width()).min(all))
}

fn whole(text: &Text) -> usize {
    text.0.iter().map(run_width).sum()
}

fn run_width(run: &Run) -> usize {
    visible(&run.text).width()
}

/// The least that a cell needs: its longest word, or the last part of its path.
fn smallest(text: &Text) -> usize {
    let of = |run: &Run| match run.link {
        Some(_) => smallest_path(run.text.split_once(' ').map_or(&*run.text, |it| it.1)),
        None if run_width(run) <= UNBROKEN => run_width(run),
        None => run.text.split(' ').map(|it| visible(it).width()).max().unwrap_or(0),
    };
    text.0.iter().map(of).max().unwrap_or(0).min(LONGEST_WORD)
}

/// The same numbers, the large ones cut so that all together are at most `room`.
fn capped(numbers: &[usize], room: usize) -> Vec<usize> {
    let mut cap = numbers.iter().copied().max().unwrap_or(0);
    while cap > 1 && numbers.iter().map(|&it| it.min(cap)).sum::<usize>() > room {
        cap -= 1;
    }
    numbers.iter().map(|&it| it.min(cap)).collect()
}

/// Shares `room` out: small needs are met whole, large ones get equal parts of the rest.
fn shared(needs: &[usize], room: usize) -> Vec<usize> {
    let mut given = vec![0; needs.len()];
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|&it| needs[it]);
    let mut left = room;
    for (done, &at) in order.iter().enumerate() {
        given[at] = needs[at].min(left / (needs.len() - done));
        left -= given[at];
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lose_their_beginning_at_a_slash() {
        assert_eq!(shortened("~/.pi/agent/extensions/mcp.ts:2", 20), "…/mcp.ts:2");
        assert_eq!(shortened("~/.pi/agent/extensions/mcp.ts:2", 24), "…/extensions/mcp.ts:2");
        assert_eq!(shortened("npm:conv dist/deep/main.js:2", 26), "npm:conv …/deep/main.js:2");
        assert_eq!(shortened("npm:conv dist/deep/main.js:2", 12), "…/main.js:2");
        assert_eq!(shortened("a.ts:1", 3), "a.ts:1");
    }

    #[test]
    fn small_needs_are_met_first_and_the_sum_fits() {
        assert_eq!(shared(&[2, 50, 30], 32), [2, 15, 15]);
        assert_eq!(shared(&[2, 3], 32), [2, 3]);
        assert_eq!(capped(&[10, 4, 30], 24), [10, 4, 10]);
    }
}
