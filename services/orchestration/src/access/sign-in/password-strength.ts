import { invalidField } from '@switchyard/server';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

const LEAST_SCORE = 3;

/**
 * Only this many characters are checked: the time grows with the square of the length, and 40
 * characters take about 30 ms.
 */
const CHECKED_CHARACTERS = 40;

const REASONS: Record<string, string> = {
  userInputs: 'it is based on your name or e-mail address',
  simpleRepeat: 'it repeats the same characters',
  extendedRepeat: 'it repeats the same characters',
  straightRow: 'it follows the keys of the keyboard',
  keyPattern: 'it follows the keys of the keyboard',
  sequences: 'it is a sequence',
};

let estimator: Promise<ZxcvbnFactory> | undefined;

/** The checker is loaded on first use, because its list of common passwords takes 20 MB. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary: { ...dictionary }, graphs: adjacencyGraphs });
}

/**
 * Rejects common passwords and similar ones, the person's name and address, repetitions and
 * sequences (OWASP ASVS 5.0, 6.2.4 and 6.2.11).
 * @throws ApiError 400 naming `field`
 */
export async function assertStrongPassword(
  field: string,
  password: string,
  { email, name }: { email: string; name?: string },
): Promise<void> {
  estimator ??= load();
  const own = [email, ...email.split(/[@.]/), ...(name ? [name, ...name.split(' ')] : [])];
  const { score, feedback } = (await estimator).check(
    password.slice(0, CHECKED_CHARACTERS),
    own.filter((word) => word.length > 2),
  );
  if (score >= LEAST_SCORE) return;
  const reason = REASONS[feedback.warning ?? ''] ?? 'it is a common password or similar to one';
  throw invalidField(field, `is too easy to guess: ${reason}`);
}
