// Runs one file of this folder: node bench.mjs http/http … `npm run bench` starts the servers
// first.
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    scale: { type: 'string', default: '100000' },
  },
});
const [file, folder = '-', only = ''] = positionals;
const { bench } = await import(`./${file}.mjs`);
const passed = await bench(process.env.DATABASE_URL, {
  words: process.argv.slice(3),
  before: folder === '-' ? undefined : folder,
  only,
  rounds: Number(values.rounds),
  scale: Number(values.scale),
});
process.exit(passed ? 0 : 1);
