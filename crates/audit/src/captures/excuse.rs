//! Why a page is complete without a resource.

use baseref_document::Choice;
use baseref_evidence::captures::Need;
use baseref_findings::Violation;

use crate::rules::archive::alternative::Alternative;
use crate::rules::archive::other_resolution::OtherResolution;

/// Why a page is complete without a resource that was not captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excuse {
    /// The same image was captured in another resolution.
    OtherResolution,
    /// The same font or media file was captured in another format.
    OtherFormat,
    /// Only browsers that do not run scripts ask for it.
    WithScripts,
    /// Only printers and other devices ask for it.
    OtherDevice,
    /// No browser asks for it.
    NeverAsked,
}

impl Excuse {
    /// The excuse for a missing target, given the groups of alternatives with one that is there.
    pub(crate) fn new(choice: Choice, need: Need, is_found: impl Fn(u32) -> bool) -> Option<Self> {
        match choice {
            Choice::Image(group) if is_found(group) => Some(Self::OtherResolution),
            Choice::Format(group) if is_found(group) => Some(Self::OtherFormat),
            Choice::WithoutScripts if need == Need::Resource => Some(Self::WithScripts),
            Choice::OtherDevice => Some(Self::OtherDevice),
            Choice::Never | Choice::Dropped => Some(Self::NeverAsked),
            Choice::Image(_) | Choice::Format(_) | Choice::WithoutScripts => None,
        }
    }

    /// What a finding says in place of the missing target; `None` if there is nothing to say.
    pub(crate) fn violation(self) -> Option<Violation> {
        match self {
            Self::OtherResolution => Some(OtherResolution.into()),
            Self::OtherFormat => Some(Alternative::Format.into()),
            Self::WithScripts => Some(Alternative::WithoutScripts.into()),
            Self::OtherDevice => Some(Alternative::OtherDevice.into()),
            Self::NeverAsked => None,
        }
    }
}
