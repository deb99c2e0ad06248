//! One file or folder per server: how its rules are read, and how it answers a request with them.

pub(crate) mod apache;
pub(crate) mod caddy;
pub(crate) mod cloudflare;
pub(crate) mod firebase;
pub(crate) mod iis;
pub(crate) mod list;
pub(crate) mod netlify;
pub(crate) mod next;
pub(crate) mod nginx;
pub(crate) mod s3;
pub(crate) mod swa;
pub(crate) mod vercel;
