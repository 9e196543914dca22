import { setFlagsFromString } from 'node:v8';

/** As much as is masked in a tenth of the time that a process takes to start. */
const UNOPTIMISED_BYTES = 256 * 1024;

let left = UNOPTIMISED_BYTES;

/**
 * Lets V8 optimise functions, which it must not in a runner that has only just started, once a runner has masked this much
 * output, or read this much of the answers of models: without that, a long output takes five times as long to mask.
 */
export function countWorked(bytes: number): void {
  if (left <= 0) return;
  left -= bytes;
  if (left <= 0) setFlagsFromString('--opt');
}
