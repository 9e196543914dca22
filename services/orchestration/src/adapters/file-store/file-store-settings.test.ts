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

describe('the settings of the file store', () => {
  it('are a folder of the data unless something else is said', () => {
    expect(settingsOf({ DATA_DIR: '/data' })).toEqual({ kind: 'local', folder: '/data/files' });
  });

  it('name a bucket, with credentials of their own or those of the surroundings', () => {
    const bucket = { FILE_STORE: 's3', S3_BUCKET: 'b', S3_REGION: 'eu-central-1' };
    expect(settingsOf(bucket)).toEqual({
      kind: 's3',
      bucket: 'b',
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

  it('name every variable that is wrong or missing at once', () => {
    expect(complaints({ FILE_STORE: 's3' })).toEqual(['S3_BUCKET', 'S3_REGION']);
    expect(complaints({ FILE_STORE: 's3', S3_ENDPOINT: 'minio', S3_ACCESS_KEY_ID: 'id' })).toEqual([
      'S3_BUCKET',
      'S3_ENDPOINT',
      'S3_REGION',
      'S3_SECRET_ACCESS_KEY',
    ]);
    expect(complaints({ FILE_STORE: 'ftp', S3_FORCE_PATH_STYLE: 'yes' })).toEqual([
      'FILE_STORE',
      'S3_FORCE_PATH_STYLE',
    ]);
  });
});
