//! Packages: zips and ZIM files whose members are audited as a site of their own.
//!
//! Each maps URLs to files on its own, so results depend neither on the other packages of a run nor
//! on which thread reads its first page.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::context::audit_context::{AuditContext, Book, PackageInfo, PackageKind};
use crate::model::package_id::PackageId;
use baseref_container::{Entity, Package, with_slashes};
use baseref_document::{Declaration, Origin, Place, Retrieval};
use baseref_resolve::segment::push_segment;
use baseref_site::hosting::{Folder, Hosting, Normalization};
use baseref_site::listing::Tree;
use baseref_site::map::{Address, SiteMap};

/// The recorded source of the URL of a member.
const MEMBER: &str = "its place in the package";

/// The packages of a run.
#[derive(Debug, Default)]
pub(crate) struct Packages {
    opened: Mutex<OpenedPackages>,
    addresses: Option<Addresses>,
}

#[derive(Debug, Default)]
struct OpenedPackages {
    by_path: HashMap<String, PackageId>,
    contexts: Vec<Arc<AuditContext>>,
}

impl OpenedPackages {
    fn get(&self, id: PackageId) -> Option<Arc<AuditContext>> {
        self.contexts.get(id.0 as usize).map(Arc::clone)
    }
}

/// Looks up the address that the user gave to the package at a path.
pub(crate) struct Addresses(pub(crate) Box<AddressLookup>);

pub(crate) type AddressLookup = dyn Fn(&Path) -> Option<Address> + Send + Sync;

impl fmt::Debug for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Addresses")
    }
}

impl Packages {
    /// Packages at addresses that the user gave.
    pub(crate) fn with_addresses(addresses: Addresses) -> Self {
        Self {
            opened: Mutex::default(),
            addresses: Some(addresses),
        }
    }

    /// The context of the package that holds an entity, if any. Sets the retrieval URL of the
    /// entity to its URL in the package.
    pub(crate) fn enter(
        &self,
        ctx: &AuditContext,
        entity: &mut Entity,
    ) -> Option<Arc<AuditContext>> {
        let package = entity.package.take()?;
        let member = entity.origin.member.as_deref()?;
        let name = path_of(&entity.origin);
        let package_ctx = self.open(ctx, name, &entity.origin, &package);
        let map = &package_ctx.map;
        if package.entries.is_some() {
            let below = package.below_root(member).unwrap_or_default();
            let own = format!("{}{}", map.sites()[0].prefix(), escaped(below));
            declare(entity, own);
            return Some(package_ctx);
        }
        let member = with_slashes(member);
        let below = package.path_of(&member);
        let file = below.and_then(|below| map.sites()[0].tree.file_at(Path::new(&below)));
        if let Some(file) = file {
            // EPUB 3.3 §4.2.6.2: what META-INF refers to is relative to the root.
            let is_of_container = package.is_epub && member.starts_with("META-INF/");
            let own = if is_of_container {
                map.sites()[0].prefix().to_owned()
            } else {
                map.url_of(0, file, &[])
            };
            declare(entity, own);
        }
        Some(package_ctx)
    }

    /// The context of a package.
    pub(crate) fn get(&self, id: PackageId) -> Option<Arc<AuditContext>> {
        self.opened().get(id)
    }

    fn opened(&self) -> MutexGuard<'_, OpenedPackages> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The context of the package at a path, created for the first of its files.
    fn open(
        &self,
        ctx: &AuditContext,
        path: String,
        origin: &Origin,
        package: &Arc<Package>,
    ) -> Arc<AuditContext> {
        let mut packages = self.opened();
        let known = packages.by_path.get(&path).copied();
        if let Some(known) = known.and_then(|id| packages.get(id)) {
            return known;
        }
        let id = PackageId(u32::try_from(packages.contexts.len()).unwrap_or(u32::MAX));
        let ctx = Arc::new(self.new_context(ctx, id, origin, package));
        packages.by_path.insert(path, id);
        packages.contexts.push(Arc::clone(&ctx));
        ctx
    }

    fn new_context(
        &self,
        ctx: &AuditContext,
        id: PackageId,
        origin: &Origin,
        package: &Arc<Package>,
    ) -> AuditContext {
        let name = &*path_of(origin);
        let files = package.files.iter();
        let below: Vec<String> = files.filter_map(|file| package.path_of(file)).collect();
        let root = format!("{name}!{}", package.root);
        let paths = below.iter().map(String::as_bytes);
        let mut map = SiteMap::new();
        let tree = Tree::from_paths(Path::new(&root), paths);
        let book = Book::new(package);
        let _ = map.add(tree, &self.address(origin, book.is_some()));
        if !package.recorded.is_empty() || is_htz(name) {
            map.set_copy(0);
        }
        for (file, url) in &package.recorded {
            let below = package.path_of(file);
            let file = below.and_then(|below| map.sites()[0].tree.file_at(Path::new(&below)));
            if let Some(file) = file {
                map.add_recorded(0, file, url);
            }
        }
        let hosting = if package.is_epub {
            Hosting {
                index: Vec::new(),
                folder: Folder::NotFound,
                extensions: Vec::new(),
                slash_extension: false,
                case_sensitive: true,
                // EPUB 3.3 §4.2.3: names must be unique after normalization.
                normalization: Normalization::Ignored,
                ..ctx.hosting.clone()
            }
        } else {
            ctx.hosting.clone()
        };
        let kind = if package.is_epub {
            PackageKind::Epub
        } else if book.is_some() {
            PackageKind::Book
        } else if !package.recorded.is_empty() {
            PackageKind::Saved
        } else {
            PackageKind::Zip
        };
        let package = PackageInfo::new(id, kind, ctx.key_of(name));
        let mut ctx = ctx.for_package(map, hosting, package);
        ctx.book = book;
        ctx
    }

    /// The address of a package. A book is in a folder of an unknown server, so that links to the root
    /// of that lead out of it.
    fn address(&self, origin: &Origin, is_book: bool) -> Address {
        let addresses = self.addresses.as_ref().filter(|_| origin.within.is_none());
        let given = addresses.and_then(|addresses| (addresses.0)(Path::new(&*origin.input)));
        given.unwrap_or_else(|| {
            let name = Path::new(&*origin.input).file_name().filter(|_| is_book);
            let name = name.map(|name| format!("/{}", escaped(&name.to_string_lossy())));
            Address::Path(name.unwrap_or_default())
        })
    }
}

/// Whether a package was named as `WebScrapBook` names the zips of saved pages, which have no record.
fn is_htz(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("htz"))
}

/// A path, percent-encoded for a URL.
fn escaped(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for (number, name) in path.split('/').enumerate() {
        if number > 0 {
            escaped.push('/');
        }
        push_segment(name.as_bytes(), &mut escaped);
    }
    escaped
}

/// Replaces the retrieval URLs of an entity with its URL in its package.
fn declare(entity: &mut Entity, own: String) {
    let is_retrieval = |at: &Place| matches!(at, Place::Retrieval(_));
    entity
        .declarations
        .retain(|declared| !is_retrieval(&declared.at));
    let own = Declaration::new(own, Place::Retrieval(Retrieval::Record(MEMBER)));
    entity.declarations.insert(0, own);
}

/// The path of a package: its input, and the path inside another container.
fn path_of(origin: &Origin) -> String {
    let mut package = origin.clone();
    package.member = None;
    package.to_string()
}
