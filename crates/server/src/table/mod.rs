//! The table of servers: one row per web server or hosting service.
//!
//! A row has a name, how the server answers for folders and extensions ([`Server::hosting`]), and its
//! [`Dialect`] of redirect rules with a [`Format`]. The functions that read and write rules are reached by
//! the dialect only: a program that looks up hosting contains none of them.

mod lookup;
pub mod markdown;
mod row;
mod rows;

pub use lookup::{hosting, hosting_names, marks, rule_files_of_sites};
pub use row::{Format, RulesLocation, Server};
pub use rows::{Dialect, SERVERS};
