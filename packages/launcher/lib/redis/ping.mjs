import net from 'node:net';

/** '+PONG', '-LOADING …' or '' when nothing answers. */
export function ping(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host });
    const done = (text) => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(1000, () => done(''));
    socket.once('error', () => done(''));
    socket.once('connect', () => socket.write('*1\r\n$4\r\nPING\r\n'));
    socket.once('data', (chunk) => done(chunk.toString().trim()));
  });
}
