import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const file = z.object({
  path: z.string().regex(/^[a-z]+\/[a-z0-9_]+\.copy\.gz$/),
  bytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const database = z.object({
  schema: z.string(),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int(), file }),
  ),
  sequences: z.record(z.string(), z.string().regex(/^\d+$/)),
});

const manifest = z.object({
  format: z.literal(1, { error: 'must be a version that this release supports' }),
  createdAt: z.iso.datetime(),
  databases: z.object({ orchestration: database, metrics: database }),
  files: z.object({
    count: z.int(),
    bytes: z.int(),
    lacking: z.array(z.string()),
  }),
  masterKeyIds: z.array(z.string()),
});

/** The manifest is written last, so that a folder that contains it is complete. */
export type Manifest = z.output<typeof manifest>;

export const MANIFEST = 'manifest.json';

const checksum = (content: unknown) =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const text = JSON.stringify({ content, sha256: checksum(content) }, null, 2);
  const draft = join(folder, `${MANIFEST}.part`);
  await writeFile(draft, `${text}\n`, { mode: 0o600, flush: true });
  await rename(draft, join(folder, MANIFEST));
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error) => {
    throw new Error(`${folder} is not a complete backup: its ${MANIFEST} cannot be read`, {
      cause: error,
    });
  });
  let read: { content: unknown; sha256: unknown };
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error(`${MANIFEST} is damaged`);
  }
  if (read?.sha256 !== checksum(read?.content)) throw new Error(`${MANIFEST} is damaged`);
  const parsed = manifest.safeParse(read.content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${MANIFEST}: ${issue?.path.join('.')} ${issue?.message}`);
}
