#!/usr/bin/env python3
"""The public names of the library, each with its signature: tests/public_api.py [--renew]

Compares them with docs/public-api.txt, so that a change of the surface is seen in the diff of a
change. --renew writes that file. Also fails if a name of the surface mentions a type of ours that
cannot be named through the facade, or a type of a crate that is not ours.

Reads what rustdoc writes as JSON, whose form is not stable: it is asked for in the compiler's own
bootstrap mode, and the version of the form is checked.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
RECORDED = TOP / "docs" / "public-api.txt"
# The facade, and the crates whose names it re-exports.
FACADE, CRATES = "baseref", ["baseref-document", "baseref-html", "baseref-reader", "baseref-resolve"]
FEATURES = "archives,rcdom,serde,url,whatwg"
# The forms of the JSON that this script can read: of Rust 1.95, for one.
FORMATS = range(50, 80)
# The crates of others that the surface may mention: encodings, and with `rcdom` html5ever's tree.
FOREIGN = {"std", "core", "alloc", "encoding_rs", "markup5ever_rcdom", "serde", "serde_core", "url"}
# Traits that everything has, or that say nothing about use.
UNLISTED = {"StructuralPartialEq", "Freeze", "RefUnwindSafe", "Unpin", "UnsafeUnpin", "UnwindSafe"}


def document(package, extra):
    """Has rustdoc describe a package, without touching what builds of it depend on."""
    with tempfile.TemporaryDirectory() as folder:
        # Of the environment, many build scripts would see it.
        rustdoc = Path(folder) / "rustdoc"
        rustdoc.write_text('#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc "$@"\n')
        rustdoc.chmod(0o755)
        command = ["cargo", "rustdoc", "--locked", "--quiet", "--lib", "-p", package, *extra]
        command += ["--", "-Z", "unstable-options", "--output-format", "json", "--cap-lints", "allow"]
        subprocess.run(command, cwd=TOP, check=True, env={**os.environ, "RUSTDOC": str(rustdoc)})
    target = Path(os.environ.get("CARGO_TARGET_DIR", TOP / "target"))
    described = json.loads((target / "doc" / f"{package.replace('-', '_')}.json").read_text())
    if described["format_version"] not in FORMATS:
        sys.exit(f"rustdoc writes form {described['format_version']}: see whether {__file__} can read it")
    return described


class Crate:
    """What rustdoc says of one crate."""

    def __init__(self, described):
        self.index = described["index"]
        self.paths = described["paths"]
        self.by_path = {
            "::".join(known["path"]): id
            for id, known in self.paths.items()
            if known["crate_id"] == 0
        }

    def full(self, path):
        """The place of definition of a type that is mentioned."""
        known = self.paths.get(str(path["id"]))
        return "::".join(known["path"]) if known else path["path"]


class Writer:
    """Writes items of one crate as lines of Rust, noting which types they mention."""

    def __init__(self, crate, mentioned):
        self.crate, self.mentioned = crate, mentioned

    def path(self, path):
        full = self.crate.full(path)
        self.mentioned.add(full)
        return full.split("::")[-1] + self.args(path.get("args"))

    def args(self, args):
        if not args:
            return ""
        if "parenthesized" in args:
            inputs = ", ".join(map(self.type, args["parenthesized"]["inputs"]))
            output = args["parenthesized"]["output"]
            return f"({inputs})" + (f" -> {self.type(output)}" if output else "")
        kept = args["angle_bracketed"]
        words = []
        for arg in kept["args"]:
            [(kind, value)] = arg.items() if isinstance(arg, dict) else [(arg, arg)]
            words.append(value if kind == "lifetime" else self.type(value) if kind == "type" else str(value))
        for constraint in kept["constraints"]:
            [(kind, value)] = constraint["binding"].items()
            if kind == "equality":
                words.append(f"{constraint['name']} = {self.type(value['type'])}")
            else:
                words.append(f"{constraint['name']}: {self.bounds(value)}")
        return f"<{', '.join(words)}>" if words else ""

    def bounds(self, bounds):
        words = []
        for bound in bounds:
            [(kind, value)] = bound.items()
            if kind == "trait_bound":
                mark = "?" if value["modifier"] == "maybe" else ""
                words.append(mark + self.path(value["trait"]))
            elif kind == "outlives":
                words.append(value)
        return " + ".join(words)

    def type(self, described):
        [(kind, value)] = described.items() if isinstance(described, dict) else [(described, None)]
        match kind:
            case "resolved_path":
                return self.path(value)
            case "generic" | "primitive":
                return value
            case "borrowed_ref":
                lifetime = f"{value['lifetime']} " if value["lifetime"] else ""
                mutable = "mut " if value["is_mutable"] else ""
                return f"&{lifetime}{mutable}{self.type(value['type'])}"
            case "slice":
                return f"[{self.type(value)}]"
            case "array":
                return f"[{self.type(value['type'])}; {value['len']}]"
            case "tuple":
                return f"({', '.join(map(self.type, value))})"
            case "impl_trait":
                return f"impl {self.bounds(value)}"
            case "dyn_trait":
                traits = [self.path(one["trait"]) for one in value["traits"]]
                return "dyn " + " + ".join(traits + ([value["lifetime"]] if value["lifetime"] else []))
            case "qualified_path":
                return f"{self.type(value['self_type'])}::{value['name']}"
            case "function_pointer":
                return f"fn{self.signature(value['sig'])}"
            case _:
                return kind

    def signature(self, signature):
        words = []
        for name, described in signature["inputs"]:
            written = self.type(described)
            if name == "self":
                words.append(written.replace("Self", "self") if written in ("Self", "&Self", "&mut Self") else f"self: {written}")
            else:
                words.append(f"{name}: {written}")
        output = signature["output"]
        return f"({', '.join(words)})" + (f" -> {self.type(output)}" if output else "")

    def generics(self, generics):
        words = []
        for parameter in generics["params"]:
            [(kind, value)] = parameter["kind"].items()
            if kind == "lifetime":
                words.append(parameter["name"])
            elif kind == "type" and not value["is_synthetic"]:
                bounds = self.bounds(value["bounds"])
                words.append(parameter["name"] + (f": {bounds}" if bounds else ""))
        return f"<{', '.join(words)}>" if words else ""

    def function(self, item, name):
        function = item["inner"]["function"]
        header = "const fn" if function["header"]["is_const"] else "fn"
        return f"{header} {name}{self.generics(function['generics'])}{self.signature(function['sig'])}"

    def lines(self, name, item):
        """The lines of an item that the facade names `name`."""
        [(kind, inner)] = item["inner"].items()
        mark = "#[non_exhaustive] " if "non_exhaustive" in item["attrs"] else ""
        if kind == "function":
            yield self.function(item, name)
        elif kind in ("constant", "static"):
            yield f"{kind} {name}: {self.type(inner['type'])}"
        elif kind == "type_alias":
            yield f"type {name} = {self.type(inner['type'])}"
        elif kind == "struct":
            yield f"{mark}struct {name}{self.generics(inner['generics'])}"
            yield from self.fields(name, inner["kind"])
        elif kind == "enum":
            yield f"{mark}enum {name}{self.generics(inner['generics'])}"
            for id in inner["variants"]:
                yield from self.variant(name, self.crate.index[str(id)])
        if "impls" in inner:
            yield from sorted(self.methods(name, inner["impls"]))
            traits = sorted(set(self.traits(inner["impls"])))
            if traits:
                yield f"impl {', '.join(traits)} for {name}"

    def fields(self, name, kind):
        fields = kind["plain"]["fields"] if isinstance(kind, dict) and "plain" in kind else []
        for id in fields:
            # What is hidden in the documentation is not there.
            field = self.crate.index.get(str(id))
            if field:
                yield f"{name}.{field['name']}: {self.type(field['inner']['struct_field'])}"

    def variant(self, name, variant):
        kind = variant["inner"]["variant"]["kind"]
        path = f"{name}::{variant['name']}"
        if isinstance(kind, dict) and "tuple" in kind:
            fields = [self.crate.index[str(id)]["inner"]["struct_field"] for id in kind["tuple"]]
            yield f"{path}({', '.join(map(self.type, fields))})"
        elif isinstance(kind, dict) and "struct" in kind:
            fields = [self.crate.index[str(id)] for id in kind["struct"]["fields"]]
            words = (f"{field['name']}: {self.type(field['inner']['struct_field'])}" for field in fields)
            yield f"{path} {{ {', '.join(words)} }}"
        else:
            yield path

    def methods(self, name, impls):
        for id in impls:
            implementation = self.crate.index[str(id)]["inner"]["impl"]
            if implementation["trait"] is not None:
                continue
            for id in implementation["items"]:
                # What is hidden in the documentation is not there.
                item = self.crate.index.get(str(id))
                if item and "function" in item["inner"]:
                    yield self.function(item, f"{name}::{item['name']}")
                elif item and "assoc_const" in item["inner"]:
                    yield f"const {name}::{item['name']}: {self.type(item['inner']['assoc_const']['type'])}"

    def traits(self, impls):
        for id in impls:
            implementation = self.crate.index[str(id)]["inner"]["impl"]
            trait = implementation["trait"]
            if trait is None or implementation["blanket_impl"] is not None:
                continue
            name = trait["path"].split("::")[-1]
            if name in UNLISTED:
                continue
            types = []
            for id in implementation["items"]:
                item = self.crate.index.get(str(id))
                if item and "assoc_type" in item["inner"] and item["inner"]["assoc_type"]["type"]:
                    types.append(f"{item['name']} = {self.type(item['inner']['assoc_type']['type'])}")
            args = self.args(trait.get("args")) + (f"<{', '.join(types)}>" if types else "")
            yield ("!" if implementation["is_negative"] else "") + name + args


def exports(facade, module, prefix=""):
    """Each public name of a module of the facade, with the place of its definition."""
    for id in module["inner"]["module"]["items"]:
        item = facade.index[str(id)]
        [(kind, inner)] = item["inner"].items()
        if kind == "module":
            yield from exports(facade, item, f"{prefix}{item['name']}::")
        elif kind == "use":
            known = facade.paths.get(str(inner["id"]))
            # A whole crate is named by its own path alone.
            path = "::".join(known["path"]) if known else inner["source"]
            yield prefix + inner["name"], path
        else:
            sys.exit(f"{prefix}{item['name']} is defined in the facade: it only re-exports")


def main():
    described = document(FACADE, ["--no-default-features", "--features", FEATURES])
    facade = Crate(described)
    crates = {}
    for package in CRATES:
        extra = ["--all-features"]
        crates[package.replace("-", "_")] = Crate(document(package, extra))
    lines, named, mentioned = [], set(), {}
    exported = sorted(exports(facade, facade.index[str(described["root"])]))
    for name, path in exported:
        crate = crates.get(path.split("::")[0])
        if crate is None:
            lines.append(f"crate {name}")
            continue
        id = crate.by_path[path]
        if crate.paths[id]["kind"] == "module":
            # A module that is re-exported whole.
            for inner in crate.index[id]["inner"]["module"]["items"]:
                item = crate.index[str(inner)]
                if item["visibility"] == "public" and item["name"]:
                    types = mentioned.setdefault(f"{name}::{item['name']}", set())
                    lines += Writer(crate, types).lines(f"{name}::{item['name']}", item)
            continue
        named.add(path)
        lines += Writer(crate, mentioned.setdefault(name, set())).lines(name, crate.index[id])
    wrong = sorted(
        f"{name} mentions {path}, which the facade does not export"
        for name, types in mentioned.items()
        for path in types
        if path not in named and path.split("::")[0] not in FOREIGN and "::" in path
    )
    print(f"{len(exported)} names, {len(lines)} lines")
    if wrong:
        sys.exit("\n".join(wrong))
    text = "".join(f"{line}\n" for line in lines)
    if "--renew" in sys.argv[1:]:
        RECORDED.write_text(text)
        return
    recorded = RECORDED.read_text() if RECORDED.exists() else ""
    if text != recorded:
        import difflib

        sys.stdout.writelines(difflib.unified_diff(recorded.splitlines(True), text.splitlines(True), "recorded", "now"))
        sys.exit("the public API is not as recorded: if that is meant, renew it: tests/public_api.py --renew")


if __name__ == "__main__":
    main()
