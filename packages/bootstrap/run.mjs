// @ts-check
// Runs every `npm run …`: node packages/bootstrap/run.mjs <command of packages/launcher> …
import path from 'node:path';
import { checkNode } from './lib/check-node.mjs';

// Import everything else after this check, because an old Node.js fails on newer syntax without a
// clear reason.
checkNode();
const { prepare } = await import('./lib/prepare.mjs');
const root = path.resolve(import.meta.dirname, '../..');
const [command = 'start', ...args] = process.argv.slice(2);
const runCommand = await prepare(root, command);
await runCommand(root, command, args);
