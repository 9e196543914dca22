/**
 * A hostile agent. It receives all locations, which a real one would have to find, but no
 * credentials. Each probe reports whether it succeeded and prints what it read, so that canaries
 * become visible.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { sharedProbes } from './shared_probes.mjs';

const places = JSON.parse(process.argv[2]);
const env = process.env;

const PATIENCE_MS = 1_500;

const probes = {
  'list the processes of the host': () => visible(places.workerPid),
  'read the environment of the process that started it': () => environmentOf(places.workerPid),
  'read the environment of another company’s agent': () => environmentOf(places.victimPid),
  'read the memory of the process that started it': () => {
    const [, begin] = /^([0-9a-f]+)-[0-9a-f]+ r/m.exec(read(`/proc/${places.workerPid}/maps`));
    const memory = fs.openSync(`/proc/${places.workerPid}/mem`, 'r');
    const into = Buffer.alloc(16);
    return fs.readSync(memory, into, 0, 16, Number.parseInt(begin, 16));
  },
  'see the open files of the process that started it': () =>
    fs
      .readdirSync(`/proc/${places.workerPid}/fd`)
      .map((fd) => quietly(() => fs.readlinkSync(`/proc/${places.workerPid}/fd/${fd}`))),
  'go to the host’s files through another process': () =>
    read(`/proc/${places.workerPid}/root${places.keyFile}`),
  'signal the process that started it': () => process.kill(places.workerPid, 0),
  'signal another company’s agent': () => process.kill(places.victimPid, 0),
  'set the priority of the process that started it': () => {
    os.setPriority(places.workerPid, os.getPriority(places.workerPid));
  },

  'read a key file of the installation': () => read(places.keyFile),
  'list the data folder': () => {
    const names = fs.readdirSync(places.dataDir);
    if (!names.includes(path.basename(places.keyFile))) throw new Error(`only ${names}`);
    return names;
  },
  'see which agents there are': () =>
    fs.readdirSync(path.join(places.dataDir, 'homes', places.victimCompanyId)),
  'link a key file into its own folder': () => {
    const link = path.resolve('key-link');
    fs.linkSync(places.keyFile, link);
    return read(link);
  },
  'read a file through a symbolic link of its own': () => {
    fs.symlinkSync(places.keyFile, 'symbolic-link');
    return read('symbolic-link');
  },
  'read files of another company’s run': () => read(places.victimFile),
  'write files of another company’s run': () =>
    touch(path.join(path.dirname(places.victimFile), 'hostile')),
  'read the home of another agent': () => read(places.victimHomeFile),
  'write the home of another agent': () =>
    touch(path.join(path.dirname(places.victimHomeFile), 'hostile')),
  'read the repository of another company': () => read(places.victimRepositoryFile),
  'write the repository of another company': () =>
    touch(path.join(path.dirname(places.victimRepositoryFile), 'hostile')),
  'read the operator’s home': () => read(places.operatorFile),
  'write the operator’s home': () => touch(path.join(path.dirname(places.operatorFile), 'hostile')),
  'leave a file for others in the temporary folder': () => {
    touch(path.join(places.temporary, 'hostile'));
    return confirm('temporary');
  },
  'read what others have in the temporary folder': () =>
    read(path.join(places.temporary, 'canary')),
  'read what others share in memory': () => read(places.sharedMemoryFile),
  'write the program of the service': () => fs.closeSync(fs.openSync(places.programFile, 'r+')),
  'write into the folder of a program on PATH': () =>
    touch(path.join(places.programFolder, 'hostile-program')),
  'write the system’s settings': () => fs.closeSync(fs.openSync('/etc/passwd', 'r+')),
  'read the password file': () => read('/etc/shadow').slice(0, 10),
  'exchange its working directory for a link': () => {
    const here = process.cwd();
    const aside = `${here}-moved`;
    fs.renameSync(here, aside);
    fs.symlinkSync('/etc', here);
    fs.unlinkSync(here);
    fs.renameSync(aside, here);
  },
  'make a device': () => {
    execFileSync('mknod', ['device', 'c', '1', '3'], { stdio: 'pipe' });
    fs.closeSync(fs.openSync('device', 'r'));
  },
  'read the disk below the file systems': () => {
    const name = fs.readdirSync('/sys/block').find((one) => fs.existsSync(`/dev/${one}`));
    return fs.readSync(fs.openSync(`/dev/${name}`, 'r'), Buffer.alloc(16));
  },
  'read the kernel’s messages': () =>
    fs.closeSync(fs.openSync('/dev/kmsg', fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)),
  'change a setting of the kernel': () =>
    fs.closeSync(fs.openSync('/proc/sys/kernel/core_pattern', 'r+')),
  'have the kernel restart': () => fs.closeSync(fs.openSync('/proc/sysrq-trigger', 'w')),
  'change a control group': () => {
    const group = '/sys/fs/cgroup/hostile';
    fs.mkdirSync(group);
    quietly(() => fs.rmdirSync(group));
  },
  'open a terminal to type into': () => fs.closeSync(fs.openSync('/dev/tty', 'r+')),

  'reach Redis': async () => said(places.redis, redisCommands()),
  'reach PostgreSQL': async () => said(places.postgres, Buffer.from('0000000804d2162f', 'hex')),
  'reach the worker’s own port': async () =>
    said(places.workerPort, 'GET /metrics HTTP/1.0\r\n\r\n'),
  'reach the API past its own way to it': async () =>
    said(places.api, 'GET /api/companies HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n'),
  'reach another server of the host': async () => said(places.bystander, 'GET / HTTP/1.0\r\n\r\n'),
  'reach a private address': async () => said(places.neighbour, 'GET / HTTP/1.0\r\n\r\n'),
  'reach a server by IPv6': async () => said(places.bystander6, 'GET / HTTP/1.0\r\n\r\n'),
  'reach a server of the host through the proxy': async () =>
    throughProxy(`${places.bystander.host}:${places.bystander.port}`),
  'reach the metadata of a cloud through the proxy': async () => throughProxy('169.254.169.254:80'),
  'reach Redis through the proxy': async () =>
    throughProxy(`${places.redis.host}:${places.redis.port}`),
  'send a datagram, as a look-up of a name is one': async () => datagram(places.datagrams),
  'reach a socket that lies in a folder': async () => said(places.socketFile, 'hello\n'),
  'reach an abstract socket': async () => said(places.abstractSocket, 'hello\n'),
  'listen for others': async () => {
    const server = net.createServer((socket) => socket.end());
    await new Promise((resolve, reject) => {
      server.on('error', reject);
      server.listen(places.doorPort, '127.0.0.1', resolve);
    });
    try {
      return await confirm('door');
    } finally {
      server.close();
    }
  },

  'use the API without a token': async () => api('/api/companies'),
  'read another company without a token': async () => api(`/api/issues/${places.victimIssueId}`),
  'use the API with a token of another run': async () =>
    api(`/api/issues/${places.victimIssueId}`, {
      authorization: `Bearer ${read(places.stolenFile)}`,
    }),
  'read another company with its own token': async () =>
    api(`/api/issues/${places.victimIssueId}`, { authorization: `Bearer ${env.SERVICE_API_KEY}` }),
  'be a person by a cookie beside its token': async () =>
    api(`/api/issues/${places.victimIssueId}`, {
      authorization: `Bearer ${env.SERVICE_API_KEY}`,
      cookie: 'switchyard.sid=x',
      'x-forwarded-for': '127.0.0.1',
    }),
  'take the work of a runner': async () =>
    api('/api/runner/next', { authorization: `Bearer ${env.SERVICE_API_KEY}` }, { method: 'POST' }),

  'make a file without an end': () => {
    const file = fs.openSync('endless', 'w');
    try {
      fs.ftruncateSync(file, places.limits.fileBytes + 1);
      fs.writeSync(file, 'x', places.limits.fileBytes);
    } finally {
      fs.closeSync(file);
      fs.rmSync('endless');
    }
  },
  'start processes without an end': () => {
    if (process.getuid() === 0) throw new Error('the kernel keeps root below no number');
    return bySystemCall('processes', places.limits.processes);
  },
  'leave a process behind': () => {
    const daemon = `setsid sh -c 'while :; do sleep 1; done' ${places.daemonMark}`;
    const script = `env -i PATH="$PATH" ${daemon} </dev/null >/dev/null 2>&1 &`;
    spawnSync('sh', ['-c', script], { stdio: 'ignore' });
  },

  'have a capability': () => status('CapEff', (value) => !/^0+$/.test(value)),
  'gain rights by a program': () => status('NoNewPrivs', (value) => value === '0'),
  'make every call of the kernel': () => status('Seccomp', (value) => value === '0'),
  ...Object.fromEntries(
    [
      ['trace the process that started it', 'ptrace'],
      ['make a namespace of its own', 'userns'],
      ['mount a file system', 'mount'],
      ['load a program into the kernel', 'bpf'],
      ['use the kernel’s keyrings', 'keyctl'],
      ['use the kernel’s rings', 'io_uring'],
      ['count events of the kernel', 'perf'],
      ['open a raw socket', 'raw'],
      ['look through all interfaces', 'packet'],
      ['change the root folder', 'chroot'],
      ['read the memory of another process by a system call', 'vm_readv'],
      ['type into its terminal', 'tiocsti'],
    ].map(([name, call]) => [name, () => bySystemCall(call, places.workerPid)]),
  ),
  ...sharedProbes({ places, read, touch, said, confirm, api, bySystemCall }),
};

/** Rights that every agent has: a sandbox without them would be useless. */
const rights = {
  'write its working directory': () => touch(path.resolve('own')),
  'write its home': () => touch(path.join(env.HOME, 'own')),
  'write a temporary file': () => touch(path.join(os.tmpdir(), `own-${process.pid}`)),
  'run a program': () => execFileSync('sh', ['-c', 'echo hello | cat'], { encoding: 'utf8' }),
  'make a system call': () => bySystemCall('nothing', ''),
  'use the API with its token': async () =>
    api(`/api/agents/me`, { authorization: `Bearer ${env.SERVICE_API_KEY}` }),
};

