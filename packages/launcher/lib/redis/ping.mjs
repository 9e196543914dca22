import net from 'node:net';

const command = (...words) =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

/** One line for each command that is written; none when nothing answers. */
function ask(text, count, port, host) {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host });
    let said = '';
    const done = (replies) => {
      socket.destroy();
      resolve(replies);
    };
    socket.setTimeout(1000, () => done([]));
    socket.once('error', () => done([]));
    socket.once('close', () => done([]));
    socket.once('connect', () => socket.write(text));
    socket.on('data', (chunk) => {
      said += chunk;
      const lines = said.split('\r\n');
      if (lines.length > count) done(lines.slice(0, count));
    });
  });
}

/** '+PONG', '-NOAUTH …', '-LOADING …', or '' when nothing answers. */
export async function ping(port, host = '127.0.0.1') {
  return (await ask(command('PING'), 1, port, host))[0] ?? '';
}

/** The same with a password; '-…' also when the server has another one, or none. */
export async function pingWith(password, port, host = '127.0.0.1') {
  const text = command('AUTH', password) + command('PING');
  const [entered = '', answer = ''] = await ask(text, 2, port, host);
  return entered === '+OK' ? answer : entered;
}
