import type { S3Client } from '@aws-sdk/client-s3';
import { tracing } from '@switchyard/server';

export interface S3Connection {
  region: string;
  endpoint: string | null;
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  forcePathStyle: boolean;
}

export interface Connected {
  sdk: typeof import('@aws-sdk/client-s3');
  client: S3Client;
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export async function connectS3(connection: S3Connection): Promise<Connected> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region: connection.region,
    forcePathStyle: connection.forcePathStyle,
    logger: silent,
    ...(connection.endpoint && { endpoint: connection.endpoint }),
    ...(connection.credentials && { credentials: connection.credentials }),
    // Stores of other vendors do not support AWS's default checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000 },
  });
  recordSpans(client);
  return { sdk, client };
}

function recordSpans({ middlewareStack }: S3Client): void {
  middlewareStack.add(
    (send, { commandName = '' }) =>
      (command) => {
        const method = commandName.replace(/Command$/, '');
        const attributes = { 'rpc.system': 'aws-api', 'rpc.service': 'S3', 'rpc.method': method };
        const errorType = (error: unknown) => (error as Error).name;
        const span = { name: `S3/${method}`, kind: 'client', attributes, errorType } as const;
        return tracing().inSpan(span, () => send(command));
      },
    { step: 'initialize', name: 'recordSpan' },
  );
}
