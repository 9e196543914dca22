import { readFile } from 'node:fs/promises';

/**
 * Prisma's query compiler, from the file of its package that holds it as base64. Loaded as a module, the file and its
 * text would stay in memory: 5 MB. Generated clients call it when they are first used.
 */
export async function readQueryCompiler(file: string): Promise<Buffer> {
  const text = await readFile(file, 'latin1');
  const [, base64] = /"([A-Za-z0-9+/=]+)"/.exec(text) ?? [];
  if (!base64) throw new Error(`${file} holds no WebAssembly`);
  return Buffer.from(base64, 'base64');
}
