//! Options that say how the answer is shown, and the writing of it.

use std::io::{self, IsTerminal as _, Write as _};

use clap::{Args, ValueEnum};

use super::Error;
use crate::gate::check::Checked;
use crate::gate::snapshot::Change;
use crate::render::{self, Document, Form, Question, Style};
use crate::report::Report;

/// Width of a page that goes into a pipe or a file.
const PIPE_WIDTH: usize = 100;
/// Narrower terminals get this width all the same: tables cannot be squeezed for ever.
const MIN_WIDTH: usize = 40;

/// How the answer is shown.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputOptions {
    /// The form of the answer [default: table]
    #[arg(long, value_enum, global = true)]
    pub format: Option<Format>,
    /// When to use colours; `NO_COLOR` and `CLICOLOR_FORCE` count too
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true)]
    pub color: Color,
    /// Show paths in full
    #[arg(long, global = true)]
    pub full_paths: bool,
    /// Columns of a page [default: those of the terminal]
    #[arg(long, value_name = "COLUMNS", global = true)]
    pub width: Option<usize>,
    /// Answer only; no diagnostics
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say what was read and how long each stage took
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// The forms of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Table,
    Json,
    Markdown,
    Sarif,
    Github,
    Compact,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl OutputOptions {
    /// The form that was asked for. Without one, an agent that runs this program gets the compact form.
    fn form(&self) -> Form {
        match self.format {
            Some(Format::Json) => Form::Json,
            Some(Format::Markdown) => Form::Markdown,
            Some(Format::Sarif) => Form::Sarif,
            Some(Format::Github) => Form::Github,
            Some(Format::Compact) => Form::Compact,
            None if std::env::var_os("PI_CODING_AGENT").is_some() => Form::Compact,
            Some(Format::Table) | None => Form::Table,
        }
    }

    fn style(&self) -> Style {
        let terminal = io::stdout().is_terminal();
        let width = self.width.unwrap_or_else(|| match terminal_size::terminal_size() {
            Some((width, _)) if terminal => usize::from(width.0),
            _ => PIPE_WIDTH,
        });
        let links = match self.color {
            Color::Never => false,
            // A pipe has none unless FORCE_HYPERLINK says so.
            Color::Auto | Color::Always => supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout),
        };
        Style { width: width.max(MIN_WIDTH), links, full_paths: self.full_paths }
    }

    fn choice(&self) -> anstream::ColorChoice {
        match self.color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}

/// Writes the answer to standard output and what went wrong on the way to standard error.
pub(super) fn write(options: &OutputOptions, question: &Question, report: &Report) -> Result<(), Error> {
    let style = options.style();
    tell(options, report, &style);
    to_stdout(options, &render::render(options.form(), question, report, &style)?)
}

/// What went wrong on the way, on standard error.
fn tell(options: &OutputOptions, report: &Report, style: &Style) {
    if options.quiet {
        return;
    }
    let mut stderr = anstream::AutoStream::new(io::stderr().lock(), options.choice());
    // A diagnostic that cannot be shown must not cost the answer.
    let _ = stderr.write_all(render::diagnostics(report, style).as_bytes());
    if options.verbose {
        let _ = stderr.write_all(render::timings(report, style).as_bytes());
    }
}

fn to_stdout(options: &OutputOptions, text: &str) -> Result<(), Error> {
    let mut stdout = anstream::AutoStream::new(io::stdout().lock(), options.choice());
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// Writes the result of a check.
pub(super) fn write_check(
    options: &OutputOptions,
    checked: &Checked<'_>,
    report: &Report,
) -> Result<(), Error> {
    let style = options.style();
    tell(options, report, &style);
    let text = render::check(options.form(), checked, report, &style)?;
    to_stdout(options, &text)
}

/// Writes what changed, and whether Pi starts now.
pub(super) fn write_changes(options: &OutputOptions, changes: &[Change], starts: &str) -> Result<(), Error> {
    let text = render::changes(options.form(), changes, starts, &options.style())?;
    to_stdout(options, &text)
}

/// Says on standard error why there is no answer; with the place, if it is one in a file.
pub(super) fn complain(options: &OutputOptions, error: &Error) {
    let mut stderr = anstream::AutoStream::new(io::stderr().lock(), options.choice());
    let mut text = format!("pi-why: {error}\n");
    if miette::Diagnostic::source_code(error).is_some() {
        let theme = miette::GraphicalTheme::unicode();
        let handler = miette::GraphicalReportHandler::new_themed(theme)
            .with_links(false)
            .with_width(options.style().width);
        text.clear();
        if handler.render_report(&mut text, error).is_err() {
            text = format!("pi-why: {error}\n");
        }
    }
    // There is no other place to complain.
    let _ = stderr.write_all(text.as_bytes());
}

/// Writes a page that is about no installation.
pub(super) fn write_document(options: &OutputOptions, document: &Document) -> Result<(), Error> {
    to_stdout(options, &render::print(options.form(), document, &options.style())?)
}

/// Writes data that is no answer about an installation.
pub(super) fn write_data(text: &str) -> Result<(), Error> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}
