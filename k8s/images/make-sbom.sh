#!/bin/sh
# Writes the SBOM (CycloneDX) of a local image: Debian packages, npm packages and other programs. For images that were
# built without buildx, which attaches an SBOM itself. Downloads its tool from the npm registry, 280 MB.
# Usage: make-sbom.sh <image> <new file.json>. CONTAINER_ENGINE: docker (default), or an engine with the same commands.
set -eu
image=${1:?usage: make-sbom.sh <image> <new file.json>}
file=${2:?usage: make-sbom.sh <image> <new file.json>}
engine=${CONTAINER_ENGINE:-docker}
scratch=$(mktemp -d)
container=$("$engine" create "$image")
trap '"$engine" rm "$container" >/dev/null 2>&1; rm -rf "$scratch"' EXIT
mkdir "$scratch/root"
# Does not restore owners and devices, which would need root.
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
