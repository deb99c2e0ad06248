//! Nothing but its tests. They are a package of their own because they read the crates and need none
//! of them built.
