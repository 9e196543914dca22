import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, connectAlone, declaredStatements } from '@switchyard/db';
import { type ClonedDatabase, cloneDatabase, statementFaults } from '@switchyard/testing';

const SOURCES = join(__dirname, '../src');

function loadStatements(): void {
  for (const name of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    const path = join(SOURCES, name);
    if (!/(?<!\.test)\.ts$/.test(name) || name.startsWith('bin/')) continue;
    if (/\b(?:statement|newestFirstList)\(/.test(readFileSync(path, 'utf8'))) require(path);
  }
}

const productStatements = () =>
  declaredStatements().filter(({ name }) => !name.startsWith('test-'));

describe('declared SQL statements', () => {
  let database: ClonedDatabase;
  let client: Client;

  beforeAll(async () => {
    loadStatements();
    database = await cloneDatabase('orchestration');
    client = await connectAlone({
      url: database.url,
      applicationName: 'test',
      timeoutMs: 15_000,
      onLost: () => undefined,
    });
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('match the migrated database', async () => {
    const faults: string[] = [];
    for (const statement of productStatements()) {
      faults.push(...(await statementFaults(client, statement)));
    }
    expect(productStatements().length).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  it('have at most 8 kB of text', () => {
    const long = productStatements().filter(({ text }) => text.length > 8_000);
    expect(long.map(({ name }) => name)).toEqual([]);
  });

  it('make this test fail if a type or a column is wrong', async () => {
    const faults = (text: string, gives: Record<string, string>) =>
      statementFaults(client, { name: 'x', text, gives });
    const text = 'SELECT id, parent_id AS "parentId" FROM issue WHERE id = $1::uuid';
    expect(await faults(text, { id: 'uuid', parentId: 'uuid?' })).toEqual([]);
    expect(await faults(text, { id: 'uuid', parentId: 'uuid' })).toEqual([
      'x: parentId may be null',
    ]);
    expect(await faults(text, { id: 'text', parentId: 'uuid?' })).toEqual([
      'x: id is uuid, not text',
    ]);
    expect(await faults(text, { id: 'uuid' })).toHaveLength(1);
    await expect(faults('SELECT missing FROM issue', {})).rejects.toThrow(
      '"missing" does not exist',
    );
  });
});
