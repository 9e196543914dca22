import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveVariables, usableVariables } from './resolve-variables';
import { SECRET_SETTINGS } from './secret-settings';

describe('resolveVariables', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const fileOf = (text: string | Buffer) => {
    const path = join(folder, `${Math.random()}`);
    writeFileSync(path, text);
    return path;
  };

  it.each(SECRET_SETTINGS)('reads %s from a file, without the final newline', (name) => {
    for (const end of ['', '\n', '\r\n']) {
      const { variables, problems } = resolveVariables({
        [`${name}_FILE`]: fileOf(`hunter2${end}`),
      });
      expect(variables).toEqual({ [name]: 'hunter2' });
      expect(problems).toEqual({});
    }
  });

  it('removes only one final newline', () => {
    const { variables } = resolveVariables({ METRICS_TOKEN_FILE: fileOf(' a\nb \n\n') });
    expect(variables).toEqual({ METRICS_TOKEN: ' a\nb \n' });
  });

  it('removes a byte order mark, and refuses encodings other than UTF-8', () => {
    const { variables, problems } = resolveVariables({
      METRICS_TOKEN_FILE: fileOf('\ufeffhunter2\n'),
      SESSION_SECRET_FILE: fileOf(Buffer.from('\ufeffhunter2\n', 'utf16le')),
      RUN_TOKEN_SECRET_FILE: fileOf(Buffer.from('h\xfcnter2', 'latin1')),
    });
    expect(variables).toEqual({ METRICS_TOKEN: 'hunter2' });
    expect(problems).toEqual({
      SESSION_SECRET_FILE: 'cannot be read (it is UTF-16 or binary; save it as UTF-8)',
      RUN_TOKEN_SECRET_FILE: 'cannot be read (it is not UTF-8; save it as UTF-8)',
    });
  });

  it('ignores empty variables, and reads no files for settings that are not secrets', () => {
    const given = { SESSION_SECRET_FILE: '', METRICS_TOKEN: '', REPOSITORY_CA_FILE: '/etc/ca.pem' };
    expect(resolveVariables(given)).toEqual({
      variables: { REPOSITORY_CA_FILE: '/etc/ca.pem' },
      problems: {},
    });
  });

  it('throws an error that names the variable of an unusable file, but never contains the file’s content', () => {
    const read = () =>
      usableVariables({
        SESSION_SECRET_FILE: '/hunter2',
        REDIS_URL_FILE: folder,
        RUN_TOKEN_SECRET_FILE: fileOf('\n'),
        METRICS_TOKEN_FILE: fileOf('hunter2'),
        METRICS_TOKEN: 'hunter2',
      });
    expect(read).toThrow('SESSION_SECRET_FILE: cannot be read (ENOENT)');
    expect(read).toThrow('REDIS_URL_FILE: cannot be read (EISDIR)');
    expect(read).toThrow('RUN_TOKEN_SECRET_FILE: must not be an empty file');
    expect(read).toThrow('METRICS_TOKEN_FILE: must not be set together with METRICS_TOKEN');
    expect(read).not.toThrow(/hunter2/);
  });
});
