//! `mod_dir`, `mod_autoindex` and `mod_speling`: what is served for a path.

use super::section::{Applied, Switch};
use super::spelling::{self, Corrected};
use super::state::{RequestState, trim_slash};
use super::{ASKING_STEPS, Apache, add_slash, redirect_to};
use crate::engine::work::{NoAnswer, Work};
use crate::request::{self, FileKind, Files};
use crate::rule::Answer;

impl Apache {
    /// `mod_dir`, and finally the file.
    pub(super) fn serve(
        &self,
        applied: &Applied<'_>,
        state: &mut RequestState<'_>,
        path: &[u8],
        files: &dyn Files,
        work: &Work,
    ) -> Answer {
        match files.kind(trim_slash(path)) {
            Some(FileKind::File) if !path.ends_with(b"/") => Answer::File {
                path: path.to_vec(),
                status: 200,
                rule: None,
            },
            Some(FileKind::Directory) if !state.uri.ends_with(b"/") => {
                if applied.setting(|settings| settings.adds_no_slash) == Some(true) {
                    listing(applied, path)
                } else {
                    add_slash(state)
                }
            }
            Some(FileKind::Directory) => self.index(applied, state, path, files, work),
            _ => self.missing(applied, state, path, files, work),
        }
    }

    /// A path without a file: it continues below a file, or is misspelt, or the fallback applies.
    fn missing(
        &self,
        applied: &Applied<'_>,
        state: &mut RequestState<'_>,
        path: &[u8],
        files: &dyn Files,
        work: &Work,
    ) -> Answer {
        let refused = Answer::refused(404);
        if let Some(file) = request::file_above(path, files) {
            return if applied.setting(|settings| settings.ignores_rest) == Some(true) {
                Answer::File {
                    path: file.to_vec(),
                    status: 200,
                    rule: None,
                }
            } else {
                refused
            };
        }
        if let Some(answer) = self.fallback(applied, state, files, work) {
            return answer;
        }
        let checks_spelling = applied.setting(|settings| settings.checks_spelling) == Some(true);
        let asked = spelling::asked(path, files);
        let Some(kept) = state.uri.strip_suffix(asked) else {
            return refused;
        };
        if !checks_spelling || state.is_subrequest {
            return refused;
        }
        let case_only = applied.setting(|settings| settings.checks_case_only) == Some(true);
        match spelling::correct(path, case_only, files, work) {
            Ok(None) => refused,
            Ok(Some(Corrected::To(end))) => redirect_to(&[kept, &end].concat(), state, 301),
            Ok(Some(Corrected::Choices)) => Answer::refused(300),
            Err(NoAnswer) => Answer::Unknown { line: 1 },
        }
    }

    /// The path that `FallbackResource` serves instead, if it applies.
    fn fallback(
        &self,
        applied: &Applied<'_>,
        state: &mut RequestState<'_>,
        files: &dyn Files,
        work: &Work,
    ) -> Option<Answer> {
        let fallback = applied.setting(|settings| settings.fallback.as_ref());
        let fallback = fallback.and_then(Switch::value)?;
        if !files.is_file(fallback.path.as_bytes()) {
            // This may be a CGI program.
            let line = fallback.line;
            return Some(Answer::Unknown { line });
        }
        state.uri = fallback.path.clone().into_bytes();
        match self.process(&mut state.subrequest(state.uri.clone()), files, work) {
            Answer::File { path, status, .. } => Some(Answer::File {
                path,
                status,
                rule: Some(fallback.rule),
            }),
            answer => Some(answer),
        }
    }

    fn index(
        &self,
        applied: &Applied<'_>,
        state: &mut RequestState<'_>,
        path: &[u8],
        files: &dyn Files,
        work: &Work,
    ) -> Answer {
        let default = ["index.html".to_owned()];
        let (line, names) = match applied.setting(|settings| settings.index.as_ref()) {
            Some((line, names)) => (*line, &names[..]),
            None => (1, &default[..]),
        };
        let status = applied.setting(|settings| settings.index_status.as_ref());
        let status = status.and_then(Switch::value).copied();
        let mut refusal = None;
        for name in names {
            if work.take(ASKING_STEPS).is_err() {
                return Answer::Unknown { line };
            }
            let mut uri = if name.starts_with('/') {
                Vec::new()
            } else {
                state.uri.clone()
            };
            uri.extend_from_slice(name.as_bytes());
            let mut asked = state.subrequest(uri);
            match (self.process(&mut asked, files, work), status) {
                (Answer::Refused { status: 404, .. }, _) => {}
                (Answer::Refused { status, rule }, _) => {
                    refusal = Some(Answer::Refused { status, rule });
                }
                (Answer::File { .. }, Some(status)) => {
                    asked.args = None;
                    return redirect_to(&asked.uri, &asked, status);
                }
                (answer, _) => return answer,
            }
        }
        refusal.unwrap_or_else(|| listing(applied, path))
    }
}

/// The list of the files in a folder, if they are listed.
fn listing(applied: &Applied<'_>, path: &[u8]) -> Answer {
    if applied.setting(|settings| settings.lists) != Some(true) {
        return Answer::refused(403);
    }
    Answer::File {
        path: path.to_vec(),
        status: 200,
        rule: None,
    }
}
