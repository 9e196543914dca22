#!/bin/sh
# Builds both images with buildah, without a container engine; needs root and Debian's packages buildah and debootstrap.
# Usage: k8s/images/build-images.sh [base image]   (default: one made here by make-base-image.sh)
# What this machine's npm is told (registry, certificates) is mounted while building and is in no image.
set -eu
cd "$(dirname "$0")/../.."
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
base=${1:-}
if [ -z "$base" ]; then
  base=localhost/switchyard-base
  buildah inspect --type image "$base" >/dev/null 2>&1 || k8s/images/make-base-image.sh "$base"
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for kind in globalconfig userconfig; do
  file=$(npm config get "$kind")
  [ ! -f "$file" ] || { cat "$file"; echo; } >>"$scratch/npmrc"
done
grep -v "^cafile" "$scratch/npmrc" >"$scratch/npmrc.build" || true
echo "cafile=/run/build-certificates.crt" >>"$scratch/npmrc.build"
# Where npm looks in the base image.
inside=/root
version=$(node -p "require('./package.json').version")
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
for service in orchestration metrics; do
  buildah build --file "services/$service/Dockerfile" --tag "localhost/switchyard-$service:$version" \
    --build-arg BASE_IMAGE="$base" --build-arg VERSION="$version" --build-arg REVISION="$revision" \
    --build-arg CREATED="$(date -u +%Y-%m-%dT%H:%M:%SZ)" \
    --format docker \
    --volume "$scratch/npmrc.build:$inside/.npmrc:ro" \
    --volume "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}:/run/build-certificates.crt:ro" .
done
buildah images
