import type { S3Client } from '@aws-sdk/client-s3';

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
  return { sdk, client };
}
