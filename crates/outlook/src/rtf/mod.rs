//! RTF bodies: decompression, and the HTML that they encapsulate.

pub mod compressed;
mod fonts;
pub mod html;
mod token;
