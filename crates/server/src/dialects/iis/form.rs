//! How rules are written.

use crate::form::{Form, NewRule};

/// Writes rules with names, which must be unique.
pub(crate) static FORM: Form = Form::lines(
    "<configuration><system.webServer><rewrite><rules>\n",
    form_rule,
    "</rules></rewrite></system.webServer></configuration>\n",
);

fn form_rule(new: &NewRule<'_>) -> Option<String> {
    let path = new.path()?;
    let xml = |text: &str| quick_xml::escape::escape(text).into_owned();
    let bare = path.strip_prefix('/').unwrap_or(&path);
    Some(format!(
        "<rule name=\"{}\" stopProcessing=\"true\"><match url=\"^{}$\" ignoreCase=\"false\"/>\
         <action type=\"Redirect\" url=\"{}\" redirectType=\"Permanent\"/></rule>\n",
        xml(&path),
        xml(&regex::escape(bare)),
        xml(new.to)
    ))
}
