#!/bin/sh
# Builds the three images from the sources in the current folder. Usage: k8s/images/build-images.sh [tag, by default the version]
#   CONTAINER_ENGINE  docker (default), or an engine with the same commands
#   BASE_IMAGE        another base image; without a registry, make-base-image.sh makes one
#   BUILD_ARGUMENTS   further arguments of `build`, e.g. podman's `--isolation chroot` in a restricted environment
# With podman, the certificates that this machine trusts are mounted during the build only.
set -eu
engine=${CONTAINER_ENGINE:-docker}
version=$(node -p "require('./package.json').version")
tag=${1:-$version}
set -- --build-arg VERSION="$version" --build-arg REVISION="$(git rev-parse HEAD 2>/dev/null || echo unknown)" \
  --build-arg CREATED="$(date -u +%Y-%m-%dT%H:%M:%SZ)"
[ -z "${BASE_IMAGE:-}" ] || set -- "$@" --build-arg BASE_IMAGE="$BASE_IMAGE"
if "$engine" version 2>/dev/null | grep -qi podman; then
  inside=/root
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  echo cafile=/run/build-certificates.crt >"$scratch/npmrc"
  set -- "$@" --format docker --volume "$scratch/npmrc:$inside/.npmrc:ro" \
    --volume "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}:/run/build-certificates.crt:ro"
fi
# shellcheck disable=SC2086
build() { "$engine" build ${BUILD_ARGUMENTS:-} "$@" .; }
build "$@" --file services/orchestration/Dockerfile --tag "switchyard-orchestration:$tag"
build "$@" --file services/orchestration/Dockerfile --target runner --tag "switchyard-runner:$tag"
build "$@" --file services/metrics/Dockerfile --tag "switchyard-metrics:$tag"
