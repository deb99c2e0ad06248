//! A site that moves: what becomes of its links and addresses.

pub mod redirects;
