//! Sections of an `.htaccess` for some requests: `<Files>` by the name of the file, `<If>` and what
//! follows it by an expression.

use super::expression::Expression;
use super::section::Section;
use super::variables::Values;
use crate::engine::pattern::Pattern;
use crate::engine::work::{NoAnswer, Work};

/// All of them, in the order of their lines.
#[derive(Debug, Default)]
pub(super) struct Branches(Vec<Branch>);

#[derive(Debug)]
struct Branch {
    condition: Condition,
    /// The one that it is in.
    outer: Option<usize>,
    section: Section,
}

/// The requests that a section is for.
#[derive(Debug)]
pub(super) enum Condition {
    /// Files with a name like this.
    Name(Pattern),
    If(Expression),
    /// `<ElseIf>`, after the branch with this number.
    ElseIf(usize, Expression),
    Else(usize),
}

impl Branches {
    /// Adds a section, and returns its number.
    pub(super) fn add(
        &mut self,
        condition: Condition,
        outer: Option<usize>,
        section: Section,
    ) -> usize {
        self.0.push(Branch {
            condition,
            outer,
            section,
        });
        self.0.len() - 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get_mut(&mut self, number: usize) -> Option<&mut Section> {
        self.0.get_mut(number).map(|branch| &mut branch.section)
    }

    pub(super) fn sections_mut(&mut self) -> impl Iterator<Item = &mut Section> {
        self.0.iter_mut().map(|branch| &mut branch.section)
    }

    /// The sections that are for a request. A later one takes precedence, and any `<If>` over every
    /// `<Files>`.
    pub(super) fn active(
        &self,
        values: &Values<'_>,
        work: &Work,
    ) -> Result<Vec<&Section>, NoAnswer> {
        let (mut files, mut ifs) = (Vec::new(), Vec::new());
        // Whether each is for the request, and whether it or one that it follows is.
        let mut is_active: Vec<bool> = Vec::with_capacity(self.0.len());
        let mut has_held: Vec<bool> = Vec::with_capacity(self.0.len());
        for branch in &self.0 {
            let holds = |expression: &Expression| expression.holds(values, &mut None, work);
            let is_before = |number: &usize| has_held.get(*number).copied().unwrap_or_default();
            let (own, before) = match &branch.condition {
                Condition::Name(pattern) => {
                    let name = values.filename.rsplit(|byte| *byte == b'/').next();
                    (
                        pattern.find(name.unwrap_or_default(), work)?.is_some(),
                        false,
                    )
                }
                Condition::If(expression) => (holds(expression)?, false),
                Condition::ElseIf(number, expression) => (holds(expression)?, is_before(number)),
                Condition::Else(number) => (true, is_before(number)),
            };
            let outer = branch.outer.and_then(|outer| is_active.get(outer));
            let is_for = own && !before && outer.copied().unwrap_or(true);
            is_active.push(is_for);
            has_held.push(own || before);
            if is_for {
                match branch.condition {
                    Condition::Name(_) => files.push(&branch.section),
                    _ => ifs.push(&branch.section),
                }
            }
        }
        files.append(&mut ifs);
        Ok(files)
    }
}
