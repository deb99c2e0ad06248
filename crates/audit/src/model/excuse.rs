//! Why a page is complete without a resource.

/// Why a page is complete without a resource that was not captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excuse {
    /// The same image was captured in another resolution.
    OtherResolution,
    /// The same font or media file was captured in another format.
    OtherFormat,
    /// Only browsers that do not run scripts ask for it.
    WithScripts,
    /// No browser asks for it.
    NeverAsked,
}
