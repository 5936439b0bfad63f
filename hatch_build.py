"""Adds the machine code of the compiled loops to a wheel, which then is for one platform.

``make dist`` asks for it. All other wheels hold the sources alone, for every platform.
"""

from importlib.metadata import version
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MachineCodeHook(BuildHookInterface):
    """Adds the files that numba keeps beside the sources."""

    def initialize(self, version_api: str, build_data: dict[str, Any]) -> None:
        """Add the files, and ask for the version of numba that alone reads them."""
        from indistinct.base.compiled.precompile import kept_files

        if version_api != "standard":
            return
        source = Path(self.root) / "src"
        for file in kept_files():
            build_data["force_include"][str(file)] = str(file.relative_to(source))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["dependencies"].append(f"numba=={version('numba')}")
