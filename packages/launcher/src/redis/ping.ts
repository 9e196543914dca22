import net from 'node:net';

/** '+PONG', a refusal such as '-NOAUTH …', '-WRONGPASS …' or '-LOADING …', or '' when nothing replies. */
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
  } catch {
    // Nothing replies.
  }
  return '';
}
