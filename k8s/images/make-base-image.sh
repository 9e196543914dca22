#!/bin/sh
# Makes a base image from Debian's packages and this machine's Node.js, for machines without an image registry.
# Usage (as root; needs debootstrap): make-base-image.sh <image name>
# CONTAINER_ENGINE: docker (default), or an engine with the same commands. NODE: the Node.js to use instead of the one in PATH.
# ARCH: another architecture by Debian's name, e.g. arm64, with a NODE for it; needs qemu-user-static, registered as binfmt.
set -eu
name=${1:?usage: make-base-image.sh <image name>}
engine=${CONTAINER_ENGINE:-docker}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root
debootstrap ${ARCH:+"--arch=$ARCH"} --variant=minbase trixie "$root" >"$scratch/debootstrap.log" 2>&1 ||
  { tail -20 "$scratch/debootstrap.log" >&2; exit 1; }
node=$(readlink -f "${NODE:-$(command -v node)}")
npm=$(readlink -f "$(command -v npm)")
npm=${npm%/bin/npm-cli.js}
mkdir -p "$root/usr/local/bin" "$root/usr/local/lib/node_modules"
cp "$node" "$root/usr/local/bin/node"
cp -R "$npm" "$root/usr/local/lib/node_modules/npm"
for command in npm npx; do
  ln -s "../lib/node_modules/npm/bin/$command-cli.js" "$root/usr/local/bin/$command"
done
# Copies the libraries that Node.js needs and that a minimal Debian does not contain. For another architecture the packages must provide
# them.
[ -n "${ARCH:-}" ] || ldd "$node" | awk '$3 ~ /^\// { print $3 }' | while read -r library; do
  [ -e "$root$library" ] || cp -L --parents "$library" "$root"
done
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
chroot "$root" node --version >/dev/null
if [ -z "${ARCH:-}" ]; then platform=
elif "$engine" version 2>/dev/null | grep -qi podman; then platform="--arch=$ARCH"
else platform="--platform=linux/$ARCH"
fi
tar --create --directory "$root" --numeric-owner . | "$engine" import ${platform:+"$platform"} \
  --change 'CMD ["node"]' --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' - "$name" >/dev/null
