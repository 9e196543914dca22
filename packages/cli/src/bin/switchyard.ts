#!/usr/bin/env node
import { createRequire } from 'node:module';
import { main } from '../main.js';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
await main(version);
