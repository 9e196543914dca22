import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Driver, Sandbox, SandboxCommand } from '../src';
import {
  CONFINING,
  collect,
  living,
  newFolder,
  newMark,
  open,
  policyOf,
  removeFolders,
  run,
  shell,
  until,
} from './spawned';

afterAll(removeFolders);

const temporaryOf = (driver: Driver): Record<string, string> =>
  driver === 'landlock' ? {} : { TMPDIR: '/tmp' };

/** A supervisor closes its output after reporting that the command was executed. */
const hasReported = ([command]: number[]) =>
  command !== undefined && !existsSync(`/proc/${parentOf(command)}/fd/1`);

const parentOf = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];

describe.each<Driver>(CONFINING)('a command under %s', (driver) => {
  let sandbox: Sandbox;
  let folder: string;
  beforeAll(async () => {
    sandbox = await open(driver);
    folder = newFolder();
  });
  const start = (script: string) => sandbox.spawn(shell(script, folder), policyOf(folder));
  const ran = (script: string, change: Partial<SandboxCommand> = {}) =>
    run(sandbox, { ...shell(script, folder), ...change }, policyOf(folder));

  it.each([0, 1, 7, 127, 137, 255])('reports its exit code %i to the caller', async (code) => {
    expect((await ran(`exit ${code}`)).exit).toEqual({ code, signal: null, failure: null });
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGPIPE'] as const)(
    'reports to the caller that the signal %s ended it',
    async (signal) => {
      const { exit } = await ran(`kill -${signal.slice(3)} $$`);
      expect(exit).toEqual({ code: null, signal, failure: null });
    },
  );

  it('returns its exit code, even if it has a network port and ends immediately', async () => {
    const network = await sandbox.openNetwork(() => {});
    const policy = policyOf(folder, { network });
    const all = Array.from({ length: 48 }, () => run(sandbox, shell('exit 3', folder), policy));
    const exits = (await Promise.all(all)).map(({ exit }) => exit);
    expect(exits).toEqual(all.map(() => ({ code: 3, signal: null, failure: null })));
    await network.close();
  });

  it('has the lowest priority after it has used much CPU time', async () => {
    const lowest = constants.priority.PRIORITY_LOW;
    const { stdout } = await ran(
      `nice; (until [ "$(nice)" -eq ${lowest} ]; do :; done; nice) & wait`,
    );
    expect(stdout).toBe(`${getPriority()}\n${lowest}\n`);
  });

  it('receives only its input, arguments, folder and environment', async () => {
    const args = ['-c', 'cat; pwd; env | sort; printf "<%s>" "$@"', 'sh', 'a b', '', "'$(id)"];
    const environment = {
      PATH: '/usr/bin:/bin',
      HOME: folder,
      LD_PRELOAD: '/nowhere.so',
      X: 'ü x',
    };
    const input = 'x'.repeat(1_000_000);
    const { stdout } = await ran('', { args, environment, input });
    expect(stdout.startsWith(`${input}${folder}\nHOME=${folder}\n`)).toBe(true);
    expect(stdout.endsWith("<a b><><'$(id)>")).toBe(true);
    expect(stdout).not.toContain('NODE_CHANNEL');
  });

  it('can write any amount to both outputs', async () => {
    const { stdout, stderr } = await ran(
      'head -c 8000000 /dev/zero | tr "\\0" x; head -c 300000 /dev/zero | tr "\\0" y >&2',
    );
    expect([stdout.length, stderr.length]).toEqual([8_000_000, 300_000]);
  });

  it('can use git, Node and temporary files in its folder', async () => {
    const script = `
      echo written > file && cat file
      git init -q made && git -C made -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
      git -C made log --oneline | wc -l
      ${process.execPath} -e 'require("fs").writeFileSync("by-node", "x"); require("child_process").execSync("true")'
      t=$(mktemp) && echo temporary > "$t" && cat "$t"`;
    const { stdout, stderr, exit } = await ran(script);
    expect({ stdout, exit: exit.code }).toEqual({ stdout: 'written\n1\ntemporary\n', exit: 0 });
    expect(stderr).toBe('');
    expect(existsSync(join(folder, 'by-node'))).toBe(true);
  });

  it.each([
    ['no-such-command', 'ENOENT'],
    ['/no/such/file', 'ENOENT'],
    ['./not-executable', 'EACCES'],
    ['.', 'EACCES'],
  ])('cannot start from the path %s: the error is %s', async (command, code) => {
    writeFileSync(join(folder, 'not-executable'), 'true', { mode: 0o644 });
    const asked = { command: command === '.' ? folder : command, args: [] };
    const failure = await ran('', asked).then(
      ({ exit }) => exit.failure,
      (error) => error,
    );
    expect(failure).toMatchObject({ code });
  });

  it('can be a text file without a shebang, which the shell then runs', async () => {
    writeFileSync(join(folder, 'plain'), 'echo "$0 $1"\n', { mode: 0o755 });
    const { stdout } = await ran('', { command: './plain', args: ['one'] });
    expect(stdout).toBe(`${folder}/plain one\n`);
  });

  it('cannot start if a writable folder is missing, and the error names the folder', async () => {
    const missing = join(folder, 'missing');
    const policy = policyOf(folder, { readWrite: [folder, missing] });
    await expect(sandbox.spawn(shell('true', folder), policy)).rejects.toMatchObject({
      code: 'SANDBOX',
      message: expect.stringContaining(missing),
    });
    const all = policyOf(folder, { readOnly: ['/'] });
    await expect(sandbox.spawn(shell('true', folder), all)).rejects.toThrow(
      'cannot be used in a sandbox',
    );
  });

  it('cannot start if its working directory is a symbolic link', async () => {
    const elsewhere = newFolder();
    const link = join(newFolder(), 'laid');
    symlinkSync(elsewhere, link);
    const asked = run(sandbox, shell('echo x > written', link), policyOf(link));
    const failure = await asked.then(
      ({ exit }) => exit.failure,
      (error) => error,
    );
    expect(failure).toMatchObject({ code: 'SANDBOX' });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('can set modes, times, owners and attributes of its own files', async () => {
    const script = `
      umask 022; mkdir tree; echo one > tree/file; ln -s file tree/link; ln -s missing tree/loose
      chmod 000 tree/file && chmod 640 tree/link && chmod 700 . && stat -c %a tree/file .
      touch -d @100000 tree/file && touch -h -d @200000 tree/loose && stat -c %Y tree/file tree/loose
      chown "$(id -u):$(id -g)" tree/file && chown -h "$(id -u)" tree/loose && echo owned
      perl -e 'open $f, "<", "tree/file"; print chmod(0604, $f), utime(1, 2, $f), chmod(0644, "/proc/self/fd/" . fileno $f), "\n"'
      perl -e 'print rmdir("none") + chmod(0644, "none"), " $!\n"; print chmod(0644, "tree/loose"), " $!\n"'
      cp -a tree copy && stat -c %Y copy/file && tar -cf all.tar tree && mkdir out && tar -xpf all.tar -C out && stat -c %a%Y out/tree/file
      install -m 755 tree/file installed && stat -c %a installed
      git init -q repository && git -C repository config core.sharedRepository 0640 && echo made
      mkdir "$TMPDIR/x" && chmod 711 "$TMPDIR/x" && stat -c %a "$TMPDIR/x"`;
    const { stdout, stderr } = await run(
      sandbox,
      { ...shell(script, folder), environment: { PATH: '/usr/bin:/bin', ...temporaryOf(driver) } },
      policyOf(folder),
    );
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      ...['640', '700', '100000', '200000', 'owned', '111'],
      ...['0 No such file or directory', '0 No such file or directory'],
      ...['2', '6442', '755', 'made', '711', ''],
    ]);
  });

  it('can watch its own folders from any thread and process', async () => {
    const script = `
      const { watch, writeFileSync } = require('fs');
      const { Worker, isMainThread } = require('worker_threads');
      const name = isMainThread ? 'main' : 'thread';
      const seen = watch('.', (_event, file) => {
        if (file !== name) return;
        console.log('saw ' + name);
        seen.close();
      });
      writeFileSync(name, 'x');
      if (isMainThread) new Worker(__filename);`;
    writeFileSync(join(folder, 'watch.js'), script);
    const command = { ...shell('', folder), command: process.execPath, args: ['watch.js'] };
    const { stdout } = await run(sandbox, command, policyOf(folder));
    expect(stdout.trim().split('\n').sort()).toEqual(['saw main', 'saw thread']);
  });

  it('can open more inotify instances than its limit if it closes each one before it opens the next', async () => {
    const script = `
      use POSIX ();
      my ($init, $add) = $^V && \`uname -m\` =~ /x86/ ? (294, 254) : (26, 27);
      my ($path, $made) = ('.', 0);
      for (1 .. 40) {
        my $it = syscall $init, 0;
        $made++ if $it >= 0 && syscall($add, $it, $path, 0x100) > 0;
        POSIX::close($it);
      }
      print $made;`;
    const command = { ...shell('', folder), command: 'perl', args: ['-e', script] };
    const { limits } = policyOf(folder);
    const policy = policyOf(folder, { limits: { ...limits, watchers: 4 } });
    expect((await run(sandbox, command, policy)).stdout).toBe('40');
  });

  it('inherits no file descriptors from its parent', async () => {
    const { stdout } = await ran('ls -l /proc/self/fd | grep -c /');
    expect(Number(stdout)).toBeLessThanOrEqual(2);
  });

  it('cannot write to a read-only folder inside a writable folder', async () => {
    if (driver === 'landlock') return; // Landlock rules can only add access.
    const inner = newFolder();
    writeFileSync(join(inner, 'file'), 'kept');
    const policy = policyOf(folder, { readOnly: [inner] });
    const script = `cat ${inner}/file; echo x > ${inner}/file || echo refused`;
    const { stdout } = await run(sandbox, shell(script, folder), policy);
    expect(stdout).toBe('keptrefused\n');
  });

  it('leaves no daemon behind, even if the daemon has its own session and no environment', async () => {
    const mark = newMark();
    execFileSync('mkfifo', [join(folder, 'go')]);
    const child = await start(`
      env -i setsid sh -c 'trap "" TERM HUP; sleep ${mark} & sleep ${mark}' > /dev/null 2>&1 < /dev/null &
      read line < go`);
    const output = collect(child);
    await until(() => living(`sleep\0${mark}`).length === 2);
    writeFileSync(join(folder, 'go'), 'now\n');
    expect(await child.exited).toEqual({ code: 0, signal: null, failure: null });
    expect(living(mark).length).toBeGreaterThanOrEqual(2);
    expect(await child.end(50)).toEqual({ isComplete: true, remaining: [] });
    await output;
    expect(living(mark)).toEqual([]);
  });

  it('receives SIGTERM first, and SIGKILL after the grace period', async () => {
    const child = await start(
      'trap "echo bye; exit 3" TERM; echo ready; while :; do sleep 0.02; done',
    );
    const output = collect(child);
    await once(child.stdout, 'data');
    await child.end(10_000);
    expect(await child.exited).toEqual({ code: 3, signal: null, failure: null });
    expect((await output).stdout).toContain('bye');

    const deaf = await start('trap "" TERM; echo ready; while :; do sleep 0.02; done');
    const all = collect(deaf);
    await once(deaf.stdout, 'data');
    await deaf.end(20);
    expect(await deaf.exited).toEqual({ code: null, signal: 'SIGKILL', failure: null });
    await all;
  });

  it('can be ended even if it has stopped itself or keeps forking', async () => {
    const mark = newMark();
    const script = `sh -c 'kill -STOP $$; : ${mark}' & sh -c 'f() { f & f & :; }; f; sleep ${mark}' 2> /dev/null & sleep ${mark}`;
    const policy = policyOf(folder, {
      limits: {
        processes: 64,
        openFiles: 0,
        fileBytes: 0,
        watchers: 0,
        temporaryBytes: 0,
        workspaceBytes: 0,
      },
    });
    const endless = process.getuid?.() === 0 ? `kill -STOP $$; : ${mark}` : script;
    const child = await sandbox.spawn(shell(endless, folder), policy);
    const output = collect(child);
    await until(() => living(mark).length > 0);
    expect(await child.end(0)).toEqual({ isComplete: true, remaining: [] });
    await output;
    expect(living(mark)).toEqual([]);
  });

  it('may have as many processes as its limit allows, whatever else the account runs', async () => {
    const policy = policyOf(folder, {
      limits: {
        processes: 64,
        openFiles: 0,
        fileBytes: 0,
        watchers: 0,
        temporaryBytes: 0,
        workspaceBytes: 0,
      },
    });
    const child = await sandbox.spawn(shell('ulimit -u 2> /dev/null || ulimit -p', folder), policy);
    const { stdout } = await collect(child);
    const others = driver === 'landlock' ? 2 : 0;
    if (driver !== 'off') expect(Number(stdout)).toBeGreaterThanOrEqual(64 + others);
  });

  it('ends when its parent process is killed', async () => {
    const mark = newMark();
    const settings = { wanted: driver, mayBeOff: true, path: process.env.PATH };
    const policy = policyOf(folder);
    const command = shell(`env -i setsid sleep ${mark} & sleep ${mark}`, folder);
    const program = `
      const { openSandbox } = require(${JSON.stringify(join(__dirname, '..'))});
      openSandbox(${JSON.stringify(settings)}).then(async (sandbox) => {
        const child = await sandbox.spawn(${JSON.stringify(command)}, ${JSON.stringify(policy)});
        child.stdout.resume();
        console.log('started');
      });`;
    const parent = spawn(process.execPath, ['-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(createInterface({ input: parent.stdout }), 'line');
    await until(() => living(`sleep\0${mark}`).length === 2);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await until(() => living(mark).length === 0);
  });

  it('can run 64 times in parallel, and leaves no file descriptor open', async () => {
    const count = () => readdirSync('/proc/self/fd').length;
    const before = count();
    const scripts = Array.from({ length: 64 }, (_, at) => `sleep 0.1; echo ${at}; exit ${at}`);
    const all = await Promise.all(scripts.map((script) => ran(script)));
    expect(all.map(({ exit }) => exit.code)).toEqual(scripts.map((_, at) => at));
    expect(all.map(({ stdout }) => stdout)).toEqual(scripts.map((_, at) => `${at}\n`));
    await until(() => count() <= before);
  });

  it('can open many connections in parallel to the port of its network, but no connection to another port', async () => {
    const network = await sandbox.openNetwork((socket) => {
      socket.on('error', () => {});
      socket.once('data', (chunk: Buffer) => socket.end(chunk.toString().toUpperCase()));
    });
    const { port } = network;
    const script = `
      const net = require('net');
      for (let i = 0; i < 20; i++) net.connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d))).write('hello ' + i);
      net.connect(${port - 1}, '127.0.0.1').on('error', ({ code }) => console.log(code));`;
    const command = { ...shell('', folder), command: process.execPath, args: ['-e', script] };
    const { stdout } = await run(sandbox, command, policyOf(folder, { network }));
    const lines = stdout.trim().split('\n').sort();
    expect(lines.filter((line) => line.startsWith('HELLO'))).toHaveLength(20);
    expect(lines[0]).toMatch(/^E(ACCES|CONNREFUSED)$/);
    await network.close();
  });

  it('has no connections and no name resolution without a network', async () => {
    const script = `
      require('dns').lookup('example.com', (error) => console.log(error.code));
      require('net').connect(65000, '127.0.0.1').on('error', ({ code }) => console.log(code));`;
    const command = { ...shell('', folder), command: process.execPath, args: ['-e', script] };
    const { stdout } = await run(sandbox, command, policyOf(folder));
    expect(stdout).toMatch(/EAI_AGAIN|ENOTFOUND/);
    expect(stdout).toMatch(/EACCES|ECONNREFUSED/);
  });

  it('ends when its supervisor is killed', async () => {
    const mark = newMark();
    const child = await start(`exec sleep ${mark}`);
    const output = collect(child);
    await until(() => hasReported(living(`sleep\0${mark}`)));
    process.kill(child.pid, 'SIGKILL');
    await until(() => living(mark).length === 0);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL', failure: null });
    const { isComplete } = await child.end(0);
    expect(isComplete).toBe(driver === 'bwrap');
    await output;
  });
});
