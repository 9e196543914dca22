import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const RECORDED = join(__dirname, 'recorded');

export interface Recording {
  lines: string[];
  stderr: string[];
  exitCode: number;
}

export async function readRecording(name: string): Promise<Recording> {
  const text = await readFile(join(RECORDED, `${name}.jsonl`), 'utf8');
  const linesOf = (of: string) => of.split('\n').filter((line) => line !== '');
  const [end = '', ...lines] = linesOf(text);
  const { exitCode, stderr } = JSON.parse(end) as { exitCode: number; stderr: string };
  return { lines, stderr: linesOf(stderr), exitCode };
}

export async function recordingNames(): Promise<string[]> {
  const files = await readdir(RECORDED);
  return files.filter((file) => file.endsWith('.jsonl')).map((file) => file.slice(0, -6));
}

interface Start {
  args: string[];
  input: string;
  cwd: string;
  environment: Record<string, string>;
}

export interface StandIn {
  command: string;
  /**
   * Returns an agent's `env` that names the recordings to replay, one per start. With `hang`, the
   * process continues after the last line.
   */
  plays(...recordings: string[]): Record<string, string>;
  starts(): Promise<Start[]>;
}

const PROGRAM = (folder: string, act: string) => `#!/usr/bin/env node
(async () => {
const fs = require('fs');
const folder = ${JSON.stringify(folder)};
const recorded = ${JSON.stringify(RECORDED)};
const plays = JSON.parse(process.env.STAND_IN_PLAYS ?? '[]');
const count = fs.readdirSync(folder).filter((file) => file.endsWith('.start')).length;
const [name, mode] = (plays[count] ?? plays.at(-1)).split(':');
const start = {
  args: process.argv.slice(2),
  input: fs.readFileSync(0, 'utf8'),
  cwd: process.cwd(),
  environment: process.env,
};
fs.writeFileSync(folder + '/' + String(count).padStart(4, '0') + '.start', JSON.stringify(start));
const { input } = start;
await (async () => {${act}})();
const text = fs.readFileSync(recorded + '/' + name + '.jsonl', 'utf8');
const firstEnds = text.indexOf('\\n');
const end = JSON.parse(text.slice(0, firstEnds));
const out = text.slice(firstEnds + 1);
if (mode === 'hang') {
  process.stdout.write(out.split('\\n').slice(0, -2).join('\\n') + '\\n');
  setInterval(() => undefined, 1000);
} else {
  process.stderr.write(end.stderr);
  process.stdout.write(out, () => process.exit(end.exitCode));
}
})();
`;

/**
 * Creates an executable that replays a coding agent through pipes, regardless of its input. `act`
 * is code that runs first, with that input.
 */
export async function createStandIn(folder: string, act = ''): Promise<StandIn> {
  const starts = join(folder, 'starts');
  await mkdir(starts, { recursive: true });
  const command = join(folder, 'stand-in');
  await writeFile(command, PROGRAM(starts, act));
  await chmod(command, 0o755);
  return {
    command,
    plays: (...recordings) => ({ STAND_IN_PLAYS: JSON.stringify(recordings) }),
    starts: async () => {
      const files = (await readdir(starts)).sort();
      const texts = await Promise.all(files.map((file) => readFile(join(starts, file), 'utf8')));
      return texts.map((text) => JSON.parse(text) as Start);
    },
  };
}
