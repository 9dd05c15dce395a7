//! How wide the columns of a table are: what is short stays whole, prose wraps between words, paths lose their beginning.

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr as _;

use super::abbreviation::Abbreviations;
use super::document::{Run, Table, Text};
use super::visible::visible;

/// Columns of the page between two columns of a table.
pub const BETWEEN: usize = 2;
/// Texts of so few columns stay on one line.
const UNBROKEN: usize = 16;
/// No word asks for more room than this.
const LONGEST_WORD: usize = 28;
/// Nor any path.
const LONGEST_PATH: usize = 36;

/// The widths of the columns, which together with the room between them are at most `width`.
pub fn widths(table: &Table, width: usize, paths: &Abbreviations) -> Vec<usize> {
    let natural = over(table, &whole);
    let room = room(natural.len(), width);
    if natural.iter().sum::<usize>() <= room {
        return natural;
    }
    let mut least = over(table, &|text| smallest(text, paths));
    if let (Some(least), Some(natural)) = (least.first_mut(), natural.first()) {
        // The first column names what the row is about.
        *least = (*natural).min(LONGEST_WORD).max(*least);
    }
    // Words wrap before paths are cut.
    let floors =
        over(table, &|text| if has_path(text) { usize::MAX } else { smallest(text, paths).min(UNBROKEN) });
    let least = capped(&capped_to(&least, &floors, room), room);
    let needs: Vec<usize> =
        natural.iter().zip(&least).map(|(all, least)| all.saturating_sub(*least)).collect();
    let given = shared(&needs, room.saturating_sub(least.iter().sum()));
    least.iter().zip(given).map(|(least, more)| (least + more).max(1)).collect()
}

/// The table as it is where there is too little room for its remarks: they go with the column before.
pub fn narrowed<'t>(table: &'t Table, width: usize, paths: &Abbreviations) -> Cow<'t, Table> {
    let columns = table.rows.iter().map(Vec::len).max().unwrap_or(0);
    let has_remarks = columns > 3 && table.header.last().is_none_or(|it| it.is_empty());
    let least = over(table, &|text| smallest(text, paths));
    if !has_remarks || least.iter().sum::<usize>() <= room(columns, width) {
        return Cow::Borrowed(table);
    }
    let mut table = table.clone();
    table.header.pop();
    for row in table.rows.iter_mut().filter(|it| it.len() == columns) {
        if let (Some(remark), Some(before)) = (row.pop(), row.last_mut())
            && !remark.is_empty()
        {
            *before = std::mem::take(before).plain(", ").then(remark);
        }
    }
    Cow::Owned(table)
}

fn room(columns: usize, width: usize) -> usize {
    width.saturating_sub(BETWEEN * columns.saturating_sub(1))
}

/// The largest of something in each column.
fn over(table: &Table, of: &dyn Fn(&Text) -> usize) -> Vec<usize> {
    let header = table.header.iter().map(|it| Text::from(*it)).collect::<Vec<_>>();
    let rows = || table.rows.iter().chain(std::iter::once(&header));
    let columns = rows().map(Vec::len).max().unwrap_or(0);
    (0..columns).map(|at| rows().filter_map(|row| row.get(at)).map(of).max().unwrap_or(0)).collect()
}

fn has_path(text: &Text) -> bool {
    text.0.iter().any(|it| it.link.is_some())
}

/// A cell with its path made to fit.
pub fn fitted<'t>(text: &'t Text, width: usize, paths: &Abbreviations) -> Cow<'t, Text> {
    if !has_path(text) || whole(text) <= width {
        return Cow::Borrowed(text);
    }
    let mut text = text.clone();
    let others: usize = text.0.iter().filter(|it| it.link.is_none()).map(run_width).sum();
    // Words around a path wrap; the path then has the line for itself.
    let room = if others < width / 2 { width - others } else { width };
    for run in text.0.iter_mut().filter(|it| it.link.is_some()) {
        run.text = paths.fitting(&run.text, room);
    }
    Cow::Owned(text)
}

fn whole(text: &Text) -> usize {
    text.0.iter().map(run_width).sum()
}

fn run_width(run: &Run) -> usize {
    visible(&run.text).width()
}

/// The least that a cell needs: its longest word, or the shortest form of its path.
fn smallest(text: &Text, paths: &Abbreviations) -> usize {
    let of = |run: &Run| match run.link {
        Some(_) => paths.least(&run.text).min(LONGEST_PATH),
        None if run_width(run) <= UNBROKEN => run_width(run),
        None => {
            let words = run.text.split(' ').map(|it| visible(it).width());
            words.max().unwrap_or(0).min(LONGEST_WORD)
        }
    };
    text.0.iter().map(of).max().unwrap_or(0)
}

/// The same numbers, the large ones cut so that all together are at most `room`.
fn capped(numbers: &[usize], room: usize) -> Vec<usize> {
    let mut cap = numbers.iter().copied().max().unwrap_or(0);
    while cap > 1 && numbers.iter().map(|&it| it.min(cap)).sum::<usize>() > room {
        cap -= 1;
    }
    numbers.iter().map(|&it| it.min(cap)).collect()
}

/// The same numbers, the large ones cut as far as their floors until all together are at most `room`.
fn capped_to(numbers: &[usize], floors: &[usize], room: usize) -> Vec<usize> {
    let cut = |cap: usize| -> Vec<usize> {
        numbers.iter().zip(floors).map(|(&it, &floor)| it.min(cap.max(floor))).collect()
    };
    let largest = numbers.iter().copied().max().unwrap_or(0);
    let fits = (1..=largest).rev().map(cut).find(|it| it.iter().sum::<usize>() <= room);
    fits.unwrap_or_else(|| cut(1))
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
    fn small_needs_are_met_first_and_the_sum_fits() {
        assert_eq!(shared(&[2, 50, 30], 32), [2, 15, 15]);
        assert_eq!(shared(&[2, 3], 32), [2, 3]);
        assert_eq!(capped(&[10, 4, 30], 24), [10, 4, 10]);
        assert_eq!(capped_to(&[20, 4, 30], &[8, 2, usize::MAX], 46), [12, 4, 30]);
        assert_eq!(capped_to(&[20, 4, 30], &[8, 2, usize::MAX], 10), [8, 2, 30]);
    }
}
