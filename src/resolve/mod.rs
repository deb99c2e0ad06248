//! What a reference means against a base: pure functions, no I/O, nothing else of ours.
