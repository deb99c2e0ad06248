#!/usr/bin/env python3
"""kills.py BASEREF [-n NUMBER] [--seed SEED] [-v]: kills runs that write files and folders, and expects each output whole.

NUMBER runs (150 without `-n`) get SIGKILL, SIGTERM, SIGINT or SIGHUP at a random moment; every second one while a file or
folder with a temporary name exists. Then each output must be what it was before or what a whole run writes, the inputs
must be unchanged, only SIGKILL may leave anything else, and that under a temporary name. The next run must remove it and
write the same as a whole run. Prints what fails, and what the outputs were after each signal; exit code 1 if any failed."""
import argparse, collections, hashlib, random, re, shutil, signal, subprocess, sys, tempfile, time, zipfile
from pathlib import Path

TEMPORARY = re.compile(r"\.baseref-[0-9A-Za-z]{6}\.tmp")
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGKILL, signal.SIGHUP]
MOVE = ["verify-move", "--from", "http://h.example/", "--to", "http://n.example/"]
RUNS = {  # name: (the arguments, `{site}` and `{zip}` being inputs and `{new}` a rebuilt site; the outputs)
    "csv of a tree": (["links", "-u", "http://h.example/", "-f", "csv", "-o", "{out}/a", "{site}"], ["a"]),
    "JSON Lines of an archive": (["links", "-u", "http://h.example/", "-f", "jsonl", "-o", "{out}/a", "{zip}"], ["a"]),
    "a graph": (["links", "-u", "http://h.example/", "-f", "graphml", "-o", "{out}/a", "{zip}"], ["a"]),
    "reports, seeds and a baseline": (
        ["audit", "--url-map", "{site}=http://h.example/", "--out", "html={out}/a", "--out", "seeds={out}/b", "--out", "sarif={out}/c",
         "--write-baseline", "{out}/d", "{site}"], list("abcd")),
    "fixed pages": (["rewrite", "--url-map", "{site}=http://h.example/", "--absolute", "--fix", "{out}/a", "{site}"], ["a"]),
    "pages of a move": ([*MOVE, "--fix", "{out}/a", "{site}"], ["a"]),
    "redirects of a move": (
        [*MOVE, "--new-tree", "{new}", "--out", "redirects.nginx={out}/a", "--out", "urlmap={out}/b", "-f", "html", "-o", "{out}/c", "{site}"],
        list("abc")),
    "differences": (["diff", "-f", "jsonl", "-o", "{out}/a", "{site}", "{new}"], ["a"]),
}


def digest(path):
    """A digest of a file, or of the names and contents of a folder; `None` if there is neither."""
    if not path.exists():
        return None
    found = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        found.update(str(file.relative_to(path)).encode() + b"\0" + (file.read_bytes() if file.is_file() else b""))
    return found.hexdigest()


def make_inputs(folder):
    site, new = folder / "site", folder / "new"
    for root, ending in [(site, "html"), (new, "htm")]:
        root.mkdir()
        for n in range(200):
            links = "".join(f"<a href=/{(n * 7 + i) % 230}.{ending}>x{i}</a>" for i in range(60))
            (root / f"{n}.{ending}").write_text(f"<!DOCTYPE html><title>page {n}</title><h1>page {n}</h1>{links}")
    with zipfile.ZipFile(folder / "site.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for page in sorted(site.iterdir()):
            archive.write(page, page.name)
    return {"site": site, "new": new, "zip": folder / "site.zip"}


class Harness:
    def __init__(self, program, inputs, folder):
        self.program, self.inputs, self.folder = program, inputs, folder
        self.state = {name: digest(path) for name, path in inputs.items()}
        self.whole = {}

    def start(self, name, out):
        arguments = [argument.format(**self.inputs, out=out) for argument in RUNS[name][0]]
        return subprocess.Popen([self.program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def run_whole(self, name):
        out = self.folder / "whole"
        out.mkdir()
        begin = time.monotonic()
        code = self.start(name, out).wait()
        took = time.monotonic() - begin
        digests = {output: digest(out / output) for output in RUNS[name][1]}
        shutil.rmtree(out)
        if code not in (0, 1) or None in digests.values():
            sys.exit(f"{name}: exit code {code}, outputs {digests}")
        self.whole[name] = took, digests

    def kill(self, name, number, sent, chosen):
        """The state of the outputs, and what is wrong with them."""
        took, whole = self.whole[name]
        out = self.folder / "killed"
        out.mkdir()
        before = {}
        for output in RUNS[name][1]:
            # The folder of `--fix` must not exist.
            if "--fix" not in RUNS[name][0] and chosen.random() < 0.5:
                (out / output).write_text("what was there before")
            before[output] = digest(out / output)
        child = self.start(name, out)
        if number % 2:
            while child.poll() is None and not any(TEMPORARY.fullmatch(entry.name) for entry in out.iterdir()):
                pass
            time.sleep(chosen.random() * took / 4)
        else:
            time.sleep(chosen.random() * took * 1.1)
        child.send_signal(sent)
        child.wait()
        faults = []
        after = {output: digest(out / output) for output in RUNS[name][1]}
        left = [entry.name for entry in out.iterdir() if entry.name not in after]
        for output, found in after.items():
            if found not in (before[output], whole[output]):
                faults.append(f"{output} is partial")
        if left and (sent != signal.SIGKILL or not all(map(TEMPORARY.fullmatch, left))):
            faults.append(f"{left} is left")
        if any((out / output).is_dir() for output in after):
            shutil.rmtree(out / "a")
        self.start(name, out).wait()
        if sorted(entry.name for entry in out.iterdir()) != sorted(after):
            faults.append(f"the next run leaves {sorted(entry.name for entry in out.iterdir())}")
        if {output: digest(out / output) for output in after} != whole:
            faults.append("the next run writes something else")
        if {name: digest(path) for name, path in self.inputs.items()} != self.state:
            faults.append("an input is changed")
        shutil.rmtree(out)
        is_new = [after[output] == whole[output] for output in after]
        state = "new" if all(is_new) else "some are new" if any(is_new) else "as before"
        return state + (", a temporary name is left" if left else ""), faults


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("program")
    options.add_argument("-n", type=int, default=150)
    options.add_argument("--seed", default="1")
    options.add_argument("-v", action="store_true")
    options = options.parse_args()
    chosen = random.Random(options.seed)
    counts, failed = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        harness = Harness(str(Path(options.program).resolve()), make_inputs(folder), folder)
        for name in RUNS:
            harness.run_whole(name)
        for number in range(options.n):
            name, sent = list(RUNS)[number % len(RUNS)], SIGNALS[number // len(RUNS) % len(SIGNALS)]
            state, faults = harness.kill(name, number // len(RUNS) + number, sent, chosen)
            counts[sent.name, state] += 1
            failed += [f"{number}: {name}, {sent.name}: {fault}" for fault in faults]
            if options.v:
                print(number, name, sent.name, state, flush=True)
    print("\n".join(failed + [f"{count} times {name}: {state}" for (name, state), count in sorted(counts.items())]))
    print(f"{len(failed)} failed")
    return 1 if failed else 0


sys.exit(main())
