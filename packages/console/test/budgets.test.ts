import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const DIST = join(import.meta.dirname, '../dist');

interface Chunk {
  file: string;
  src?: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
}

type Manifest = Record<string, Chunk>;

function closure(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found;
  found.add(key);
  for (const next of manifest[key]?.imports ?? []) closure(manifest, next, found);
  return found;
}

function kilobytes(manifest: Manifest, keys: Iterable<string>): number {
  const files = new Set([...keys].map((key) => manifest[key]?.file ?? ''));
  const scripts = [...files].filter((file) => file.endsWith('.js'));
  return scripts.reduce((sum, file) => sum + statSync(join(DIST, `${file}.gz`)).size, 0) / 1000;
}

function later(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  for (const each of closure(manifest, key)) {
    for (const next of manifest[each]?.dynamicImports ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      later(manifest, next, found);
    }
  }
  return found;
}

describe('the compressed scripts', () => {
  const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Manifest;
  const isCatalogue = (key: string) => /^src\/i18n\/\w+\.json$/.test(key);
  const all = [...later(manifest, 'index.html')];
  const catalogues = all.filter(isCatalogue);
  const first = closure(manifest, 'index.html');

  it('stay within 10 kB for the sign-in page', () => {
    expect(kilobytes(manifest, closure(manifest, 'sign-in.html'))).toBeLessThanOrEqual(10);
    expect(later(manifest, 'sign-in.html').size).toBe(0);
  });

  it('stay within 170 kB for the first screen, in each language', () => {
    expect(catalogues).toHaveLength(2);
    for (const catalogue of catalogues) {
      const loaded = kilobytes(manifest, new Set([...first, ...closure(manifest, catalogue)]));
      expect({ catalogue, isWithin: loaded <= 170, loaded }).toMatchObject({ isWithin: true });
    }
  });

  const parts = all
    .filter((key) => !isCatalogue(key))
    .map((key) => {
      const added = [...closure(manifest, key)].filter((each) => !first.has(each));
      return { key, kilobytes: kilobytes(manifest, added) };
    });
  const isScreen = ({ key }: { key: string }) => key.startsWith('src/screens/');

  it('stay within 40 kB for each further screen', () => {
    expect(parts.filter(isScreen).length).toBeGreaterThan(20);
    expect(parts.filter(isScreen).filter((each) => each.kilobytes > 40)).toEqual([]);
  });

  it('stay within 50 kB for each part that is loaded separately and is not a screen', () => {
    expect(parts.filter((each) => !isScreen(each) && each.kilobytes > 50)).toEqual([]);
  });

  it('include a gzip and a brotli file for each script', () => {
    for (const { file } of Object.values(manifest)) {
      const [plain, gzip, brotli] = ['', '.gz', '.br'].map(
        (ending) => statSync(join(DIST, file + ending)).size,
      ) as [number, number, number];
      if (plain > 1_000) expect([gzip, brotli].every((size) => size < plain)).toBe(true);
    }
  });
});
