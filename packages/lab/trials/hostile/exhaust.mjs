/**
 * An agent that exhausts the shared machine: processes, inotify instances, undeletable folders,
 * memory, disk and CPU time. Prints what it got, and repeats until it is killed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEBIBYTE = 1024 * 1024;

function takeAll(most, take) {
  for (let taken = 0; taken < most; taken++) {
    try {
      take(taken);
    } catch {
      return taken;
    }
  }
  return most;
}

const processes = () => {
  const children = [];
  takeAll(2_000, () => {
    const child = spawn('/bin/sleep', ['20'], { stdio: 'ignore' });
    child.on('error', () => undefined);
    if (!child.pid) throw new Error('refused');
    children.push(child);
  });
  for (const child of children) child.kill('SIGKILL');
  return children.length;
};

const watchers = () => {
  const open = [];
  const taken = takeAll(1_000, () => {
    const script =
      'import ctypes,time; c=ctypes.CDLL(None); n=[c.inotify_init() for _ in range(200)]; print(sum(f>=0 for f in n))';
    const made = spawnSync('/usr/bin/python3', ['-c', script], { timeout: 10_000 });
    if (made.status !== 0 || Number(made.stdout) < 200) throw new Error('refused');
    open.push(watch(tmpdir()));
  });
  for (const one of open) one.close();
  return taken;
};

const folders = () => {
  let place = join(tmpdir(), `closed-${Date.now()}`);
  const top = place;
  const made = takeAll(500, () => {
    mkdirSync(place);
    place = join(place, 'd');
  });
  takeAll(1, () => chmodSync(top, 0o000));
  return made;
};

const memory = () => {
  const held = [];
  return takeAll(256, () => held.push(Buffer.alloc(MEBIBYTE, 1)));
};

const disk = () => {
  const file = join(process.cwd(), 'large');
  const written = takeAll(128, (at) => {
    writeFileSync(file, Buffer.alloc(MEBIBYTE, 1), { flag: at ? 'a' : 'w' });
  });
  rmSync(file, { force: true });
  return written;
};

for (;;) {
  const got = {
    processes: processes(),
    watchers: watchers(),
    folders: folders(),
    memory: memory(),
  };
  process.stdout.write(`${JSON.stringify({ ...got, disk: disk() })}\n`);
}
