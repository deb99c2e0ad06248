//! The modules of Apache httpd 2.4, which `<IfModule>` asks for.

use std::cmp::Ordering;

/// The modules that are part of the server, without `mod_`.
const MODULES: &str = " access_compat actions alias allowmethods asis auth_basic auth_digest auth_form \
    authn_anon authn_core authn_dbd authn_dbm authn_file authn_socache authnz_fcgi authnz_ldap \
    authz_core authz_dbd authz_dbm authz_groupfile authz_host authz_owner authz_user autoindex brotli \
    buffer cache cache_disk cache_socache cern_meta cgi cgid charset_lite data dav dav_fs dav_lock dbd \
    deflate dialup dir dumpio echo env expires ext_filter file_cache filter headers heartbeat \
    heartmonitor http http2 ident imagemap include info isapi lbmethod_bybusyness lbmethod_byrequests \
    lbmethod_bytraffic lbmethod_heartbeat ldap log_config log_debug log_forensic logio lua macro md \
    mime mime_magic mpm_event mpm_prefork mpm_worker negotiation proxy proxy_ajp proxy_balancer \
    proxy_connect proxy_express proxy_fcgi proxy_fdpass proxy_ftp proxy_hcheck proxy_html proxy_http \
    proxy_http2 proxy_scgi proxy_uwsgi proxy_wstunnel ratelimit reflector remoteip reqtimeout request \
    rewrite sed session session_cookie session_crypto session_dbd setenvif slotmem_plain slotmem_shm \
    so socache_dbm socache_dc socache_memcache socache_redis socache_shmcb speling ssl status \
    substitute suexec unique_id unixd userdir usertrack version vhost_alias watchdog xml2enc ";

/// Whether what an `<IfModule>` has applies. The modules of the server count as loaded, and others do
/// not.
pub(super) fn applies(condition: &str) -> bool {
    let condition = condition.trim_matches('"');
    let name = condition.strip_prefix('!').unwrap_or(condition);
    let file = name
        .strip_prefix("mod_")
        .and_then(|name| name.strip_suffix(".c"));
    let bare = file.or_else(|| name.strip_suffix("_module"));
    // The core and some others have files without `mod_`.
    let bare = bare.or_else(|| name.strip_suffix(".c")).unwrap_or(name);
    let is_loaded = bare == "core" || bare == "event" || MODULES.contains(&format!(" {bare} "));
    is_loaded != (name.len() < condition.len())
}

/// Whether an `<IfVersion>` holds for Apache 2.4; `None` if that depends on the patch level, or a
/// pattern decides it.
pub(super) fn is_version(condition: &str) -> Option<bool> {
    const OWN: [u32; 2] = [2, 4];
    let condition = condition.trim_matches('"');
    let start = condition.find(|c: char| c.is_ascii_digit())?;
    let (operator, version) = condition.split_at(start);
    let numbers: Result<Vec<u32>, _> = version.trim().split('.').map(str::parse).collect();
    let numbers = numbers.ok()?;
    let order = OWN[..].cmp(&numbers[..numbers.len().min(OWN.len())]);
    let order = match order {
        Ordering::Equal if numbers.len() > OWN.len() => return None,
        // A patch level is more than none.
        Ordering::Equal => Ordering::Greater,
        order => order,
    };
    let (operator, is_negated) = match operator.trim().strip_prefix('!') {
        Some(operator) => (operator, true),
        None => (operator.trim(), false),
    };
    let holds = match operator {
        ">" | ">=" => order == Ordering::Greater,
        "<" | "<=" => order == Ordering::Less,
        "" | "=" | "==" if order != Ordering::Greater => false,
        _ => return None,
    };
    Some(holds != is_negated)
}
