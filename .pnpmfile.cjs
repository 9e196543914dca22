/** Prisma's CLI and a compiler generate the client at build time; production installs must contain neither. */
exports.hooks = {
  readPackage(manifest) {
    if (manifest.name === '@prisma/client') {
      manifest.peerDependencies = {};
      manifest.peerDependenciesMeta = {};
    }
    return manifest;
  },
};
