"""Claims of the scripts that hold outputs against their formats, and how many of them held."""


class Checks:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def equal(self, claim, found, expected):
        if found == expected:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {claim}: found {found!r}, expected {expected!r}")

    def true(self, claim, found):
        self.equal(claim, bool(found), True)
