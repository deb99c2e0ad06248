//! The directory of a zip.

use std::io::BufReader;
use std::sync::Arc;

use zip::ZipArchive;
use zip::read::{Config, OwnedZipFileEntry, ZipArchiveMetadata, ZipFileEntry};
use zip::result::{ZipError, ZipResult};
use zip::unstable::read::ZipIterable;

use super::overlap;
use crate::input::section::Section;

/// The directory of a zip.
pub(super) enum Directory {
    /// All names are distinct.
    Named(Arc<ZipArchiveMetadata>),
    /// Some names are repeated.
    Repeated(Vec<OwnedZipFileEntry>),
}

impl Directory {
    pub fn read(reader: BufReader<Section>) -> ZipResult<(Self, BufReader<Section>)> {
        let archive = ZipArchive::new(reader)?;
        let named = archive.metadata();
        if !named.has_duplicate_names() {
            return Ok((Self::Named(named), archive.into_inner()));
        }
        let mut members = ZipIterable::try_new(archive.into_inner(), Config::default())?;
        let all = members.files()?.map(|entry| entry.map(Into::into));
        let all = all.collect::<ZipResult<_>>()?;
        // The reader cannot be recovered.
        let reader = members.files()?.reader_mut().get_ref().restarted();
        Ok((Self::Repeated(all), BufReader::new(reader)))
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Named(members) => members.len(),
            Self::Repeated(members) => members.len(),
        }
    }

    pub fn entry(&self, number: usize) -> ZipResult<ZipFileEntry<'_>> {
        match self {
            Self::Named(members) => members.entry(number),
            Self::Repeated(members) => members
                .get(number)
                .map(OwnedZipFileEntry::as_ref)
                .ok_or(ZipError::FileNotFound),
        }
    }

    /// For each member, whether it shares bytes with an earlier one.
    pub fn sharing(&self) -> Vec<bool> {
        overlap::sharing((0..self.len()).map(|number| {
            let entry = self.entry(number).ok()?;
            Some((entry.header_start(), entry.compressed_size()))
        }))
    }

    pub fn name(&self, number: usize) -> ZipResult<String> {
        let entry = self.entry(number)?;
        entry.name().map(std::borrow::Cow::into_owned)
    }
}
