import type { S3Client } from '@aws-sdk/client-s3';

export interface S3Connection {
  region: string;
  /** Null: the region's own. */
  endpoint: string | null;
  /** Null: what the SDK finds in its surroundings, e.g. the role of a pod. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  forcePathStyle: boolean;
}

export interface Connected {
  sdk: typeof import('@aws-sdk/client-s3');
  client: S3Client;
}

/** What the SDK would print is thrown too; only the process's own log writes. */
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Loads the SDK, which most installations never use. */
export async function connectS3(connection: S3Connection): Promise<Connected> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region: connection.region,
    forcePathStyle: connection.forcePathStyle,
    logger: silent,
    ...(connection.endpoint && { endpoint: connection.endpoint }),
    ...(connection.credentials && { credentials: connection.credentials }),
    // Other makers' stores do not know the checksums that AWS adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000 },
  });
  return { sdk, client };
}
