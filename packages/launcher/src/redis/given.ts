import net from 'node:net';
import { UserError } from '@switchyard/bootstrap/user-error';

export async function ping(port: number, host: string, password?: string): Promise<string> {
  const commands = [...(password ? [`AUTH ${password}`] : []), 'PING'];
  const socket = net.connect({ port, host });
  socket.setTimeout(1000, () => socket.destroy(new Error('no reply')));
  socket.write(commands.map((command) => `${command}\r\n`).join(''));
  let text = '';
  try {
    for await (const chunk of socket) {
      text += chunk;
      const replies = text.split('\r\n').slice(0, -1);
      if (replies.length < commands.length) continue;
      return replies.find((reply) => reply.startsWith('-')) ?? '+PONG';
    }
  } catch {}
  return '';
}

export function checkRedisUrl(url: string | undefined): void {
  if (!url || (URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol))) return;
  throw new UserError(
    'REDIS_URL must be a Redis address.',
    'Write it as redis://:password@host:6379',
  );
}

/**
 * Checks that Redis replies; an error such as -NOAUTH counts as a reply. Skips `rediss:` URLs,
 * where a plain ping would only close the connection.
 */
export async function reachRedis(url: string): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  if (protocol === 'rediss:' || (await ping(Number(port || 6379), hostname))) return;
  throw new UserError(
    `The Redis of REDIS_URL (${hostname}:${port || 6379}) does not respond.`,
    'Correct REDIS_URL, start that server, or unset REDIS_URL to start a Redis here.',
  );
}
