import path from 'node:path';
import { findOnPath } from './find.js';
import { unpackPackage } from './unpack.js';

const PROMETHEUS = {
  product: 'Prometheus',
  packages: ['prometheus'],
  programs: ['usr/bin/promtool'],
};

export async function seekPromtool(
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [found] = findOnPath(['promtool'], env);
  if (found) return found;
  return (await unpackPackage(PROMETHEUS, path.join(root, '.cache/prometheus'), signal))?.command;
}
