import { nameKey } from '../../state/names/unique-names';

export function labelOf(written: string): { name: string; key: string } {
  const name = written.trim().normalize('NFC');
  return { name, key: nameKey(name) };
}