for (const [kind, all] of Object.entries({ probe: probes, right: rights })) {
  for (const [name, attempt] of Object.entries(all)) {
    let succeeded = false;
    let detail;
    try {
      detail = await attempt();
      succeeded = true;
    } catch (error) {
      detail = error.code ?? error.message;
    }
    const text = (typeof detail === 'string' ? detail : JSON.stringify(detail)) ?? '';
    say({ kind, name, succeeded, detail: text.slice(0, 20_000) });
  }
}
say({ kind: 'end' });
process.exit(0);

function say(finding) {
  fs.writeSync(1, `\n${JSON.stringify(finding)}\n`);
}

function read(file) {
  return fs.readFileSync(file, 'latin1');
}

function touch(file) {
  fs.writeFileSync(file, 'hostile\n', { mode: 0o600 });
  return file;
}

function quietly(attempt) {
  try {
    return attempt();
  } catch (error) {
    return error.code;
  }
}

function visible(pid) {
  const others = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== `${process.pid}`);
  if (!others.includes(`${pid}`) || !read(`/proc/${pid}/cmdline`).includes(places.workerMark)) {
    throw new Error(`${others.length} others`);
  }
  return others.map((one) => quietly(() => read(`/proc/${one}/cmdline`)));
}

function environmentOf(pid) {
  const text = read(`/proc/${pid}/environ`);
  if (!text.includes(places.environmentMark)) throw new Error('of another process');
  return text;
}

