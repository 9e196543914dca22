// @ts-check
import { styleText } from 'node:util';
import { UserError } from './user-error.mjs';

const QUIET_MS = 3000;
const WIDTH = 64;

/** @param {string} text */
export const say = (text) => console.log(text);
/** @param {string} text */
export const notice = (text) => console.log(paint('yellow', `  ! ${text}`));
/** @param {number} sinceMs */
export const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

export function hasColour(
  env = process.env,
  /** @type {{ isTTY?: boolean }} */ stream = process.stdout,
) {
  if (env.NO_COLOR || env.TERM === 'dumb') return false;
  return Boolean(stream.isTTY);
}

/** @typedef {'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'dim' | 'bold'} Colour */

/** @param {Colour} colour @param {string} text */
export function paint(colour, text) {
  return hasColour() ? styleText(colour, text, { validateStream: false }) : text;
}

/**
 * Prints one line when the step is done; for a slow step, also prints that it has started. The work
 * may return a better label.
 * @template {object | void} Outcome
 * @param {string} label @param {() => Promise<Outcome>} work
 */
export async function step(label, work) {
  const begun = performance.now();
  const slow = setTimeout(() => say(paint('dim', `    ${label} …`)), QUIET_MS);
  /** @param {string} mark @param {string} text */
  const line = (mark, text) => `  ${mark} ${text.padEnd(WIDTH)} ${seconds(begun).padStart(7)}`;
  try {
    const outcome = await work();
    const text = /** @type {{ text?: string } | undefined} */ (outcome)?.text;
    say(line(paint('green', '+'), text ?? label));
    return outcome;
  } catch (error) {
    if (!isAbort(error)) say(line(paint('red', 'x'), label));
    throw error;
  } finally {
    clearTimeout(slow);
  }
}

/** @param {unknown} error */
const isAbort = (error) => error instanceof Error && error.name === 'AbortError';

/** @param {unknown} error */
export function printFailure(error) {
  if (isAbort(error)) return;
  if (!(error instanceof UserError)) {
    const text = error instanceof Error ? error.stack : error;
    console.error(`\n${paint('red', 'Unexpected failure:')} ${text}\n`);
    return;
  }
  if (error.detail) console.error(`\n${error.detail.replace(/^/gm, '    | ')}`);
  console.error(`\n${paint('red', 'Cause:')} ${error.message}`);
  console.error(`${paint('bold', 'Next: ')} ${error.next}\n`);
}
