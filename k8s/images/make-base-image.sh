#!/bin/sh
# Makes a base image from this machine's Node and Debian's packages, for machines that reach no image registry.
# Usage (as root): make-base-image.sh <image name>
set -eu
name=${1:?usage: make-base-image.sh <image name>}
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root
debootstrap --variant=minbase trixie "$root" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >"$scratch/debootstrap.log" 2>&1 ||
  { tail -20 "$scratch/debootstrap.log" >&2; exit 1; }
node=$(readlink -f "$(command -v node)")
npm=$(readlink -f "$(command -v npm)")
npm=${npm%/bin/npm-cli.js}
mkdir -p "$root/usr/local/bin" "$root/usr/local/lib/node_modules"
cp "$node" "$root/usr/local/bin/node"
cp -R "$npm" "$root/usr/local/lib/node_modules/npm"
for command in npm npx; do
  ln -s "../lib/node_modules/npm/bin/$command-cli.js" "$root/usr/local/bin/$command"
done
# Libraries that Node is linked to and a minimal Debian lacks.
ldd "$node" | awk '$3 ~ /^\// { print $3 }' | while read -r library; do
  [ -e "$root$library" ] || cp -L --parents "$library" "$root"
done
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
container=$(buildah from scratch)
buildah add --quiet "$container" "$root" /
buildah config --cmd '["node"]' --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
buildah commit --quiet --rm "$container" "$name"
