//! What the compiler does not see of the house in ARCHITECTURE.md.
//!
//! That no layer uses a higher one needs no test: each is a crate.

mod circles;
mod imports;
mod length;
mod map;
mod privileges;
mod project;
mod readings;
mod source;
