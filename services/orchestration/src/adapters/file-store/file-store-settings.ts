import { join, resolve } from 'node:path';
import { readEnvironment } from '@switchyard/server';
import { z } from 'zod';
import { connectScanner, type ScannerAddress } from './clamd';
import type { FileStore } from './file-store';
import { openLocalFileStore } from './local-file-store';
import type { S3Connection } from './s3-connection';
import { openS3FileStore, type S3Settings } from './s3-file-store';
import { scanFiles } from './scan-files';

const word = z.string().min(1).max(1_024);

const variables = z.object({
  DATA_DIR: z.string().default('.data'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9._-]{3,222}$/, 'must be the name of a bucket: a-z, 0-9, - and .')
    .optional()
    .describe('bucket for attachments; default: DATA_DIR'),
  S3_REGION: word.optional().describe("the bucket's region; required with S3_BUCKET"),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http(s):// URL' })
    .optional()
    .describe('address of an S3 store other than AWS'),
  S3_ACCESS_KEY_ID: word
    .optional()
    .describe("access key; default: AWS's credential chain, such as a pod's role"),
  S3_SECRET_ACCESS_KEY: word.optional().describe('secret of S3_ACCESS_KEY_ID'),
  S3_FORCE_PATH_STYLE: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` for stores without the bucket in the host name'),
  UPLOAD_SCANNER_URL: z
    .string()
    .regex(/^tcp:\/\/[A-Za-z0-9._-]+:\d{1,5}$/, 'must be tcp://host:port')
    .refine((url) => URL.canParse(url), 'must have a port of 1 to 65535')
    .optional()
    .describe('a clamd that scans uploads, e.g. `tcp://clamd:3310`'),
});

type Variables = z.output<typeof variables>;

/** Runs even if other variables are invalid, so that all errors are reported together. */
const always = { when: () => true };

export const fileStoreEnvironment = variables
  .refine((env) => env.S3_BUCKET === undefined || env.S3_REGION !== undefined, {
    ...always,
    path: ['S3_REGION'],
    error: 'is required with S3_BUCKET',
  })
  .refine((env) => !env.S3_ACCESS_KEY_ID === !env.S3_SECRET_ACCESS_KEY, {
    ...always,
    path: ['S3_SECRET_ACCESS_KEY'],
    error: 'must be set together with S3_ACCESS_KEY_ID',
  });

export type FileStoreSettings = { kind: 'local'; folder: string } | ({ kind: 's3' } & S3Settings);

function s3Connection(env: Variables & { S3_REGION: string }): S3Connection {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  return {
    region: env.S3_REGION,
    endpoint: env.S3_ENDPOINT ?? null,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
    forcePathStyle: env.S3_FORCE_PATH_STYLE === 'true',
  };
}

export function fileStoreSettings(env: Variables): FileStoreSettings {
  const { S3_BUCKET: bucket, S3_REGION } = env;
  if (bucket === undefined || S3_REGION === undefined) {
    return { kind: 'local', folder: join(resolve(env.DATA_DIR), 'files') };
  }
  return { kind: 's3', bucket, ...s3Connection({ ...env, S3_REGION }) };
}

export function readS3Connection(environment: Record<string, string | undefined>): S3Connection {
  const connection = fileStoreEnvironment.and(z.object({ S3_REGION: word }));
  return s3Connection(readEnvironment(connection, environment));
}

export function scannerAddress(env: Variables): ScannerAddress | null {
  if (env.UPLOAD_SCANNER_URL === undefined) return null;
  const { hostname: host, port } = new URL(env.UPLOAD_SCANNER_URL);
  return { host, port: Number(port) };
}

export function openFileStore(
  settings: FileStoreSettings,
  scanner: ScannerAddress | null = null,
): FileStore {
  const store =
    settings.kind === 'local' ? openLocalFileStore(settings.folder) : openS3FileStore(settings);
  return scanner ? scanFiles(store, connectScanner(scanner)) : store;
}
