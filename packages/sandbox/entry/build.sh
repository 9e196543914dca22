#!/bin/sh
# Builds switchyard-sandbox-entry for Linux on x86-64 and arm64: static, with musl.
#   apt-get install musl-tools gcc-aarch64-linux-gnu linux-libc-dev-arm64-cross
#   MUSL_ARM64=<folder>   folder with the unpacked musl-dev of arm64 (dpkg -x musl-dev_*_arm64.deb <folder>); without it,
#                         only x86-64 is built
#   OUT=<folder>          instead of ../prebuilt
set -eu
cd "$(dirname "$0")"
out=${OUT:-../prebuilt}
sources='main.c run.c channel.c confine.c share.c landlock.c filter.c guard.c watchers.c connect.c probe.c'
# Reproducible: no build id, path, date or compiler version.
flags='-std=gnu11 -O2 -Wall -Wextra -Werror -static -s -fno-ident -ffile-prefix-map=.=. -Wl,--build-id=none'
hardening='-fstack-protector-strong -D_FORTIFY_SOURCE=0 -fno-pie -no-pie -Wl,-z,relro,-z,now,-z,noexecstack'

mkdir -p "$out/linux-x64"
# Kernel headers, which musl does not contain.
headers=$(mktemp -d)
trap 'rm -r "$headers"' EXIT
for folder in linux asm-generic; do ln -s "/usr/include/$folder" "$headers/$folder"; done
ln -s /usr/include/x86_64-linux-gnu/asm "$headers/asm"
# shellcheck disable=SC2086
musl-gcc $flags $hardening -idirafter "$headers" $sources -o "$out/linux-x64/switchyard-sandbox-entry"

if [ -n "${MUSL_ARM64:-}" ]; then
  mkdir -p "$out/linux-arm64"
  musl=$MUSL_ARM64/usr/lib/aarch64-linux-musl
  gcc=aarch64-linux-gnu-gcc
  # shellcheck disable=SC2086
  $gcc $flags $hardening -mno-outline-atomics -nostdinc -isystem "$MUSL_ARM64/usr/include/aarch64-linux-musl" \
    -isystem "$($gcc -print-file-name=include)" -idirafter /usr/aarch64-linux-gnu/include \
    -nostdlib "$musl/crt1.o" "$musl/crti.o" $sources "$musl/libc.a" "$($gcc -print-libgcc-file-name)" "$musl/libc.a" "$musl/crtn.o" \
    -o "$out/linux-arm64/switchyard-sandbox-entry"
fi

# Sources and compiler, for the test that repeats the build.
{
  echo "sources $(cat build.sh entry.h $sources | sha256sum | cut -d ' ' -f 1)"
  for name in linux-x64 linux-arm64; do
    file="$out/$name/switchyard-sandbox-entry"
    [ -f "$file" ] && echo "$name $(sha256sum < "$file" | cut -d ' ' -f 1)"
  done
  echo "compiler $(gcc --version | head -n 1)"
} > "$out/BUILD"
