import { ask, type Database, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import { partOf } from '../../kernel/context';
import { isDeletedSql } from '../companies/deleted';

export const issueNumbers = partOf(({ numbering }) => openIssueNumbers(numbering));

interface IssueNumbers {
  /**
   * Returns the company's next number. It is higher than all earlier numbers; an unused number
   * leaves a gap.
   * @throws ApiError 404 if the company was deleted
   */
  take(companyId: string): Promise<number>;
  /** Makes all later numbers higher than `number`. */
  skipTo(companyId: string, number: number): Promise<void>;
}

interface Waiting {
  companyId: string;
  resolve(number: number): void;
  reject(error: unknown): void;
}

/**
 * Serves all waiting callers with one statement that commits immediately, so that no lock is held
 * while an issue is stored. `db` must be a separate pool of one connection, because a wait for a
 * shared connection could deadlock.
 */
function openIssueNumbers(db: Database): IssueNumbers {
  let waiting: Waiting[] = [];
  let isTaking = false;

  async function takeAll(): Promise<void> {
    isTaking = true;
    while (waiting.length > 0) {
      const served = waiting;
      waiting = [];
      await takeFor(db, served).catch((error) => {
        for (const { reject } of served) reject(error);
      });
    }
    isTaking = false;
  }

  return {
    take: (companyId) =>
      new Promise((resolve, reject) => {
        waiting.push({ companyId, resolve, reject });
        if (!isTaking) void takeAll();
      }),
    skipTo: async (companyId, number) => void (await ask(db, skipNumbers, { companyId, number })),
  };
}

async function takeFor(db: Database, waiting: readonly Waiting[]): Promise<void> {
  const companyIds = waiting.map(({ companyId }) => companyId);
  const taken = await ask(db, takeNumbers, { companyIds });
  const next = new Map(taken.map(({ companyId, first }) => [companyId, first]));
  for (const { companyId, resolve, reject } of waiting) {
    const number = next.get(companyId);
    if (number === undefined) {
      reject(notFound('company'));
      continue;
    }
    next.set(companyId, number + 1);
    resolve(number);
  }
}

const takeNumbers = statement('take-issue-numbers', {
  takes: { companyIds: 'uuid[]' },
  gives: { companyId: 'uuid', first: 'int' },
  sql: ({ companyIds }) => `
    WITH wanted AS (
      SELECT company_id, count(*)::int AS n FROM unnest(${companyIds}) AS wanted (company_id)
      WHERE NOT ${isDeletedSql('company_id')}
      GROUP BY company_id ORDER BY company_id
    ), taken AS (
      INSERT INTO issue_counter AS counter (company_id, last_number)
      SELECT company_id, n FROM wanted ORDER BY company_id
      ON CONFLICT (company_id) DO UPDATE SET last_number = counter.last_number + excluded.last_number
      RETURNING company_id, last_number
    )
    SELECT company_id AS "companyId", last_number - n + 1 AS first FROM taken JOIN wanted USING (company_id)`,
});

const skipNumbers = statement('skip-issue-numbers', {
  takes: { companyId: 'uuid', number: 'int' },
  gives: {},
  sql: ({ companyId, number }) => `
    INSERT INTO issue_counter AS counter (company_id, last_number)
    SELECT ${companyId}, ${number} WHERE NOT ${isDeletedSql(companyId)}
    ON CONFLICT (company_id) DO UPDATE SET last_number = excluded.last_number
    WHERE counter.last_number < excluded.last_number`,
});
