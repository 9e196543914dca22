import { join } from 'node:path';
import { readMigrations } from '@switchyard/db';
import { contractSteps, lockingIndexes } from './migration-rules';

const PRISMA = join(__dirname, '../../../prisma');

describe.each(['orchestration', 'metrics'])('the migrations of %s', (product) => {
  it('begin with a baseline, and afterwards only add columns or tables, unless a comment gives a reason', async () => {
    const [baseline, ...later] = await readMigrations(join(PRISMA, product, 'migrations'));
    expect(baseline?.name).toBe('0001_baseline');
    const found: string[] = [];
    for (const { name, sql } of later) {
      const steps = await contractSteps(sql);
      found.push(...steps.map((step) => `${name}: ${step}`));
    }
    expect(found).toEqual([]);
  });

  it('allow an operator to build indexes of existing tables in advance', async () => {
    const migrations = await readMigrations(join(PRISMA, product, 'migrations'));
    const found: string[] = [];
    for (const { name, sql } of migrations) {
      const indexes = await lockingIndexes(sql);
      found.push(...indexes.map((index) => `${name}: ${index}`));
    }
    expect(found).toEqual([]);
  });
});

describe('lockingIndexes', () => {
  it.each([
    ['CREATE INDEX i ON issue (title)', ['i locks issue']],
    ['CREATE INDEX IF NOT EXISTS i ON issue (title)', []],
    ['CREATE TABLE issue (title text); CREATE INDEX i ON issue (title)', []],
    ['-- lock: at most one row for each company\nCREATE INDEX i ON issue (title)', []],
  ])('given %s, returns %p', async (sql, found) => {
    expect(await lockingIndexes(sql)).toEqual(found);
  });
});

describe('contractSteps', () => {
  it.each([
    ['DROP TABLE "issue"', 'Drop issue'],
    ['DROP INDEX "i"', 'Drop i'],
    ['ALTER TABLE issue DROP COLUMN title', 'issue.title: DropColumn'],
    ['ALTER TABLE issue DROP CONSTRAINT c', 'issue.c: DropConstraint'],
    ['ALTER TABLE issue ALTER COLUMN title TYPE varchar(9)', 'issue.title: AlterColumnType'],
    ['ALTER TABLE issue ALTER COLUMN title SET NOT NULL', 'issue.title: SetNotNull'],
    ['ALTER TABLE issue ADD COLUMN a int NOT NULL', 'issue.a is NOT NULL without a default'],
    [
      'ALTER TABLE issue ADD CONSTRAINT c CHECK (title > 2)',
      'issue.c binds columns that the previous version writes',
    ],
    [
      'ALTER TABLE issue ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES b (id)',
      'issue.c binds columns that the previous version writes',
    ],
    ['CREATE UNIQUE INDEX u ON issue (title)', 'u makes issue unique in columns it has'],
    ['ALTER TABLE issue RENAME TO task', 'Rename issue'],
    ['ALTER TABLE issue RENAME COLUMN title TO name', 'Rename issue'],
    ['TRUNCATE issue', 'Truncate'],
    ['DELETE FROM issue', 'Delete issue'],
    ['DO $$ BEGIN END $$', 'Do'],
  ])('reports %s', async (sql, step) => {
    expect(await contractSteps(`-- Grüße\nCREATE TABLE a (id int);\n${sql};`)).toEqual([step]);
    expect(
      await contractSteps(`-- Grüße\n-- contract: since 2.0 nobody reads it\n${sql};`),
    ).toEqual([]);
    expect(await contractSteps(`-- contract: \n${sql};`)).toEqual([step]);
    expect(await contractSteps(`-- contract: the first\nDROP TABLE one; ${sql}`)).toEqual([step]);
  });

  it.each([
    'CREATE TABLE a (id int NOT NULL PRIMARY KEY); CREATE UNIQUE INDEX u ON a (id); ALTER TABLE a ADD CONSTRAINT c CHECK (id > 1)',
    'ALTER TABLE issue ADD COLUMN a int, ADD COLUMN b int NOT NULL DEFAULT 1',
    'ALTER TABLE issue ADD COLUMN a bigserial NOT NULL',
    'ALTER TABLE issue ALTER COLUMN title SET (n_distinct = -0.1)',
    'ALTER TABLE issue ADD COLUMN a int; ALTER TABLE issue ADD CONSTRAINT c CHECK (a IS NULL OR title > 2)',
    'ALTER TABLE issue ADD COLUMN a int; ALTER TABLE issue ADD CONSTRAINT c FOREIGN KEY (company_id, a) REFERENCES b (company_id, id)',
    'ALTER TABLE issue ADD COLUMN a int; CREATE UNIQUE INDEX u ON issue (company_id, a)',
    'CREATE INDEX i ON issue (title); ALTER TABLE issue ALTER COLUMN title DROP NOT NULL',
    'UPDATE issue SET title = 1',
  ])('allows %s', async (sql) => {
    expect(await contractSteps(sql)).toEqual([]);
  });
});
