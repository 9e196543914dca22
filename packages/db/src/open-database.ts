import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import type { DatabaseOptions, OpenDatabase } from './database';
import { PrismaClient } from './generated/orchestration/client';
import { JoiningPool } from './joined-prisma';
import { openPool } from './pool';

export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const pool = openPool(options);
  let client: PrismaClient | undefined;
  /**
   * The client is created on first use, because it takes 25 MB, and its first query another 50 MB.
   */
  const prisma = () => {
    client ??= createClient(pool);
    return client;
  };
  return {
    get prisma() {
      return prisma();
    },
    get client() {
      return prisma();
    },
    pool,
    transaction: null,
    announce: (topics) => options.announce?.(topics),
    query: async (config) => (await pool.query(config)).rows,
    close: async () => {
      await client?.$disconnect();
      await pool.end();
    },
  };
}

function createClient(pool: Pool): PrismaClient {
  const options = { statementNameGenerator: createStatementNames() };
  const adapter = new PrismaPg(new JoiningPool(pool), options);
  return new PrismaClient({ adapter, errorFormat: 'minimal' });
}

/**
 * Maximum number of named statements, because each uses memory in every PostgreSQL session. Further
 * texts are sent without a name.
 */
const MAX_NAMES = 500;

/**
 * Names Prisma's statements, so that PostgreSQL parses and plans each text once per session. A text
 * gets its name on its second use, because texts with a value list rarely repeat.
 */
export function createStatementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const seenOnce = new Set<string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known) return known;
    if (names.size >= MAX_NAMES) return '';
    if (!seenOnce.delete(sql)) {
      if (seenOnce.size >= MAX_NAMES) seenOnce.clear();
      seenOnce.add(sql);
      return '';
    }
    const name = `p-${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
    names.set(sql, name);
    return name;
  };
}
