//! The rules of the audit, one in each file: its id, level, source, summary, explanation and example,
//! and the messages of its findings.

pub mod archive {
    //! Rules `archive/…`.

    pub mod alternative;
    pub mod other_resolution;
}
pub mod base {
    //! Rules `base/…`.

    pub mod after_link;
    pub mod empty;
    pub mod foreign;
    pub mod fragment;
    pub mod header_only;
    pub mod ignored_by_browser;
    pub mod layer_conflict;
    pub mod multiple;
    pub mod outside_head;
    pub mod pathless;
    pub mod private_host;
    pub mod relative;
    pub mod retargets_fragment;
    pub mod undefined;
    pub mod unsuitable;
}
pub mod canonical {
    //! Rules `canonical/…`.

    pub mod chain;
    pub mod missing;
    pub mod noindex;
    pub mod redirected;
}
pub mod doc {
    //! Rules `doc/…`.

    pub mod charset_query;
    pub mod duplicate_id;
    pub mod unreadable;
}
pub mod external {
    //! Rules `external/…`.

    pub mod archived;
    pub mod dead;
    pub mod insecure_works;
    pub mod moved;
    pub mod unchecked;
    pub mod unknown;
}
pub mod hreflang {
    //! Rules `hreflang/…`.

    pub mod no_return;
    pub mod redirected;
}
pub mod mail {
    //! Rules `mail/…`.

    pub mod alternative_mismatch;
    pub mod cid_bare;
    pub mod cid_case;
    pub mod cid_duplicate;
    pub mod cid_unresolved;
    pub mod cid_unused;
    pub mod cid_wrong_scope;
    pub mod cloud_attachment;
    pub mod data_url_page;
    pub mod domain_lookalike;
    pub mod form_action;
    pub mod host_compat_chars;
    pub mod idn_confusable;
    pub mod idn_mixed_script;
    pub mod ip_host;
    pub mod mailto_mismatch;
    pub mod meta_refresh;
    pub mod qp_residue;
    pub mod recipient_in_url;
    pub mod remote_content;
    pub mod text_host_differs;
    pub mod text_mismatch;
    pub mod text_mismatch_opaque;
    pub mod text_other_suffix;
    pub mod title_mismatch;
    pub mod tracker_pixel;
    pub mod unsafe_scheme;
    pub mod unsub_body_differs;
    pub mod unsub_no_https;
    pub mod unsub_oneclick_invalid;
    pub mod userinfo_trick;
    pub mod wrapper_bad_target;
    pub mod wrapper_conflict;
    pub mod wrapper_lookalike;
    pub mod wrapper_opaque;
    pub mod wrapper_undecodable;
}
pub mod policy {
    //! Rules `policy/…`.

    pub mod empty_href;
    pub mod file_url;
    pub mod mixed_active;
    pub mod mixed_passive;
    pub mod private_host;
    pub mod userinfo;
}
pub mod resolve {
    //! Rules `resolve/…`.

    pub mod disagree_host;
    pub mod disagree_minor;
    pub mod disagree_path;
    pub(crate) mod disagrees;
    pub mod fail;
}
pub mod sitemap {
    //! Rules `sitemap/…`.

    pub mod blocked;
    pub mod elsewhere;
    pub mod noindex;
    pub mod non_canonical;
    pub mod redirected;
    pub mod rules_undecided;
    pub mod unlisted;
}
pub mod syntax {
    //! Rules `syntax/…`.

    pub mod ambiguous_charref;
    pub mod backslash;
    pub mod bad_escape;
    pub mod bnf;
    pub mod control;
    pub mod extra_hash;
    pub mod national;
    pub mod non_ascii;
    pub mod usemap;
    pub mod whitespace;
}
pub mod target {
    //! Rules `target/…`.

    pub(crate) mod absence;
    pub mod captured_error;
    pub mod captured_redirect;
    pub mod case_mismatch;
    pub mod charset_mismatch;
    pub mod dir_no_index;
    pub mod dir_no_slash;
    pub mod escapes_tree;
    pub mod ext_fallback;
    pub mod link_outside;
    pub mod listed_not_captured;
    pub mod loose_capture;
    pub mod missing_file;
    pub mod missing_fragment;
    pub mod missing_text;
    pub mod page_not_captured;
    pub mod redirect_not_captured;
    pub mod redirected;
    pub mod resource_not_captured;
    pub mod revisit_elsewhere;
    pub mod rules_undecided;
    pub mod slash_dependent;
    pub mod unicode_mismatch;
    pub mod unmappable;
}

baseref_findings::rule_list! {
    target { missing_file missing_fragment }
    canonical { missing redirected chain noindex }
    hreflang { no_return redirected }
    sitemap { redirected rules_undecided noindex non_canonical blocked elsewhere unlisted }
    target { resource_not_captured page_not_captured listed_not_captured captured_error
        captured_redirect redirect_not_captured loose_capture revisit_elsewhere case_mismatch
        unicode_mismatch charset_mismatch dir_no_index dir_no_slash redirected rules_undecided
        slash_dependent ext_fallback escapes_tree link_outside unmappable missing_text }
    archive { other_resolution alternative }
    base { undefined unsuitable after_link multiple relative outside_head empty pathless
        fragment retargets_fragment foreign private_host layer_conflict header_only
        ignored_by_browser }
    syntax { non_ascii whitespace control backslash bad_escape extra_hash national
        ambiguous_charref usemap bnf }
    resolve { disagree_host disagree_path disagree_minor fail }
    policy { mixed_active mixed_passive empty_href file_url private_host }
    external { dead moved unknown unchecked archived insecure_works }
    policy { userinfo }
    doc { duplicate_id charset_query unreadable }
    mail { cid_unresolved cid_wrong_scope cid_case cid_duplicate cid_bare cid_unused
        text_mismatch text_other_suffix text_host_differs text_mismatch_opaque mailto_mismatch
        title_mismatch userinfo_trick ip_host idn_mixed_script idn_confusable domain_lookalike
        host_compat_chars wrapper_opaque wrapper_undecodable wrapper_bad_target wrapper_conflict
        wrapper_lookalike qp_residue recipient_in_url remote_content tracker_pixel
        cloud_attachment unsub_no_https unsub_oneclick_invalid unsub_body_differs
        alternative_mismatch form_action data_url_page unsafe_scheme meta_refresh }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baseref_findings::Level;

    #[test]
    fn ids_are_unique_and_texts_complete() {
        for (number, rule) in ALL.iter().enumerate() {
            let first = ALL.iter().position(|other| other.id == rule.id);
            assert_eq!(first, Some(number), "{}", rule.id);
            assert!(rule.id.split('/').count() == 2);
            for text in [rule.summary, rule.explanation, rule.reference] {
                assert!(!text.is_empty() && !text.contains('\n'), "{}", rule.id);
            }
            assert!(
                !rule.summary.ends_with('.') && rule.explanation.ends_with('.'),
                "{}",
                rule.id
            );
        }
    }

    #[test]
    fn rules_off_by_default() {
        let off = ALL.iter().filter(|rule| rule.level == Level::Off);
        let off: Vec<&str> = off.map(|rule| rule.id).collect();
        assert_eq!(
            off,
            [
                "sitemap/unlisted",
                "target/missing-text",
                "base/layer-conflict",
                "base/header-only",
                "syntax/bnf",
                "resolve/disagree-minor"
            ]
        );
    }
}
