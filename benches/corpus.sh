#!/usr/bin/env bash
# Makes a folder of manual pages from what Debian packages: about 70 MB in 1,500 pages of four
# generators of documentation.
#
#     benches/corpus.sh FOLDER
set -euo pipefail
folder=${1:?usage: benches/corpus.sh FOLDER}

packages=(python3-doc apache2-doc openjdk-17-doc rust-doc)
missing=()
for package in "${packages[@]}"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
fi

mkdir -p "$folder"
# pages PACKAGE N: every Nth page of a package, in the order of their names, numbered.
pages() {
    local number=0
    dpkg -L "$1" | grep '\.html\?$' | sort | awk "NR % $2 == 0" | while read -r page; do
        [ -f "$page" ] || continue
        number=$((number + 1))
        cp -L "$page" "$folder/$(printf '%s-%05d.html' "$1" "$number")"
    done
}
# python3-doc depends on the package that has the pages.
pages "$(dpkg-query -W -f '${Depends}' python3-doc | grep -o 'python3\.[0-9]*-doc' | head -1)" 1
pages apache2-doc 10
pages openjdk-17-doc 25
pages rust-doc 80
du -sh "$folder"
