import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const RECORDINGS = join(__dirname, '../../../runner/test/recorded');

export type Scrubbing = [string | RegExp, string][];

const LOOPBACK: Scrubbing = [
  [/127\.0\.0\.[12]:\d+/g, '127.0.0.1:1'],
  [/eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g, 'a-run-token'],
];

export interface ToolRecorder {
  command: string;
  keep(name: string, before?: number): Promise<void>;
}

export async function recordTool(
  executable: string,
  folder: string,
  scrubbing: Scrubbing,
): Promise<ToolRecorder> {
  await mkdir(folder, { recursive: true });
  const command = join(folder, 'recorded-tool');
  const script = [
    '#!/bin/bash',
    `out='${folder}'/$(ls '${folder}' | grep -c stdout)`,
    `"${executable}" "$@" > >(tee "$out.stdout") 2> >(tee "$out.stderr" >&2)`,
    'code=$?',
    'wait',
    'echo $code > "$out.code"',
    'exit $code',
  ];
  await writeFile(command, `${script.join('\n')}\n`);
  await chmod(command, 0o755);

  const scrub = (text: string) =>
    [...scrubbing, ...LOOPBACK].reduce((rest, [what, by]) => rest.replaceAll(what, by), text);
  return {
    command,
    keep: async (name, before = 0) => {
      if (!process.env.RECORD) return;
      const ended = (await readdir(folder)).filter((file) => file.endsWith('.code')).length;
      const out = join(folder, String(ended - 1 - before));
      const read = async (part: string) => scrub(await readFile(`${out}.${part}`, 'utf8'));
      const end = { exitCode: Number(await read('code')), stderr: await read('stderr') };
      const text = `${JSON.stringify(end)}\n${await read('stdout')}`;
      await writeFile(join(RECORDINGS, `${name}.jsonl`), text);
    },
  };
}
