// @ts-check
const OLDEST = /** @type {const} */ ([20, 19]);

export function checkNode() {
  if (!isSupported(process.versions.node)) {
    refuse(
      `Switchyard needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}.`,
      'Install a current Node from https://nodejs.org (or nvm install 22) and start again.',
    );
  }
  if (process.platform === 'win32') {
    refuse('Switchyard does not run directly on Windows.', 'Start it inside WSL 2, or use Docker.');
  }
}

/** @param {string} version */
export function isSupported(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** @param {string} cause @param {string} next */
function refuse(cause, next) {
  console.error(`\nCause: ${cause}\nNext:  ${next}\n`);
  process.exit(1);
}
