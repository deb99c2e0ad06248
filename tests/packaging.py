#!/usr/bin/env python3
"""packaging.py BASEREF_BINARY: what installs and calls baseref elsewhere, tried here.

The steps of the action with the inputs of a workflow, the hook in a repository, the formula for
Homebrew, and versions that must agree. Needs pre-commit beside this interpreter.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

TOP = Path(__file__).resolve().parent.parent
BINARY = Path(sys.argv.pop(1)).resolve()


def text(name):
    return (TOP / name).read_text(encoding="utf-8")


class Packaging(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "baseref").symlink_to(BINARY)
        self.site = self.folder / "work" / "my site"
        self.site.mkdir(parents=True)
        (self.site / "index.html").write_text("<a href=gone.html>x</a><a href=about.html>y</a>")
        (self.site / "about.html").write_text("<a href=index.html>x</a>")

    def environment(self, **more):
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return {**os.environ, "PATH": path, **more}


class Action(Packaging):
    """The steps of action.yml, as a runner would run them."""

    def run_action(self, **given):
        action = yaml.safe_load(text("action.yml"))
        inputs = {name: found["default"] for name, found in action["inputs"].items()}
        inputs.update(given)
        (step,) = [step for step in action["runs"]["steps"] if step.get("id") == "audit"]
        files = {name: self.folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        (self.folder / "temp").mkdir(exist_ok=True)
        fill = lambda value: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: inputs[m[1]], value)
        self.step = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder / "work",
            env=self.environment(
                GITHUB_ACTION_PATH=str(TOP),
                RUNNER_TEMP=str(self.folder / "temp"),
                **{name: str(file) for name, file in files.items()},
                **{name: fill(value) for name, value in step["env"].items()},
            ),
            capture_output=True,
            text=True,
        )
        lines = files["GITHUB_OUTPUT"].read_text().splitlines()
        self.outputs = dict(line.split("=", 1) for line in lines)
        self.summary = files["GITHUB_STEP_SUMMARY"].read_text()
        return self.step.returncode

    def test_a_broken_link_is_an_annotation_a_summary_and_a_result_of_sarif(self):
        self.assertEqual(self.run_action(path="my site"), 1, self.step.stderr)
        self.assertIn("::error file=my site/index.html,line=1", self.step.stdout)
        self.assertIn("gone.html", self.summary)
        report = json.loads(Path(self.outputs["sarif"]).read_text())
        (result,) = report["runs"][0]["results"]
        self.assertEqual(result["ruleId"], "target/missing-file")
        self.assertEqual(self.outputs["exit-code"], "1")

    def test_a_sound_site_passes(self):
        (self.site / "gone.html").write_text("<p>")
        self.assertEqual(self.run_action(path="my site"), 0, self.step.stderr)
        self.assertEqual(self.outputs["exit-code"], "0")
        self.assertEqual(json.loads(Path(self.outputs["sarif"]).read_text())["runs"][0]["results"], [])

    def test_each_input_has_its_effect(self):
        self.assertEqual(self.run_action(path="my site", **{"fail-on": "never"}), 0)
        self.assertEqual(self.run_action(path="my site", args="--allow\ntarget/*:*gone*"), 0)
        self.assertEqual(self.run_action(path="my site", hosting="no-such"), 2)
        self.assertEqual(self.outputs, {"exit-code": "2"})
        write = [BINARY, "audit", "my site", "--write-baseline", self.folder / "known.jsonl"]
        subprocess.run(write, cwd=self.folder / "work", stdout=subprocess.DEVNULL)
        self.assertEqual(self.run_action(path="my site", baseline=str(self.folder / "known.jsonl")), 0)

    def test_several_folders_one_a_line(self):
        other = self.folder / "work" / "other"
        other.mkdir()
        (other / "index.html").write_text("<a href=none.html>x</a>")
        self.assertEqual(self.run_action(path="my site\n\n  \nother\n"), 1)
        self.assertEqual(self.step.stdout.count("::error"), 2, self.step.stdout)

    def test_no_input_is_evaluated(self):
        for name in ("path", "hosting", "fail-on", "baseline", "args"):
            self.run_action(**{"path": "my site", name: '$(touch evil)`touch evil`";touch evil;"'})
            self.assertFalse((self.folder / "work" / "evil").exists(), name)
        # A folder is no option, whatever its name.
        self.assertEqual(self.run_action(path="--help"), 3)
        self.assertNotIn("Usage", self.step.stdout)


class Hook(Packaging):
    """`.pre-commit-hooks.yaml` in a repository. The environment is this one, not one made for it."""

    def test_a_commit_with_a_broken_link_is_refused(self):
        repository = self.folder / "work"
        (hook,) = yaml.safe_load(text(".pre-commit-hooks.yaml"))
        local = {"repos": [{"repo": "local", "hooks": [{**hook, "language": "system"}]}]}
        (repository / ".pre-commit-config.yaml").write_text(json.dumps(local))
        environment = self.environment(
            PRE_COMMIT_HOME=str(self.folder / "home"), GIT_CONFIG_GLOBAL=os.devnull
        )

        def run(*command):
            return subprocess.run(
                command, cwd=repository, env=environment, capture_output=True, text=True
            )

        run("git", "init", "--quiet")
        run("git", "add", ".")
        pre_commit = Path(sys.executable).with_name("pre-commit")
        found = run(pre_commit, "run")
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        self.assertIn("target/missing-file", found.stdout)
        (self.site / "gone.html").write_text("<p>")
        run("git", "add", ".")
        found = run(pre_commit, "run")
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
        # Nothing that links: nothing is read.
        run("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "x")
        (repository / "notes.txt").write_text("x")
        run("git", "add", ".")
        self.assertIn("Skipped", run(pre_commit, "run").stdout)


class Formula(Packaging):
    TARGETS = ("x86_64-apple-darwin", "aarch64-apple-darwin", "x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl")

    def formula(self, targets):
        sums = self.folder / "SHA256SUMS"
        names = [f"baseref-1.2.3-{target}" for target in targets]
        lines = [f"{number:064x}  {name}{end}" for number, name in enumerate(names) for end in (".tar.gz", ".cdx.json")]
        sums.write_text("\n".join(lines) + "\n")
        command = [TOP / "packaging" / "homebrew", "https://forge.example/owner/baseref/", sums]
        return subprocess.run(command, capture_output=True, text=True)

    def test_every_system_has_its_archive_and_checksum(self):
        made = self.formula(self.TARGETS)
        self.assertEqual(made.returncode, 0, made.stderr)
        for number, target in enumerate(self.TARGETS):
            pair = (
                f'url "https://forge.example/owner/baseref/releases/download/v1.2.3/baseref-1.2.3-{target}.tar.gz"\n'
                f'      sha256 "{number:064x}"'
            )
            self.assertIn(pair, made.stdout)
        if ruby := shutil.which("ruby"):
            subprocess.run([ruby, "-c"], input=made.stdout, text=True, check=True, stdout=subprocess.DEVNULL)

    def test_a_missing_archive_is_an_error(self):
        made = self.formula(self.TARGETS[1:])
        self.assertEqual(made.returncode, 1)
        self.assertIn("lists no baseref-1.2.3-x86_64-apple-darwin.tar.gz", made.stderr)


class Versions(unittest.TestCase):
    def test_all_name_the_version_of_the_workspace(self):
        import tomllib

        version = tomllib.loads(text("Cargo.toml"))["workspace"]["package"]["version"]
        self.assertEqual(tomllib.loads(text("pyproject.toml"))["project"]["version"], version)
        self.assertEqual(yaml.safe_load(text("action.yml"))["inputs"]["version"]["default"], version)
        self.assertIn(f'/{BINARY.name} {version}', f"/{self.said()}")

    def said(self):
        return subprocess.run([BINARY, "--version"], capture_output=True, text=True).stdout

    def test_the_image_is_built_with_a_rust_that_can(self):
        import tomllib

        oldest = tomllib.loads(text("Cargo.toml"))["workspace"]["package"]["rust-version"]
        image = re.search(r"^FROM rust:([\d.]+)-alpine", text("Dockerfile"), re.M)[1]
        self.assertGreaterEqual([*map(int, image.split("."))], [*map(int, oldest.split("."))])


unittest.main(verbosity=0)
