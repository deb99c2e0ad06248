//! What is read, and what it resolves to: bases, links, positions and limits, against standards and
//! references.

mod bases;
mod corpus_encoding;
mod corpus_html5lib;
mod expected_tree;
mod feeds;
mod html_limits;
mod html_reference;
mod link_places;
mod mail_bases;
mod mail_links;
mod mutation;
mod positions;
mod properties;
mod reference;
mod resolve;
mod table;
mod xml;
