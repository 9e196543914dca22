/**
 * Probes of resources that all runs of one account and one kernel share; `probes.mjs` provides the
 * tools.
 */
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

export const sharedProbes = ({ places, read, touch, said, confirm, api, bySystemCall }) => ({
  ...Object.fromEntries(
    Object.entries({
      'the folder of all repositories': path.join(places.dataDir, 'repositories'),
      'a key file of the installation': places.keyFile,
      'a file of another company’s run': places.victimFile,
      'the home of another agent': path.dirname(places.victimHomeFile),
    }).flatMap(([what, file]) => [
      [`change the mode of ${what}`, () => changeMode(file)],
      [`change the owner of ${what}`, () => fs.chownSync(file, process.getuid(), process.getgid())],
      [`change the times of ${what}`, () => fs.utimesSync(file, 1, 1)],
      [`give ${what} an attribute`, () => bySystemCall('attribute', file)],
      [`hear of changes of ${what}`, () => bySystemCall('watch', file)],
    ]),
  ),
  'change the mode of a key file by a link of its own': () => {
    fs.symlinkSync(places.keyFile, 'mode-link');
    changeMode('mode-link');
  },
  'make a program that runs as its account': () => fs.chmodSync(touch(path.resolve('own')), 0o4755),
  'make a program that runs as its group': () => fs.chmodSync(touch(path.resolve('own')), 0o2755),
  'create a program that runs as its account': () => {
    const file = path.resolve('created');
    fs.closeSync(fs.openSync(file, 'w', 0o4755));
    if ((fs.statSync(file).mode & 0o4000) === 0) throw new Error('without the bit');
  },

  'listen for others on all addresses': async () => {
    const server = net.createServer((socket) => socket.end());
    await new Promise((resolve, reject) => {
      server.on('error', reject);
      server.listen(places.doorPort, '0.0.0.0', resolve);
    });
    try {
      return await confirm('allAddresses');
    } finally {
      server.close();
    }
  },
  'see the connections of the host': () => {
    const port = `:${places.bystander.port.toString(16).toUpperCase().padStart(4, '0')} `;
    const tables = [
      '/proc/net/tcp',
      '/proc/self/net/tcp',
      `/proc/self/task/${process.pid}/net/tcp`,
    ];
    const found = tables.filter((table) => fs.existsSync(table) && read(table).includes(port));
    if (found.length === 0) throw new Error('none of them');
    return found;
  },
  'use the API by the gateway and the token of another run': () =>
    api(
      `/api/issues/${places.victimIssueId}`,
      { authorization: `Bearer ${read(places.stolenFile)}` },
      { url: places.victimGateway },
    ),
  'use the gateway of another run as a proxy': async () => {
    const { hostname, port } = new URL(places.victimGateway);
    const target = 'hostile.example:443';
    const asked = `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;
    const reply = await said({ host: hostname, port: Number(port) }, asked);
    if (!reply.includes('the company allows')) throw new Error(reply.split('\r\n')[0]);
    return reply;
  },

  'be spared when memory runs out': () => {
    const score = read('/proc/self/oom_score_adj').trim();
    if (score === '1000') throw new Error('it ends before others');
    return score;
  },
  'take the account’s instances of inotify': () => bySystemCall('watchers', places.limits.watchers),
  'leave a file behind in the temporary folder': () =>
    touch(path.join(os.tmpdir(), places.leftName)),
  'leave a locked folder behind in the temporary folder': () => {
    const folder = path.join(os.tmpdir(), `${places.leftName}-locked`);
    fs.mkdirSync(folder);
    touch(path.join(folder, 'file'));
    fs.chmodSync(folder, 0);
    return folder;
  },
  'leave a folder behind that is too deep': () => {
    const folder = path.join(os.tmpdir(), `${places.leftName}-deep`);
    bySystemCall('deep', folder);
    return folder;
  },
});

function changeMode(file) {
  fs.chmodSync(file, fs.statSync(file).mode & 0o777);
}
