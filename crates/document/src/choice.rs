//! References whose targets browsers do not always ask for.

/// When browsers ask for the target of a reference that they do not always ask for.
///
/// References with the same group are alternatives: a browser needs one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It is one of the images of this group, which differ in size, resolution or type.
    Image(u32),
    /// It is one of the fonts, videos or audio files of this group, which differ in format.
    Format(u32),
    /// Only a browser that does not run scripts asks for it.
    WithoutScripts,
    /// Browsers of other devices ask for it: phones for their start page, printers.
    OtherDevice,
    /// No browser asks for it.
    Never,
    /// It is an image candidate that the HTML algorithm drops.
    Dropped,
}

impl Choice {
    /// The group, for a choice that has one.
    #[must_use]
    pub fn group(self) -> Option<u32> {
        match self {
            Self::Image(group) | Self::Format(group) => Some(group),
            Self::WithoutScripts | Self::OtherDevice | Self::Never | Self::Dropped => None,
        }
    }

    /// The choice with its group raised by `groups`.
    #[must_use]
    pub fn after(self, groups: u32) -> Self {
        match self {
            Self::Image(group) => Self::Image(group.saturating_add(groups)),
            Self::Format(group) => Self::Format(group.saturating_add(groups)),
            Self::WithoutScripts | Self::OtherDevice | Self::Never | Self::Dropped => self,
        }
    }
}

/// The choices of those references of a document that have one, by the indices of the references.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    /// In ascending order of the index.
    choices: Vec<(usize, Choice)>,
    /// The number of groups.
    groups: u32,
}

impl Choices {
    pub(crate) fn get(&self, index: usize) -> Option<Choice> {
        let found = self
            .choices
            .binary_search_by_key(&index, |(index, _)| *index);
        Some(self.choices.get(found.ok()?)?.1)
    }

    /// Sets the choice of a reference. References mostly come in order.
    pub(crate) fn set(&mut self, index: usize, choice: Choice) {
        if let Some(group) = choice.group() {
            self.groups = self.groups.max(group.saturating_add(1));
        }
        let place = self.choices.partition_point(|(known, _)| *known < index);
        match self.choices.get_mut(place) {
            Some((known, own)) if *known == index => *own = choice,
            _ => self.choices.insert(place, (index, choice)),
        }
    }

    /// Adds those of the references that are appended after the first `references`.
    pub(crate) fn extend(&mut self, others: &Self, references: usize) {
        let groups = self.groups;
        self.groups = groups.saturating_add(others.groups);
        let others = others.choices.iter();
        let others = others.map(|(index, choice)| (index + references, choice.after(groups)));
        self.choices.extend(others);
    }

    /// Gives each reference the index that `moved` has for its index.
    pub(crate) fn reorder(&mut self, moved: &[usize]) {
        for (index, _) in &mut self.choices {
            *index = moved[*index];
        }
        self.choices.sort_unstable_by_key(|(index, _)| *index);
    }
}
