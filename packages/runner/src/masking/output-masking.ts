import { buildNeedleAutomaton } from './needle-automaton';
import { listSecretForms } from './secret-forms';

export interface Masker {
  write(chunk: Buffer): Buffer;
  end(): Buffer;
}

export type TextMask = (text: string) => string;

const MASK = Buffer.from('***');

/**
 * Replaces each secret by `***`, in plain, base64, base64url, URL-encoded or JSON-escaped form, and
 * across chunk borders. Overlapping secrets become one mask. Takes linear time. Skips secrets of
 * less than 4 characters, see SHORTEST_MASKED.
 */
export const createMasker = (secrets: string[]): Masker => compileMask(secrets)();

export function compileMask(secrets: string[]): () => Masker {
  let open: (() => Masker) | null = null;
  return () => {
    let masker: Masker | null = null;
    return {
      write: (chunk) => {
        open ??= build(secrets);
        masker ??= open();
        return masker.write(chunk);
      },
      end: () => masker?.end() ?? Buffer.alloc(0),
    };
  };
}

function build(secrets: string[]): () => Masker {
  const forms = listSecretForms(secrets);
  if (forms.length === 0) return () => ({ write: (chunk) => chunk, end: () => Buffer.alloc(0) });
  const automaton = buildNeedleAutomaton(forms);
  return () => openMasker(automaton);
}

function openMasker(automaton: ReturnType<typeof buildNeedleAutomaton>): Masker {
  let state = 0;
  let read = 0;
  let written = 0;
  let maskedTo = 0;
  let matches: { from: number; to: number }[] = [];

  function addMatch(from: number, to: number): void {
    let start = from;
    for (let last = matches.at(-1); last && last.to > from; last = matches.at(-1)) {
      if (last.from <= from) {
        last.to = to;
        return;
      }
      start = Math.min(start, last.from);
      matches.pop();
    }
    matches.push({ from: start, to });
  }

  /** The caller guarantees that no later match begins before `limit`. */
  function flush(limit: number, slice: (from: number, to: number) => Buffer[]): Buffer {
    const out: Buffer[] = [];
    let taken = 0;
    for (const { from, to } of matches) {
      if (from >= limit) break;
      taken++;
      if (from > written) out.push(...slice(written, from));
      if (from >= maskedTo) out.push(MASK);
      maskedTo = Math.max(maskedTo, to);
      written = Math.max(written, to);
    }
    matches = matches.slice(taken);
    if (limit > written) {
      out.push(...slice(written, limit));
      written = limit;
    }
    return Buffer.concat(out);
  }

  return {
    write(chunk) {
      const held = automaton.heldBytes(state);
      const begin = read;
      for (const byte of chunk) {
        state = automaton.step(state, byte);
        read++;
        const length = automaton.matchLength(state);
        if (length > 0) addMatch(read - length, read);
      }
      return flush(read - automaton.heldLength(state), (from, to) => [
        held.subarray(
          Math.max(from - begin + held.length, 0),
          Math.max(to - begin + held.length, 0),
        ),
        chunk.subarray(Math.max(from - begin, 0), Math.max(to - begin, 0)),
      ]);
    },
    end() {
      const held = automaton.heldBytes(state);
      const begin = read - held.length;
      const rest = flush(read, (from, to) => [held.subarray(from - begin, to - begin)]);
      state = 0;
      read = 0;
      written = 0;
      maskedTo = 0;
      return rest;
    },
  };
}

export function createTextMask(secrets: string[]): TextMask {
  const masker = createMasker(secrets);
  return (text) => Buffer.concat([masker.write(Buffer.from(text)), masker.end()]).toString();
}
