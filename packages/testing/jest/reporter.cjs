const { nameOf, writeTimings } = require('./timings.cjs');

const SILENT_MS = 120_000;

/**
 * Prints the running tests if none ends for a while, because only the CI job has a time limit. With
 * TEST_TIMINGS=write, writes `timings.json` after a complete run that passed.
 */
module.exports = class {
  #startedAt = new Map();
  #seconds = new Map();
  #silence;

  onTestFileStart({ path }) {
    this.#startedAt.set(path, Date.now());
    this.#listen();
  }

  onTestFileResult({ path }) {
    this.#seconds.set(path, (Date.now() - this.#startedAt.get(path)) / 1_000);
    this.#startedAt.delete(path);
    this.#listen();
  }

  onRunComplete(_contexts, { success }) {
    clearInterval(this.#silence);
    if (success && process.env.TEST_TIMINGS === 'write') writeTimings(this.#seconds);
  }

  #listen() {
    clearInterval(this.#silence);
    this.#silence = setInterval(() => {
      const running = [...this.#startedAt.keys()].map(nameOf).join(', ');
      process.stderr.write(`still running: ${running}\n`);
    }, SILENT_MS);
    this.#silence.unref();
  }
};
