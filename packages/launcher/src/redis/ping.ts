import net from 'node:net';

/** '+PONG', '-NOAUTH …', '-LOADING …', or '' when nothing replies. */
export async function ping(port: number, host = '127.0.0.1'): Promise<string> {
  return (await exchange([['PING']], port, host))[0] ?? '';
}

/** The same with a password; '-…' also when the server has another one, or none. */
export async function pingWith(password: string, port: number): Promise<string> {
  const [entered = '', reply = ''] = await exchange(
    [['AUTH', password], ['PING']],
    port,
    '127.0.0.1',
  );
  return entered === '+OK' ? reply : entered;
}

const encode = (words: string[]) =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

/** One line for each command; none when nothing replies. */
function exchange(commands: string[][], port: number, host: string): Promise<string[]> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host });
    let said = '';
    const done = (replies: string[]) => {
      socket.destroy();
      resolve(replies);
    };
    socket.setTimeout(1000, () => done([]));
    socket.once('error', () => done([]));
    socket.once('close', () => done([]));
    socket.once('connect', () => socket.write(commands.map(encode).join('')));
    socket.on('data', (chunk) => {
      said += chunk;
      const lines = said.split('\r\n');
      if (lines.length > commands.length) done(lines.slice(0, commands.length));
    });
  });
}
