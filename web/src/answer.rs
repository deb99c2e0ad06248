//! What receives the results of a request.

/// What becomes of the results.
pub trait Answer: Send {
    /// Takes rows: `ends` has the place after each of them in `bytes`. What precedes the first row,
    /// the header of a table, is a row itself.
    fn rows(&mut self, bytes: &[u8], ends: &[u32]);

    /// Takes bytes that are not rows: a report.
    fn bytes(&mut self, bytes: &[u8]);

    /// Takes what could not be read, and remarks: JSON Lines.
    fn troubles(&mut self, lines: &[u8]);

    /// An entity of an input begins.
    fn begins(&mut self) {}
}
