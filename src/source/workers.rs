//! The threads that read and parse beside the one that evaluates.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Stack of a thread that parses. Reserved, not used: what [`too_deep_at`](super::nesting::too_deep_at) lets pass stays far
/// below.
const STACK_SIZE: usize = 1 << 30;

/// Threads with stacks that are large enough for what [`parse`](super::parse::parse) is given, as the evaluator's own is.
#[derive(Debug)]
pub(super) struct Workers {
    pool: Option<rayon::ThreadPool>,
}

impl Default for Workers {
    fn default() -> Self {
        Self { pool: rayon::ThreadPoolBuilder::new().stack_size(STACK_SIZE).build().ok() }
    }
}

impl Workers {
    /// Runs it on one of the threads; when there are none, on this one.
    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Does jobs on the threads, in the order of [`Queue`], and `run` beside them on this one. Jobs that nobody has begun when `run`
    /// is over are left out.
    pub(super) fn beside<J: Send, R>(
        &self,
        queue: &Queue<J>,
        work_on: impl Fn(J) + Sync,
        run: impl FnOnce() -> R,
    ) -> R {
        let over = Over(queue);
        let Some(pool) = &self.pool else {
            while let Some(job) = queue.next(0, 1) {
                work_on(job);
                queue.done();
            }
            return run();
        };
        let threads = pool.current_num_threads();
        // A thread that waits for another to do its share of a job takes on whatever else there is. Were that another job, all of
        // it would come before the end of the first, which somebody waits for: so each thread takes one after the other.
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, context| {
                while let Some(job) = queue.next(context.index(), threads) {
                    work_on(job);
                    queue.done();
                }
            });
            let result = run();
            drop(over);
            result
        })
    }
}

/// Jobs that several threads share.
///
/// The evaluator waits for one after the other: the first thread takes them in order. The others begin with those that take
/// long, which would keep it waiting were they begun only in their turn. While it does not wait, it has a core for itself:
/// one thread less works then.
#[derive(Debug)]
pub(super) struct Queue<J> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<J> {
    /// Those that have not been taken.
    jobs: Vec<Option<J>>,
    /// The first that may be there.
    next: usize,
    /// Those that take long, the first one last.
    long: Vec<usize>,
    /// Threads that are at work.
    working: usize,
    /// Whether somebody waits for a job to be done.
    is_waited_for: bool,
    /// Whether nobody needs them any more.
    is_over: bool,
}

impl<J> Queue<J> {
    /// Jobs in order, and whether each takes long.
    pub(super) fn new(jobs: Vec<(J, bool)>) -> Self {
        let long = jobs.iter().enumerate().rev().filter(|(_, it)| it.1).map(|(at, _)| at).collect();
        let jobs = jobs.into_iter().map(|it| Some(it.0)).collect();
        let state = State { jobs, next: 0, long, working: 0, is_waited_for: false, is_over: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Waits for something that jobs bring about.
    pub(super) fn wait_for<R>(&self, wait: impl FnOnce() -> R) -> R {
        self.change(|it| it.is_waited_for = true);
        let result = wait();
        self.change(|it| it.is_waited_for = false);
        result
    }

    /// What one of so many threads does next; `None` when nothing is left.
    fn next(&self, thread: usize, threads: usize) -> Option<J> {
        let mut state = self.state();
        loop {
            let all = if state.is_waited_for { threads } else { threads.saturating_sub(1).max(1) };
            if state.is_over {
                return None;
            }
            if state.working < all {
                let job = state.take(thread)?;
                state.working += 1;
                return Some(job);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self) {
        self.change(|it| it.working -= 1);
    }

    fn change(&self, change: impl FnOnce(&mut State<J>)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J> State<J> {
    fn take(&mut self, thread: usize) -> Option<J> {
        while thread > 0
            && let Some(at) = self.long.pop()
        {
            if let Some(job) = self.jobs.get_mut(at).and_then(Option::take) {
                return Some(job);
            }
        }
        while let Some(job) = self.jobs.get_mut(self.next) {
            self.next += 1;
            if let Some(job) = job.take() {
                return Some(job);
            }
        }
        None
    }
}

/// Ends a queue, on the way out of a panic as well.
struct Over<'q, J>(&'q Queue<J>);

impl<J> Drop for Over<'_, J> {
    fn drop(&mut self) {
        self.0.change(|it| it.is_over = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_keeps_the_order_and_the_others_begin_with_what_takes_long() {
        let queue = Queue::new(vec![('a', false), ('b', true), ('c', false), ('d', true)]);
        let next = |thread| queue.wait_for(|| queue.next(thread, 8));
        assert_eq!(
            [next(1), next(0), next(0), next(1), next(0), next(1)],
            ["b", "a", "c", "d", "", ""].map(first)
        );
    }

    #[test]
    fn all_is_done_before_the_end_that_somebody_waits_for() {
        let workers = Workers::default();
        let (sender, receiver) = std::sync::mpsc::channel();
        let queue = Queue::new((0..100).map(|it| (it, it % 7 == 0)).collect());
        let work_on = |it: i32| sender.send(it).unwrap();
        let mut done: Vec<i32> =
            workers.beside(&queue, work_on, || queue.wait_for(|| receiver.iter().take(100).collect()));
        done.sort_unstable();
        assert_eq!(done, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn what_nobody_has_begun_is_left_out_in_the_end() {
        let queue = Queue::new(vec![((), false)]);
        drop(Over(&queue));
        assert_eq!(queue.next(0, 1), None);
    }

    fn first(text: &str) -> Option<char> {
        text.chars().next()
    }
}