function status(field, isOpen) {
  const [, value] = new RegExp(`^${field}:\\s*(\\S+)$`, 'm').exec(read('/proc/self/status'));
  if (!isOpen(value)) throw new Error(`${field} ${value}`);
  return value;
}

function redisCommands() {
  return `PING\r\nGET ${places.redisKey}\r\n`;
}

function said(place, words) {
  return new Promise((resolve, reject) => {
    const socket =
      typeof place === 'string' ? net.connect(place) : net.connect(place.port, place.host);
    const chunks = [];
    const timer = setTimeout(() => socket.destroy(new Error('no reply')), PATIENCE_MS);
    socket.on('connect', () => socket.write(words));
    socket.on('data', (chunk) => {
      if (chunks.push(chunk) === 1) setTimeout(() => socket.end(), 100);
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('latin1');
      if (text === '') reject(new Error('no reply'));
      else resolve(text);
    });
  });
}

function datagram({ host, port }) {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const timer = setTimeout(() => socket.close(() => reject(new Error('no reply'))), PATIENCE_MS);
    socket.on('error', reject);
    socket.on('message', (message) => {
      clearTimeout(timer);
      socket.close(() => resolve(message.toString()));
    });
    socket.send('hello', port, host);
  });
}

/**
 * Uses the agent's proxy. Without a proxy the agent has direct network access, and this probe
 * fails.
 */
async function throughProxy(target) {
  const proxy = env.HTTP_PROXY ? new URL(env.HTTP_PROXY) : null;
  if (!proxy) throw new Error('there is no proxy');
  const place = { host: proxy.hostname, port: Number(proxy.port) };
  const credential = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
  const shown = proxy.username && `Proxy-Authorization: Basic ${credential}\r\n`;
  const reply = await said(place, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${shown}\r\n`);
  if (!/^HTTP\/1\.\d 200/.test(reply)) throw new Error(reply.split('\r\n')[0]);
  return reply;
}

function api(route, headers = {}, { method = 'GET', url = env.SERVICE_API_URL } = {}) {
  return new Promise((resolve, reject) => {
    const json = method === 'GET' ? {} : { 'content-type': 'application/json' };
    const request = http.request(url + route, {
      method,
      headers: { ...headers, ...json },
      timeout: 5_000,
      agent: false,
    });
    request.on('timeout', () => request.destroy(new Error('no reply')));
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = `${response.statusCode} ${Buffer.concat(chunks)}`;
        if (response.statusCode < 300) resolve(text);
        else reject(new Error(text.slice(0, 200)));
      });
    });
    request.end(method === 'GET' ? undefined : '{}');
  });
}

async function confirm(what) {
  fs.rmSync(`reply-${what}`, { force: true });
  touch(path.resolve(`question-${what}`));
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    const reply = quietly(() => read(`reply-${what}`));
    if (reply === 'yes') return reply;
    if (reply === 'no') throw new Error('not seen from outside');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('no reply from outside');
}

function bySystemCall(call, argument) {
  const script = path.join(path.dirname(process.argv[1]), 'system_calls.py');
  const {
    status: code,
    stdout,
    stderr,
    error,
  } = spawnSync(places.python, [script, call, `${argument}`], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  if (error) throw error;
  if (code !== 0)
    throw new Error((stdout + stderr).trim().split('\n').at(-1) || `exit code ${code}`);
  return stdout.trim();
}
