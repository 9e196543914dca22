import { EnvironmentError, readEnvironment } from '@switchyard/server';
import { fileStoreEnvironment, fileStoreSettings } from './file-store-settings';

const settingsOf = (variables: Record<string, string>) =>
  fileStoreSettings(readEnvironment(fileStoreEnvironment, variables));

function complaints(variables: Record<string, string>): string[] {
  try {
    settingsOf(variables);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    const named = [...error.message.matchAll(/^ {2}(\w+):/gm)].map((match) => match[1] as string);
    return [...new Set(named)].sort();
  }
  return [];
}

describe('fileStoreSettings()', () => {
  it('returns a folder in DATA_DIR if S3_BUCKET is not set', () => {
    expect(settingsOf({ DATA_DIR: '/data' })).toEqual({ kind: 'local', folder: '/data/files' });
  });

  it('returns the bucket, with null credentials unless both S3 keys are set', () => {
    const bucket = { S3_BUCKET: 'files', S3_REGION: 'eu-central-1' };
    expect(settingsOf(bucket)).toEqual({
      kind: 's3',
      bucket: 'files',
      region: 'eu-central-1',
      endpoint: null,
      credentials: null,
      forcePathStyle: false,
    });
    const more = {
      S3_ENDPOINT: 'http://minio:9000',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_FORCE_PATH_STYLE: 'true',
    };
    expect(settingsOf({ ...bucket, ...more })).toMatchObject({
      endpoint: 'http://minio:9000',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
      forcePathStyle: true,
    });
  });

  it('reports all invalid or missing variables together', () => {
    expect(complaints({ S3_BUCKET: 'files' })).toEqual(['S3_REGION']);
    const more = { S3_ENDPOINT: 'minio', S3_ACCESS_KEY_ID: 'id', S3_FORCE_PATH_STYLE: 'yes' };
    expect(complaints({ S3_BUCKET: 'YOUR-BUCKET', ...more })).toEqual([
      'S3_BUCKET',
      'S3_ENDPOINT',
      'S3_FORCE_PATH_STYLE',
      'S3_REGION',
      'S3_SECRET_ACCESS_KEY',
    ]);
  });
});
