import { foldText } from '../mentions/fold-text';

/** White space around a name is no part of it; names are compared without case. */
export function labelOf(written: string): { name: string; key: string } {
  const name = written.trim();
  return { name, key: foldText(name) };
}
