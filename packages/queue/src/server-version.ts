import type { Redis } from 'ioredis';

/**
 * BullMQ's scripts need this version; Valkey reports the Redis version that it is compatible with.
 */
const OLDEST = [6, 2] as const;

export async function versionProblem(redis: Redis): Promise<string | null> {
  return problemIn(await redis.info('server'));
}

export function problemIn(info: string): string | null {
  const [, version, major, minor] = /^redis_version:((\d+)\.(\d+)\S*)/m.exec(info) ?? [];
  if (version === undefined) return null;
  const isRecent =
    Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
  return isRecent
    ? null
    : `Redis ${version} is too old: Switchyard requires ${OLDEST.join('.')} or later, or Valkey`;
}
