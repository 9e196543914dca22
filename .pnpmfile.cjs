/** The client is generated with Prisma's command line and a compiler; what runs must not carry either. */
exports.hooks = {
  readPackage(manifest) {
    if (manifest.name === '@prisma/client') {
      manifest.peerDependencies = {};
      manifest.peerDependenciesMeta = {};
    }
    return manifest;
  },
};
