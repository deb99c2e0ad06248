//! Every output that the arguments ask for, declared before anything is read.
//!
//! The arguments are taken apart here field by field, so that an option added later must be named:
//! it is an output, or it is not.

use std::path::{Path, PathBuf};

use super::args::audit::AuditArgs;
use super::args::diff::DiffArgs;
use super::args::findings::{FindingsArgs, OutFormat};
use super::args::rewrite::RewriteArgs;
use super::args::verify_move::VerifyMoveArgs;
use super::args::{BaseArgs, Command, LinksArgs, OutputArgs, ReadingArgs};
use baseref_files::{DeclaredOutput, OutputGoal};

/// The outputs of a command.
pub(super) fn declared(command: &Command) -> Vec<DeclaredOutput> {
    match command {
        Command::Links(LinksArgs { reading, .. }) | Command::Base(BaseArgs { reading, .. }) => {
            declared_by_reading(reading)
        }
        Command::Audit(arguments) => {
            let AuditArgs {
                findings,
                fix,
                fix_into,
                ..
            } = &**arguments;
            with_fix(findings, (!fix.is_empty()).then_some(fix_into.as_str()))
        }
        Command::VerifyMove(arguments) => declared_by_move(arguments),
        Command::Rewrite(arguments) => declared_by_rewriting(arguments),
        Command::Diff(arguments) => {
            let DiffArgs { output, .. } = &**arguments;
            vec![file_or_stdout(output.as_deref())]
        }
        Command::Resolve(_) | Command::Man(_) | Command::Completions(_) => vec![stdout()],
    }
}

fn declared_by_reading(reading: &ReadingArgs) -> Vec<DeclaredOutput> {
    vec![file_or_stdout(reading.output.file())]
}

fn declared_by_rewriting(arguments: &RewriteArgs) -> Vec<DeclaredOutput> {
    let output = arguments.reading.output.file();
    match fixed(Some(&arguments.fix)) {
        Some(folder) => {
            let output = output.map(|path| file("-o", path));
            output.into_iter().chain([folder]).collect()
        }
        None => vec![file_or_stdout(output)],
    }
}

fn declared_by_move(arguments: &VerifyMoveArgs) -> Vec<DeclaredOutput> {
    with_fix(&arguments.findings, arguments.fix.as_deref())
}

/// The reports, and what is fixed.
fn with_fix(findings: &FindingsArgs, fix: Option<&str>) -> Vec<DeclaredOutput> {
    let folder = fixed(fix);
    // A patch always goes to standard output.
    let is_patch = fix.is_some() && folder.is_none();
    let mut outputs = declared_by_findings(findings, !(is_patch && findings.output.is_none()));
    if is_patch {
        outputs.push(stdout());
    }
    outputs.extend(folder);
    outputs
}

fn declared_by_findings(arguments: &FindingsArgs, prints: bool) -> Vec<DeclaredOutput> {
    let FindingsArgs {
        format: _,
        output,
        out,
        level: _,
        fail_on: _,
        rule: _,
        allow: _,
        config: _,
        baseline,
        baseline_strict: _,
        write_baseline,
        source_map: _,
        no_group: _,
        sarif_max: _,
        live_links: _,
        defang: _,
        report_date: _,
        groups: _,
        quiet: _,
        verbose: _,
        color: _,
        list_rules,
        explain,
    } = arguments;
    if *list_rules || explain.is_some() {
        return vec![stdout()];
    }
    let mut outputs = Vec::new();
    if prints || output.is_some() {
        outputs.push(file_or_stdout(output.as_deref()));
    }
    outputs.extend(out.iter().map(|(format, path)| {
        let name = match format {
            OutFormat::Report(format) => format.as_str().to_owned(),
            OutFormat::UrlMap => "urlmap".to_owned(),
            OutFormat::Recheck => "recheck".to_owned(),
            OutFormat::Seeds => "seeds".to_owned(),
            OutFormat::AllSeeds => "seeds.all".to_owned(),
            OutFormat::SeedsCsv => "seeds.csv".to_owned(),
            OutFormat::PagesCsv => "pages.csv".to_owned(),
            OutFormat::Redirects(dialect) => format!("redirects.{dialect}"),
        };
        file(&format!("--out {name}="), path)
    }));
    outputs.extend(write_baseline.as_ref().map(|path| DeclaredOutput {
        option: "--write-baseline".to_owned(),
        goal: OutputGoal::Baseline(path.clone(), baseline.clone()),
    }));
    outputs
}

impl OutputArgs {
    /// The file that the output goes to, if not to standard output.
    pub(super) fn file(&self) -> Option<&Path> {
        let Self {
            output,
            color: _,
            quiet: _,
            verbose: _,
            messages: _,
            notes_as_errors: _,
        } = self;
        output.as_deref().filter(|path| path.as_os_str() != "-")
    }
}

/// The folder of `--fix DIR`.
fn fixed(fix: Option<&str>) -> Option<DeclaredOutput> {
    fix.filter(|fix| *fix != "patch").map(|fix| DeclaredOutput {
        option: "--fix".to_owned(),
        goal: OutputGoal::Folder(PathBuf::from(fix)),
    })
}

fn file_or_stdout(path: Option<&Path>) -> DeclaredOutput {
    path.map_or_else(stdout, |path| file("-o", path))
}

fn file(option: &str, path: &Path) -> DeclaredOutput {
    DeclaredOutput {
        option: option.to_owned(),
        goal: OutputGoal::File(path.to_owned()),
    }
}

fn stdout() -> DeclaredOutput {
    DeclaredOutput {
        option: "on standard output".to_owned(),
        goal: OutputGoal::Stdout,
    }
}
