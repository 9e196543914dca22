#!/bin/sh
# Writes the list of parts (SBOM, CycloneDX) of an image that is on this machine: the packages of Debian and of npm, and
# other programs. For images that were built without buildx, which attaches one of its own.
# Usage: make-sbom.sh <image> <new file.json>. CONTAINER_ENGINE: docker, or another with its commands. Fetches its tool
# from npm's registry, 280 MB.
set -eu
image=${1:?usage: make-sbom.sh <image> <new file.json>}
file=${2:?usage: make-sbom.sh <image> <new file.json>}
engine=${CONTAINER_ENGINE:-docker}
scratch=$(mktemp -d)
container=$("$engine" create "$image")
trap '"$engine" rm "$container" >/dev/null 2>&1; rm -rf "$scratch"' EXIT
mkdir "$scratch/root"
# Omits owners and devices, which need an administrator.
"$engine" export "$container" | tar --extract --directory "$scratch/root" --no-same-owner --exclude='dev/*'
FETCH_LICENSE=false npx --yes @cyclonedx/cdxgen@12.8.4 --type rootfs --no-install-deps \
  --output "$scratch/sbom.json" "$scratch/root" >"$scratch/log" 2>&1 || { tail -20 "$scratch/log" >&2; exit 1; }
node -e '
  const { components } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
  const of = (kind) => components.filter(({ purl = "" }) => purl.startsWith(`pkg:${kind}/`)).length;
  if (!of("deb") || !of("npm")) throw new Error("the list lacks the packages of Debian or of npm");
  console.log(`${of("deb")} packages of Debian, ${of("npm")} of npm`);
' "$scratch/sbom.json"
mv "$scratch/sbom.json" "$file"
