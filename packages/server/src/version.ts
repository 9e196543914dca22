import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The release in every package.json, which the command `release` sets. */
export const VERSION: string = JSON.parse(
  readFileSync(join(__dirname, '../package.json'), 'utf8'),
).version;
