import { paint } from './colour.mjs';

const QUIET_MS = 3000;
const WIDTH = 64;

export const say = (text) => console.log(text);
export const notice = (text) => console.log(paint('yellow', `  ! ${text}`));

export const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

export function stepLine(mark, text, time) {
  return `  ${mark} ${text.padEnd(WIDTH)} ${time.padStart(7)}`;
}

/** One line when the step is done; a slow one also says that it has begun. The work may return a better text. */
export async function step(label, work) {
  const begun = performance.now();
  const slow = setTimeout(() => say(paint('dim', `    ${label} …`)), QUIET_MS);
  try {
    const outcome = await work();
    const text = outcome?.text ?? label;
    say(stepLine(paint('green', '+'), text, seconds(begun)));
    return outcome;
  } catch (error) {
    if (error?.name !== 'AbortError') {
      say(stepLine(paint('red', 'x'), label, seconds(begun)));
    }
    throw error;
  } finally {
    clearTimeout(slow);
  }
}
