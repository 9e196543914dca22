"""Builds the wheel of this folder with the standard library, so that pip downloads no build tool."""

import base64
import hashlib
import json
import os
import zipfile

NAME = "switchyard"
SOURCES = (f"{NAME}/__init__.py", f"{NAME}/generated/__init__.py")
# The earliest time that a zip archive can store.
TIME = (1980, 1, 1, 0, 0, 0)

METADATA = """Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: A client of the Switchyard API
Requires-Python: >=3.9
"""

WHEEL = """Wheel-Version: 1.0
Generator: switchyard
Root-Is-Purelib: true
Tag: py3-none-any
"""


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = _version()
    info = f"{NAME}-{version}.dist-info"
    files = {name: _read(name) for name in SOURCES}
    files[f"{info}/METADATA"] = METADATA.format(name=NAME, version=version).encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    record = f"{info}/RECORD"
    lines = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items()]
    files[record] = "".join([*lines, f"{record},,\n"]).encode()
    wheel = f"{NAME}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            out.writestr(entry, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("build a wheel: a build of the repository generates the sources")


def _version():
    """Returns the version of the npm package, as Python writes it: 1.2.3-rc.1 becomes 1.2.3rc1."""
    version, _, candidate = json.loads(_read("../package.json"))["version"].partition("-")
    return version + candidate.replace(".", "")


def _read(name):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), "rb") as file:
        return file.read()


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
