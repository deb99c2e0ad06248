//! The receiver of what a reader finds.

/// Receives items one by one, while what they borrow is still there.
///
/// Every closure that takes an item is a sink.
pub trait Sink<T> {
    /// Receives the next item.
    fn add(&mut self, item: T);
}

impl<T, F: FnMut(T)> Sink<T> for F {
    fn add(&mut self, item: T) {
        self(item);
    }
}
