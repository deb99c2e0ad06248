//! The lines of curl.

use std::io::Read;

use crate::error::Problem;
use crate::measured::Each;
use crate::source::Source;
use crate::table::{Column, Row};

/// Reads lines of `%{url} %{response_code} %{redirect_url}`, or with tabs and `%{errormsg}`.
pub(crate) fn read(source: &mut Source<impl Read>, each: Each<'_>) -> Result<(), Problem> {
    const COLUMNS: [Column; 4] = [Column::Url, Column::Status, Column::Location, Column::Error];
    while let Some((number, line)) = source.line()? {
        let mut row = Row::default();
        let mut put = |(column, field): (&Column, &str)| row.put(*column, field);
        if line.contains('\t') {
            COLUMNS.iter().zip(line.split('\t')).for_each(&mut put);
        } else {
            let fields = line.split_ascii_whitespace();
            COLUMNS.iter().zip(fields).for_each(&mut put);
        }
        if !row.has_status_of_three_digits() {
            let reason = "the line has no status of three digits after its URL";
            return Err(Problem::at(number, reason));
        }
        each(
            row.measured()
                .map_err(|reason| Problem::at(number, reason))?,
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::Outcome;

    fn outcomes(text: &str) -> Result<Vec<Outcome>, Problem> {
        let mut found = Vec::new();
        read(&mut Source::new(text.as_bytes())?, &mut |measured| {
            found.push(measured.outcome());
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn fields_may_be_separated_by_tabs_for_the_message() {
        let text = "https://a.example/ 200 \nhttps://b.example/ 308 https://c.example/\n\
                    https://d.example/\t000\t\tCould not resolve host: d.example\n\
                    https://e.example/ 000 \n";
        assert_eq!(
            outcomes(text).expect("lines"),
            [
                Outcome::Alive,
                Outcome::Moved,
                Outcome::Dead,
                Outcome::Unknown
            ]
        );
        let problem = outcomes("https://a.example/ ok\n").expect_err("no status");
        assert_eq!(problem.line, Some(1));
    }
}
