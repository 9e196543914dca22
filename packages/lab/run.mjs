// @ts-check
// Runs `npm run bench` and `npm run rehearse`: node packages/lab/run.mjs <bench or rehearse> <name> …
import path from 'node:path';
import { checkNode } from '../bootstrap/lib/check-node.mjs';

checkNode();
const { prepare } = await import('../bootstrap/lib/prepare.mjs');
const root = path.resolve(import.meta.dirname, '../..');
const [command = '', ...args] = process.argv.slice(2);
const runCommand = await prepare(root, command, 'packages/lab');
await runCommand(root, command, args);
