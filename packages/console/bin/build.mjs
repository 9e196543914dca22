// @ts-check
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '..');
await build({ root, configFile: path.join(root, 'vite.config.ts'), logLevel: 'warn' });
await Promise.all([compressAll(path.join(root, 'dist/assets')), translateSignIn()]);

/**
 * Writes one sign-in page per language, because the page must work without JavaScript:
 * dist/sign-in.en.html, dist/sign-in.de.html.
 */
async function translateSignIn() {
  const page = path.join(root, 'dist/sign-in.html');
  const template = await readFile(page, 'utf8');
  for (const language of ['en', 'de']) {
    const catalogue = path.join(root, 'src/sign-in', `${language}.json`);
    const texts = JSON.parse(await readFile(catalogue, 'utf8'));
    const filled = template.replace(/\{\{([\w.]+)\}\}/g, (_, name) => {
      if (!texts[name]) throw new Error(`${catalogue} must contain a text for ${name}`);
      return texts[name].replace(
        /[&<>"]/g,
        (/** @type {string} */ each) => `&#${each.charCodeAt(0)};`,
      );
    });
    const document = filled.replace('<html lang="en">', `<html lang="${language}">`);
    await writeFile(path.join(root, 'dist', `sign-in.${language}.html`), document);
  }
  await rm(page);
}

/** @param {string} folder */
async function compressAll(folder) {
  const names = await readdir(folder);
  await Promise.all(names.map((name) => compress(path.join(folder, name))));
}

/** @param {string} file */
async function compress(file) {
  const content = await readFile(file);
  const quality = { [zlib.constants.BROTLI_PARAM_QUALITY]: zlib.constants.BROTLI_MAX_QUALITY };
  const [br, gz] = await Promise.all([
    promisify(zlib.brotliCompress)(content, { params: quality }),
    promisify(zlib.gzip)(content, { level: zlib.constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
