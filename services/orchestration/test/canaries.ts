import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listSecretForms } from '@switchyard/runner/masking/secret-forms';
import type { Logger } from '@switchyard/server';
import { redisUrl } from '@switchyard/testing';
import Redis from 'ioredis';
import type { Harness } from './harness';

export function createCanaries() {
  const all = new Map<string, string>();
  const add = (name: string, value: string) => {
    all.set(name, value);
    return value;
  };
  return {
    make: (name: string) => add(name, `canary-${randomBytes(9).toString('hex')}`),
    add,
    all: all as ReadonlyMap<string, string>,
  };
}

function formsOf(canary: string): string[] {
  const forms = listSecretForms([canary]).map((form) => form.toString());
  return [...forms, Buffer.from(canary).toString('hex')];
}

export function findCanaries(
  canaries: ReadonlyMap<string, string>,
  places: Iterable<[place: string, content: string]>,
): string[] {
  const wanted = [...canaries].map(([name, canary]) => ({ name, forms: formsOf(canary) }));
  const found = new Set<string>();
  for (const [place, content] of places) {
    for (const { name, forms } of wanted) {
      if (forms.some((form) => content.includes(form))) found.add(`${name} in ${place}`);
    }
  }
  return [...found].sort();
}

export async function readTables({ context }: Pick<Harness, 'context'>) {
  const { pool } = context.db;
  const columns = await pool.query<{ table: string; column: string; type: string }>(
    `SELECT table_name AS table, column_name AS column, data_type AS type
     FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  const places: [string, string][] = [];
  for (const { table, column, type } of columns.rows) {
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const { rows } = await pool.query<{ content: string | null }>(
      `SELECT string_agg(${text} || ' ' || "${column}"::text, E'\\n') AS content FROM "${table}"`,
    );
    places.push([`table ${table}.${column}`, rows[0]?.content ?? '']);
  }
  return places;
}

async function readKey(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
}

export async function readRedis(prefix: string) {
  const redis = new Redis(redisUrl());
  const places: [string, string][] = [];
  try {
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `*${prefix}*`, 'COUNT', 1_000);
      cursor = next;
      for (const key of keys) {
        places.push([`redis ${key}`, `${key} ${JSON.stringify(await readKey(redis, key))}`]);
      }
    } while (cursor !== '0');
  } finally {
    redis.disconnect();
  }
  return places;
}

export function readFiles(folder: string): [string, string][] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => [`file ${path}`, readFileSync(path, 'latin1')]);
}

export function createRecordingLogger() {
  const lines: [string, string][] = [];
  const at = (level: string) => (message: string, fields?: Record<string, unknown>) => {
    lines.push([`log ${level} "${message.slice(0, 80)}"`, JSON.stringify({ message, fields })]);
  };
  const logger: Logger = {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
  };
  return { logger, lines };
}
