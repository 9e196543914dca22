import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import type { DatabaseOptions, OpenDatabase } from './database';
import { PrismaClient } from './generated/orchestration/client';
import { JoiningPool } from './joined-prisma';
import { openPool } from './pool';
import { createStatementNames } from './statements/statement-names';

export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const pool = openPool(options);
  let client: PrismaClient | undefined;
  /** Created on first use, because the client takes 25 MB, and its first query another 50 MB. */
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
